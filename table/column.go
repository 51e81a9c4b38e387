package table

import (
	"cmp"
	"iter"
	"slices"
	"strconv"

	"example.com/custody/array"
	"example.com/custody/safety"
)

// Column is one column of a table: the values that its rows have in one field. Jobs use it through
// views, which are those of package array. Its owner uses it by its methods, as a slice: from one
// goroutine at a time, or several that order themselves. Every use is checked against the jobs that
// hold the column. Make it with [ColumnOf].
//
// Memory model: see package safety.
type Column[T any] struct {
	base
	list *array.List[T]
}

// base is what a column has whatever its elements are.
type base struct {
	self     *base // its address; another one in a copy
	of       *core
	guard    *safety.Guard // of the elements
	versions []uint64      // of the chunks
	discard  bool
	bytes    extent // of a row, which the column has
	ofKey    bool   // some of bytes are the Key's: only an Apply and Table.Set write the elements
	double   any    // the DoubleColumn that it is one of, or nil

	// Of the phase in which a job writes the elements.
	stamp   uint64
	entered bool // the loop is one that stamps the chunks which it enters
}

// ColumnOption determines how a column is kept: [Named] and [Discard]. A nil one is a violation.
type ColumnOption interface{ columnOption() columnOption }

// columnOption is what a ColumnOption is.
type columnOption struct {
	name    string
	discard bool
}

func (o columnOption) columnOption() columnOption { return o }

// columnOptions takes options together, of which the last one that names counts.
func columnOptions(opts []ColumnOption) (all columnOption) {
	for _, o := range opts {
		needOption(o, "a column of a table")
		c := o.columnOption()
		all.name = cmp.Or(c.name, all.name)
		all.discard = all.discard || c.discard
	}
	return all
}

// Discard makes a column that need not keep its elements when rows are added or removed. All of its
// elements are zero after such an Apply; in a [Fixed] table only those of the rows concerned. That
// spares copies, for results that the next loop computes anew. Except in a Fixed table, such an
// Apply costs the length of the column, and counts as a change of all its rows.
func Discard() ColumnOption { return columnOption{discard: true} }

// ColumnOf makes a column of the fields that field returns a pointer to. It calls field once, with
// a zero row: field returns a pointer into that row, and does nothing else. The table does not keep
// fields of rows that no column, and no Key, is made of. A column is made before the first row is
// staged: making one later is a violation, and so is a nil field.
//
// A column of the field of the [Key], of a part of it, or of a struct that it is in, is for reading:
// its Set, Slice and Writer are violations, because rows keep their keys. It is made after the Key.
func ColumnOf[T, R any](t *Table[R], field func(row *R) *T, opts ...ColumnOption) *Column[T] {
	need(t, "a column was to be made of")
	t.enter(callColumnOf)
	defer t.leave()
	c := new(Column[T])
	place, o := newField(t, field, opts)
	initColumn(t, c, place, o)
	t.adopt(c, &columnOf[T, R]{c, place})
	return c
}

// newField returns the field and the options of a column that is to be made. It panics for all that
// ColumnOf refuses.
func newField[T, R any](t *Table[R], field func(row *R) *T, opts []ColumnOption) (place rowField[R, T], o columnOption) {
	if field == nil {
		panic(t.guard.Violation(safety.ErrArgument, "a column of "+t.guard.Container()+" was to be made of a nil function", "Pass a function that returns a pointer to a field of the row that it gets."))
	}
	place = fieldOf(t, "a column", field)
	o = columnOptions(opts)
	t.guard.CheckWrite()
	if t.stage.begun() {
		panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have another column after rows were staged", "Make all columns before the first Add."))
	}
	if t.columnNamed(o.name) != nil {
		panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have a second column called "+strconv.Quote(o.name), "Give each column of a table a name of its own, or none."))
	}
	hasPlaces[T](&t.core, "a column")
	return place, o
}

