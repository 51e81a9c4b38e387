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
	base base
	data *[]T // of the list
}

// base is the part of a column that does not depend on the type of its elements.
type base struct {
	self     *base // its address, which a copy does not have
	of       *core
	list     elements      // nil before ColumnOf
	guard    *safety.Guard // of the elements
	elem     *elem.Type
	put      putting
	versions []uint64 // of the chunks
	discard  bool
	field    extent
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

// slice is a slice of elements of any type.
type slice struct {
	p        elem.Pointer
	len, cap int
}

// Discard makes a column that need not keep its elements when rows are added or removed. All of its
// elements are zero after such an Apply; in a [Fixed] table only those of the rows concerned. That
// spares copies, for results that the next loop computes anew. Except in a Fixed table, such an
// Apply costs the length of the column, and counts as a change of all its rows.
func Discard() Option { return Option{discard: true} }

// ColumnOf makes a column of the fields that field returns a pointer to. It calls field once, with
// a zero row: field returns a pointer into that row, and does nothing else. The table does not keep
// fields of rows that no column, and no Key, is made of. A column is made before the first row is
// staged: making one later is a violation, and so is a nil field. The options are [Named] and
// [Discard]; another one is a violation.
//
// A column of the field of the [Key], of a part of it, or of a struct that it is in, is for
// reading: its Set, Slice and Writer are violations, because rows keep their keys. It is made after
// the Key.
func ColumnOf[T, R any](t *Table[R], field func(row *R) *T, opts ...Option) *Column[T] {
	core := need(t, "a column was to be made of")
	core.enter(callColumnOf)
	defer core.leave()
	c := new(Column[T])
	c.base.init(core, c, elem.TypeOf[T](), putFields[T], columnOptions(core, locate(field), opts))
	c.data = (*[]T)(c.base.header())
	return c
}

// wanted is what ColumnOf was asked for.
type wanted struct {
	field   extent
	name    string
	discard bool
}

// columnOptions returns the field and options of a new column. It panics with ColumnOf's
// violations.
func columnOptions(t *core, field locating, opts []Option) (w wanted) {
	if field == nil {
		panic(t.guard.Violation(safety.ErrArgument, "a column of "+t.guard.Container()+" was to be made of a nil function", "Pass a function that returns a pointer to a field of the row that it gets."))
	}
	w.field = fieldOf(t, "a column", field)
	for _, o := range opts {
		if o.set != nil {
			panic(t.guard.Violation(safety.ErrArgument, "a column of "+t.guard.Container()+" was to be made with an option of tables", "Pass it to New."))
		}
		w.name, w.discard = cmp.Or(o.name, w.name), w.discard || o.discard
	}
	t.guard.CheckWrite()
	if t.begun() {
		panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have another column after rows were staged", "Make all columns before the first Add."))
	}
	t.hasPlaces("a column", w.field.end-w.field.begin)
	return w
}

// init makes c, which is that of a column, a column of t. The user's call is two frames up.
func (c *base) init(t *core, column any, of *elem.Type, put putting, w wanted) {
	c.put = put
	c.self, c.of, c.elem, c.discard, c.field = c, t, of, w.discard, w.field
	c.ofKey = t.key != nil && c.field.overlaps(t.keyField)
	c.list = elem.NewList(of, safety.PartOf(column), safety.Named(w.name), safety.MadeAt(safety.Caller(2))).(elements)
	c.guard = c.list.Guard()
	c.guard.Phases((*columnPhases)(c))
	if t.fixed > 0 {
		c.resize(t.fixed, t.fixed)
	}
	t.columns = append(t.columns, c)
}

// Len returns the number of rows, or of places if that is fixed.
func (c *Column[T]) Len() int {
	(*base)(elem.Pointer(c)).reads(c)
	return len(*c.data)
}

// At returns the element of a row. A row outside [0, Len) is a violation.
func (c *Column[T]) At(row int) T {
	(*base)(elem.Pointer(c)).reads(c)
	if s := *c.data; !safety.Enabled || uint(row) < uint(len(s)) {
		return s[row]
	}
	panic(c.base.outside(row))
}

// Set changes the element of a row. A row outside [0, Len) is a violation, and so is Set of a
// column of the field of the [Key].
func (c *Column[T]) Set(row int, v T) {
	(*base)(elem.Pointer(c)).sets(c)
	if s := *c.data; !safety.Enabled || uint(row) < uint(len(s)) {
		s[row] = v
		c.base.changed(row)
		return
	}
	panic(c.base.outside(row))
}

// Slice returns the elements themselves, to be read and written until rows are added or removed.
// Custody is checked once, now. Slice counts as a change of all rows; to read only, use [Column.At]
// or a Reader. Slice of a column of the field of the [Key] is a violation.
func (c *Column[T]) Slice() []T {
	(*base)(elem.Pointer(c)).sets(c)
	c.base.touch(c.base.of.tick())
	s := *c.data
	return s[:len(s):len(s)]
}

// All ranges over the elements with the numbers of their rows, in order. In a [Fixed] table it
// ranges over all places. It checks custody at every step and ends as [array.List.All] does. An
// Apply in the body ends it as it ends [Table.All].
func (c *Column[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		b := (*base)(elem.Pointer(c))
		b.reads(c)
		cuts := b.of.cuts
		for row, n := 0, len(*c.data); row < min(n, len(*c.data)) && yield(row, (*c.data)[row]); row++ {
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

// reads checks that the owner may read the column, which has the base c.
func (c *base) reads(column any) {
	if c == nil || c.list == nil {
		panic(unmadeType(column, "ColumnOf or DoubleOf"))
	}
	c.guard.CheckRead()
}

// sets checks that the owner may change the column, which has the base c.
func (c *base) sets(column any) {
	if c == nil || c.list == nil {
		panic(unmadeType(column, "ColumnOf or DoubleOf"))
	}
	c.writes()
	c.guard.CheckWrite()
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

func (c *base) text(column any) string { return c.list.Text(column) }

// outside returns the violation of using the element of a row that there is not.
func (c *base) outside(row int) *safety.Violation { return c.list.Outside(row) }

// data returns the elements.
func (c *base) data() slice { return *(*slice)(c.header()) }

// header returns the address of the slice of the elements.
func (c *base) header() elem.Pointer { return c.list.Data() }

// at returns the address of the element of a row.
func (c *base) at(row int) elem.Pointer { return c.elem.At(c.data().p, row) }

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
func (c *base) gather(row int, to rowRef) {
	c.guard.CheckRead()
	if !c.isBack() {
		c.elem.Copy(to.at(c.field), c.at(row), 1)
	}
}

func (c *base) scatter(row int, from rowRef) {
	if !c.isBack() {
		c.elem.Copy(c.at(row), from.at(c.field), 1)
		c.changed(row)
	}
}

// carry copies the field from a row to another one, unless the column discards its elements.
func (c *base) carry(from, to rowRef) {
	if !c.discard {
		c.elem.Copy(to.at(c.field), from.at(c.field), 1)
	}
}
