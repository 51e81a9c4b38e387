package table

import (
	"cmp"
	"iter"
	"slices"

	"example.com/custody/array"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Column is one column of a table: the values that its rows have in one field. Jobs use it through
// views, which are those of package array. Its owner uses it by its methods, as a slice: from one
// goroutine at a time, or several that order themselves. Every use is checked against the jobs that
// hold the column. Make it with [ColumnOf].
//
// Memory model: see package safety.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Len, At, All  owner reads    wait-free  O(1)       never
//	Set           owner changes  wait-free  O(1)       never
//	Slice         owner changes  wait-free  O(chunks)  never
type Column[T any] struct {
	_    [0]*T
	base base
}

// base is the part of a column that does not depend on the type of its elements.
type base struct {
	self     *base // its address, which a copy does not have
	of       *core
	list     elements      // nil before ColumnOf
	data     *elem.Slots   // of the list
	guard    *safety.Guard // of the elements
	elem     *elem.Type
	put      elem.Setter
	zero     elem.Pointer // an element of a Fixed table
	versions []uint64     // of the chunks
	discard  bool
	field    elem.Field
	ofKey    bool // field has bytes of the Key: only Apply and Table.Set write the elements
	front    *int // the side of the DoubleColumn that is its front; nil for other columns
	side     int  // the column's side of the DoubleColumn

	// Of the phase in which a job writes the elements.
	stamp   uint64 // the version that all chunks get at the end, unless entered
	entered bool   // the job is a loop that stamps the chunks that it enters
}

// elements are the list that a column's elements, or the names of rows, lie in: see elem.NewList.
type elements interface {
	Guard() *safety.Guard
	Data() elem.Pointer
	Outside(row int) *safety.Violation
	Text(owner any) string
	Resize(n int)
	Reserve(n int)
	Clear()
	Dispose()
}

// viewed is what elements are, too. It is apart, because programs would compile what it mentions.
type viewed interface {
	Reader() array.Reader[byte]
	Writer() array.Writer[byte]
}

// Discard makes a column that need not keep its elements when rows are added or removed. All of its
// elements are zero after such an Apply; in a [Fixed] table only those of the rows concerned. That
// spares copies, for results that the next loop computes anew. Except in a Fixed table, such an
// Apply costs the length of the column, and counts as a change of all its rows.
func Discard() Option { return Option{discard: true} }

// ColumnOf makes a column of the fields that field returns a pointer to. It calls field once, with
// a zero row: field returns a pointer into that row, and does nothing else. The table does not keep
// fields of rows that no column, and no Key, is made of. A column is made before the first row is
// staged: making one later is a violation, and so is a nil field. Columns have no byte of the row
// in common: a second column of a field, of a part of it, or of a struct that it is in is a
// violation. The options are [Named] and [Discard]; another one is a violation.
//
// A column of the field of the [Key], of a part of it, or of a struct that it is in, is for
// reading: its Set, Slice and Writer are violations, because rows keep their keys. It is made after
// the Key.
func ColumnOf[T, R any](t *Table[R], field func(row *R) *T, opts ...Option) *Column[T] {
	c := new(Column[T])
	(*core)(elem.Pointer(t)).newColumns(callColumnOf, elem.SourceOf(field), opts, c)
	return c
}

// newColumns makes columns of a field, or panics with the violations of ColumnOf. The user's call
// is two frames up.
func (t *core) newColumns(call call, from elem.Source, opts []Option, columns ...AnyColumn) {
	t.need("a column was to be made of").enter(call)
	defer t.leave()
	if from.Nil() {
		panic(t.guard.Violation(safety.ErrArgument, "a column of "+t.guard.Container()+" was to be made of a nil function", "Pass a function that returns a pointer to a field of the row that it gets."))
	}
	field, name, discard := fieldOf(t, "a column", from), "", false
	for _, o := range opts {
		if o.set != nil {
			panic(t.guard.Violation(safety.ErrArgument, "a column of "+t.guard.Container()+" was to be made with an option of tables", "Pass it to New."))
		}
		name, discard = cmp.Or(o.name, name), discard || o.discard
	}
	t.check()
	t.stage.lock.Lock()
	defer t.stage.lock.Unlock()
	if t.begun() {
		panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have another column after rows were staged", "Make all columns before the first Add."))
	}
	t.apart(field, t.columnText(name)+" was to be made of", "Use that column, or make columns of fields that have no byte in common: each column has elements of its own.")
	t.hasPlaces("a column", from.Elem.Size)
	for _, column := range columns {
		c := column.common()
		c.self, c.of, c.elem, c.put, c.discard, c.field = c, t, from.Elem, from.Set, discard, field
		c.ofKey = t.key != nil && field.Overlaps(t.keyField)
		c.list = elem.NewList(c.elem, safety.PartOf(column), safety.Named(name), safety.MadeAt(safety.Caller(2))).(elements)
		c.guard, c.data = c.list.Guard(), (*elem.Slots)(c.list.Data())
		c.guard.Phases((*columnPhases)(c))
		if t.fixed > 0 {
			c.zero = c.elem.Make(1)
			c.resize(t.fixed, t.fixed)
		}
		t.columns = append(t.columns, c)
	}
}

// Len returns the number of rows, or of places if that is fixed.
func (c *Column[T]) Len() int {
	(*base)(elem.Pointer(c)).reads(c)
	return c.base.data.Len
}

// At returns the element of a row. A row outside [0, Len) is a violation.
func (c *Column[T]) At(row int) T {
	(*base)(elem.Pointer(c)).readsAt(row, c)
	return (*(*[]T)(elem.Pointer(c.base.data)))[row]
}

// Set changes the element of a row. A row outside [0, Len) is a violation, and so is Set of a
// column of the field of the [Key].
func (c *Column[T]) Set(row int, v T) {
	b := (*base)(elem.Pointer(c))
	b.sets(row, c)
	(*(*[]T)(elem.Pointer(b.data)))[row] = v
	b.changed(row)
}

// Slice returns the elements themselves, to be read and written until rows are added or removed.
// Custody is checked once, now. Slice counts as a change of all rows; to read only, use [Column.At]
// or a Reader. Slice of a column of the field of the [Key] is a violation.
func (c *Column[T]) Slice() []T {
	(*base)(elem.Pointer(c)).setsAll(c)
	s := *(*[]T)(elem.Pointer(c.base.data))
	return s[:len(s):len(s)]
}

// All ranges over the elements with the numbers of their rows, in order. In a [Fixed] table it
// ranges over all places. It checks custody at every step and ends as [array.List.All] does. An
// Apply in the body ends it as it ends [Table.All].
func (c *Column[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		b := (*base)(elem.Pointer(c))
		b.reads(c)
		cuts, data := b.of.cuts, (*[]T)(elem.Pointer(b.data))
		for row, n := 0, len(*data); row < min(n, len(*data)) && yield(row, (*data)[row]); row++ {
			b.of.uncut(cuts)
			b.guard.CheckRead()
		}
	}
}

// Reader returns a view that reads all rows.
func (c *Column[T]) Reader() (r array.Reader[T]) {
	(*base)(elem.Pointer(c)).reader(elem.Pointer(&r))
	return r
}

// Writer returns a view that reads and writes the rows of the current batch: the chunk, or in
// strict builds of a loop by rows the row. It counts as a change of the chunks that the loop
// enters. It counts as a change of all rows in a loop of another package, and where a view made of
// it may write the rows of other batches. Writer of a column of the field of the [Key] is a
// violation.
func (c *Column[T]) Writer() (w array.Writer[T]) {
	(*base)(elem.Pointer(c)).writer(elem.Pointer(&w))
	return w
}

// reader makes the zero Reader at r a view of the column, and writer the zero Writer at w, unless c
// was never made.
//
//go:noinline
func (c *base) reader(r elem.Pointer) {
	if c != nil && c.list != nil {
		c.whole()
		*(*array.Reader[byte])(r) = c.list.(viewed).Reader()
	}
}

//go:noinline
func (c *base) writer(w elem.Pointer) {
	if c != nil && c.list != nil {
		c.writes()
		*(*array.Writer[byte])(w) = c.list.(viewed).Writer()
	}
}

// made panics with a violation unless column, which has the base c, was made.
func (c *base) made(column any) *base {
	if c == nil || c.list == nil {
		panic(unmadeType(column, "ColumnOf or DoubleOf"))
	}
	return c
}

// reads checks that the owner may read the column, and readsAt that it may read an element.
func (c *base) reads(column any) { c.made(column).guard.CheckRead() }

func (c *base) readsAt(row int, column any) {
	c.made(column).guard.CheckRead()
	c.within(row)
}

// sets checks that the owner may change an element, and setsAll that it may change all, whose
// chunks get a new version.
func (c *base) sets(row int, column any) {
	c.made(column).writes()
	c.guard.CheckWrite()
	c.within(row)
}

func (c *base) setsAll(column any) {
	c.made(column).writes()
	c.guard.CheckWrite()
	c.touch(c.of.tick())
}

// within panics with a violation unless there is a row of that number. In unchecked builds the
// index does.
func (c *base) within(row int) {
	if safety.Enabled && uint(row) >= uint(c.data.Len) {
		panic(c.list.Outside(row))
	}
}

// changed gives the chunk of a row a new version.
func (c *base) changed(row int) { c.versions[c.of.chunkOf(row)] = c.of.tick() }

// columnPhases are the phases of a column. They keep (T4) for jobs that stamp no chunks: OpenPhase
// takes a version, and SealPhase gives it to all chunks. Nested jobs leave this to the outer job.
type columnPhases base

// OpenPhase implements safety.Phased.
func (c *columnPhases) OpenPhase(p *safety.Phase) {
	if p.Mode == safety.Write && !p.Lent {
		c.stamp, c.entered = c.of.tick(), false
	}
}

// SealPhase implements safety.Phased.
func (c *columnPhases) SealPhase(p *safety.Phase) {
	if p.Mode == safety.Write && !p.Lent && !c.entered {
		(*base)(c).touch(c.stamp)
	}
}

// whole panics with a violation if c is a copy, which would not see later changes of the column.
func (c *base) whole() {
	if safety.Enabled && c != c.self && c.self != nil {
		copied(c, c.self, c.guard, "", "ColumnOf or DoubleOf")
	}
}

// writes panics with a violation if c is a copy, or a column of the field of the Key.
func (c *base) writes() {
	if c.whole(); c.ofKey {
		panic(c.guard.Violation(safety.ErrArgument, c.guard.Container()+", which has the field of the Key of "+c.of.guard.Container()+" or a part of it, was to be written",
			"Rows keep their keys: read the column, or stage Remove and Add of the row. Make a column of the other fields to write those."))
	}
}

// touch makes v the version of all chunks.
func (c *base) touch(v uint64) {
	for i := range c.versions {
		c.versions[i] = v
	}
}

// isBack reports whether c is the back of a DoubleColumn, which Table.Get and Table.Set pass over.
func (c *base) isBack() bool { return c.front != nil && *c.front != c.side }

// at returns the address of the element of a row.
func (c *base) at(row int) elem.Pointer { return c.elem.At(c.data.P, row) }

// move sets the elements at places to the last ones. The places are sorted as descend sorts them.
func (c *base) move(places []int32) {
	if n := len(places); n > 0 {
		c.put(*c.data, 0, places, n, c.at(c.data.Len-1), -c.elem.Size)
	}
}

// fill sets elements to the fields of rows: those from element at on, or at places if any.
func (c *base) fill(at int, places []int32, rows elem.Memory) {
	if rows.N > 0 {
		c.put(*c.data, at, places, rows.N, c.field.Of(rows.P), c.of.stage.elem.Size)
	}
}

// wipe makes the elements at places zero.
func (c *base) wipe(places []int32) {
	c.put(*c.data, 0, places, len(places), c.zero, 0)
}

// resize gives the column n elements, all zero if it discards, and room for most.
func (c *base) resize(n, most int) {
	if c.discard {
		c.list.Clear()
	}
	c.list.Reserve(most)
	c.list.Resize(n)
	chunks := c.of.chunksOf(n)
	c.versions = slices.Grow(c.versions, max(chunks-len(c.versions), 0))[:chunks]
}

// gather sets the field of a row to the element, and scatter the element to the field.
func (c *base) gather(row int, to elem.Pointer) {
	c.guard.CheckRead()
	if !c.isBack() {
		c.elem.Copy(c.field.Of(to), c.at(row), 1)
	}
}

func (c *base) scatter(row int, from elem.Pointer) {
	if !c.isBack() {
		c.elem.Copy(c.at(row), c.field.Of(from), 1)
		c.changed(row)
	}
}

// carry copies the field from a row to another one, unless the column discards its elements.
func (c *base) carry(from, to elem.Pointer) {
	if !c.discard {
		c.elem.Copy(c.field.Of(to), c.field.Of(from), 1)
	}
}