// initColumn makes c a column of the field. The user's call is two frames up.
func initColumn[T, R any](t *Table[R], c *Column[T], place rowField[R, T], o columnOption) {
	c.self, c.of, c.discard, c.bytes = &c.base, &t.core, o.discard, place.extent()
	c.ofKey = t.keys != nil && c.bytes.overlaps(t.keyAt)
	c.list = array.NewList[T](safety.PartOf(c), safety.Named(o.name), safety.MadeAt(safety.Caller(2)))
	r := c.list.Reader()
	c.guard = safety.ClaimOf(&r).Guard
	c.guard.Phases((*columnPhases)(&c.base))
}

// Len returns the number of rows, or of places if that is fixed.
func (c *Column[T]) Len() int { return c.made().Len() }

// At returns what the row has. A row outside [0, Len) is a violation.
func (c *Column[T]) At(row int) T { return c.made().At(row) }

// Set changes what the row has. A row outside [0, Len) is a violation, and so is Set of a column of
// the field of the [Key].
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
	return func(yield func(int, T) bool) { each(c.made().All(), yield, c.of) }
}

// Reader returns a view that reads all rows.
func (c *Column[T]) Reader() array.Reader[T] {
	if c == nil {
		return array.Reader[T]{}
	}
	c.whole()
	return c.list.Reader()
}

// Writer returns a view that reads and writes the rows of the current batch: the chunk, or in strict builds of a loop by rows the row. A loop that
// is not one of this package's counts as a change of all rows, and so does one whose view is made of the Writer and may write other rows. Writer of a column of the field of the [Key] is a violation.
func (c *Column[T]) Writer() array.Writer[T] {
	if c == nil {
		return array.Writer[T]{}
	}
	c.writes()
	return c.list.Writer()
}

// columnPhases hears of the phases of a column.
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

// whole panics with a violation if c is a copy, which would not see the changes that the column
// sees.
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

// strip is a column, whatever its elements and the rows of its table are.
type strip interface {
	part() *base
	// check refuses a change while a job holds the column.
	check()
	// move does what moves says, in order.
	move(moves []move)
	// resize makes the column n rows long, with room for most.
	resize(n, most int)
	// wipe makes what some rows have zero.
	wipe(rows []int32)
	dispose()
}

// column is what a column has to do with rows of type R.
type column[R any] interface {
	// place puts rows in, from row at on.
	place(at int, rows []R)
	// put is place where rows stay where they are, after wipe.
	put(places []int32, rows []R)
	// gather fills the field of a row.
	gather(row int, to *R)
	// scatter does the opposite.
	scatter(row int, from *R)
	// carry copies the field from a row to another, unless the column discards its elements.
	carry(from, to *R)
}

// move says that what row from has is row to's.
type move struct{ to, from int32 }

func (c *Column[T]) part() *base { return &c.base }

func (c *Column[T]) check() { c.list.Grow(0) }

func (c *Column[T]) move(moves []move) {
	if c.discard {
		return
	}
	s := c.list.Slice()
	for _, m := range moves {
		s[m.to] = s[m.from]
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

func (c *Column[T]) dispose() { c.list.Dispose() }

// columnOf is a column, and where a row has its elements.
type columnOf[T, R any] struct {
	of    *Column[T]
	field rowField[R, T]
}

func (c *columnOf[T, R]) place(at int, rows []R) {
	if !c.of.discard {
		c.field.copy(c.of.list.Slice()[at:], rows)
	}
}

func (c *columnOf[T, R]) put(places []int32, rows []R) {
	if c.of.discard { // a loop over chunks may have written places without a row
		c.of.wipe(places)
		return
	}
	s := c.of.list.Slice()
	for i, row := range places {
		s[row] = *c.field.in(&rows[i])
	}
}

func (c *columnOf[T, R]) gather(row int, to *R) { *c.field.in(to) = c.of.list.At(row) }

func (c *columnOf[T, R]) scatter(row int, from *R) { c.of.set(row, *c.field.in(from)) }

func (c *columnOf[T, R]) carry(from, to *R) {
	if !c.of.discard {
		*c.field.in(to) = *c.field.in(from)
	}
}
