package table

import (
	"cmp"
	"iter"
	"slices"

	"example.com/custody/array"
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
	base
	list *array.List[T]
}

// base is the part of a column that does not depend on the type of its elements.
type base struct {
	self     *base // its address, which a copy does not have
	of       *core
	guard    *safety.Guard // of the elements
	versions []uint64      // of the chunks
	discard  bool
	field    extent
	ofKey    bool // field has bytes of the Key: only Apply and Table.Set write the elements
	front    *int // the side of the DoubleColumn that is its front; nil for other columns
	side     int  // the column's side of the DoubleColumn

	// Of the phase in which a job writes the elements.
	stamp   uint64 // the version that all chunks get at the end, unless entered
	entered bool   // the job is a loop that stamps the chunks that it enters
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
	f, name, discard := newField(t, field, opts)
	c.init(core, f, name, discard)
	return c
}

// newField returns the field and options of a new column. It panics with ColumnOf's violations.
func newField[T, R any](t *Table[R], field func(row *R) *T, opts []Option) (f extent, name string, discard bool) {
	if field == nil {
		panic(t.guard.Violation(safety.ErrArgument, "a column of "+t.guard.Container()+" was to be made of a nil function", "Pass a function that returns a pointer to a field of the row that it gets."))
	}
	f = fieldOf(&t.core, "a column", field)
	for _, o := range opts {
		if o.set != nil {
			panic(t.guard.Violation(safety.ErrArgument, "a column of "+t.guard.Container()+" was to be made with an option of tables", "Pass it to New."))
		}
		name, discard = cmp.Or(o.name, name), discard || o.discard
	}
	t.guard.CheckWrite()
	if t.stage.begun() {
		panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have another column after rows were staged", "Make all columns before the first Add."))
	}
	hasPlaces[T](&t.core, "a column")
	return f, name, discard
}

// init makes c a column of t. The user's call is two frames up.
func (c *Column[T]) init(t *core, f extent, name string, discard bool) {
	c.self, c.of, c.discard, c.field = &c.base, t, discard, f
	c.ofKey = t.key != nil && f.overlaps(t.keyField)
	c.list = array.NewList[T](safety.PartOf(c), safety.Named(name), safety.MadeAt(safety.Caller(2)))
	r := c.list.Reader()
	c.guard = safety.ClaimOf(&r).Guard
	c.guard.Phases((*columnPhases)(&c.base))
	if t.fixed > 0 {
		c.resize(t.fixed, t.fixed)
	}
	t.columns = append(t.columns, c)
}

// Len returns the number of rows, or of places if that is fixed.
func (c *Column[T]) Len() int { return c.made().Len() }

// At returns the element of a row. A row outside [0, Len) is a violation.
func (c *Column[T]) At(row int) T { return c.made().At(row) }

// Set changes the element of a row. A row outside [0, Len) is a violation, and so is Set of a
// column of the field of the [Key].
func (c *Column[T]) Set(row int, v T) {
	c.made()
	c.writes()
	c.set(row, v)
}

func (c *Column[T]) set(row int, v T) {
	c.list.Set(row, v)
	c.versions[c.of.chunkOf(row)] = c.of.tick()
}

// Slice returns the elements themselves, to be read and written until rows are added or removed.
// Custody is checked once, now. Slice counts as a change of all rows; to read only, use [Column.At]
// or a Reader. Slice of a column of the field of the [Key] is a violation.
func (c *Column[T]) Slice() []T {
	l := c.made()
	c.writes()
	s := l.Slice()
	c.touch(c.of.tick())
	return s
}

// All ranges over the elements with the numbers of their rows, in order. In a [Fixed] table it
// ranges over all places. It checks custody at every step and ends as [array.List.All] does. An
// Apply in the body ends it as it ends [Table.All].
func (c *Column[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		all, cuts := c.made().All(), c.of.cuts
		for row, v := range all {
			if !yield(row, v) {
				return
			}
			c.of.uncut(cuts)
		}
	}
}

// Reader returns a view that reads all rows.
func (c *Column[T]) Reader() array.Reader[T] {
	if c == nil {
		return array.Reader[T]{}
	}
	c.whole()
	return c.list.Reader()
}

// Writer returns a view that reads and writes the rows of the current batch: the chunk, or in
// strict builds of a loop by rows the row. It counts as a change of the chunks that the loop
// enters. It counts as a change of all rows in a loop of another package, and where a view made of
// it may write the rows of other batches. Writer of a column of the field of the [Key] is a
// violation.
func (c *Column[T]) Writer() array.Writer[T] {
	if c == nil {
		return array.Writer[T]{}
	}
	c.writes()
	return c.list.Writer()
}

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

// column is a column of a table, whatever the type of its elements is.
type column interface {
	AnyColumn
	// move copies the last elements to the rows that have ended, unless the column discards.
	move(gone []int32)
	// resize gives the column n elements, all zero if it discards, and room for most.
	resize(n, most int)
	// wipe makes the elements of some rows zero.
	wipe(rows []int32)
	// place sets the elements from row at on to the fields of rows, unless the column discards.
	place(at int, rows rowRefs)
	// put sets the elements of places to the fields of rows, or to zero if the column discards.
	put(places []int32, rows rowRefs)
	// gather sets the field of a row to the element, and scatter the element to the field.
	gather(row int, to rowRef)
	scatter(row int, from rowRef)
	// carry copies the field from a row to another one, unless the column discards its elements.
	carry(from, to rowRef)
	dispose()
}

func (c *Column[T]) move(gone []int32) {
	if !c.discard {
		moveRows(c.list.Slice(), gone)
	}
}

func (c *Column[T]) resize(n, most int) {
	if c.discard {
		c.list.Clear()
	}
	c.list.Reserve(most)
	c.list.Resize(n)
	chunks := c.of.chunksOf(n)
	c.versions = slices.Grow(c.versions, max(chunks-len(c.versions), 0))[:chunks]
}

func (c *Column[T]) wipe(rows []int32) {
	s := c.list.Slice()
	var zero T
	for _, row := range rows {
		s[row] = zero
	}
}

func (c *Column[T]) place(at int, rows rowRefs) {
	if !c.discard {
		copyField(c.list.Slice()[at:], rows, c.field)
	}
}

func (c *Column[T]) put(places []int32, rows rowRefs) {
	if c.discard { // a loop over chunks may have written places without a row
		c.wipe(places)
		return
	}
	s := c.list.Slice()
	for i, row := range places {
		s[row] = *in[T](rows.at(i), c.field)
	}
}

func (c *Column[T]) gather(row int, to rowRef) {
	if !c.isBack() {
		*in[T](to, c.field) = c.list.At(row)
	}
}

func (c *Column[T]) scatter(row int, from rowRef) {
	if !c.isBack() {
		c.set(row, *in[T](from, c.field))
	}
}

func (c *Column[T]) carry(from, to rowRef) {
	if !c.discard {
		*in[T](to, c.field) = *in[T](from, c.field)
	}
}

func (c *Column[T]) dispose() { c.list.Dispose() }
