package table

import (
	"iter"

	"example.com/custody/array"
	"example.com/custody/safety"
)

// DoubleColumn is a column with two buffers, as an [array.Double] is an array with two: while a loop writes the back one, everybody reads the
// front one, which has what the last completed loop left; and they change places when custody of the back one returns from a loop that ran to its
// end. So results are drawn, or read by rows of other indices, while the next are computed.
//
// What a loop finds in the back buffer is what the last but one left. Apply moves the rows of both buffers, and gives rows that come what they have
// in both. Outside jobs it is a column of the front buffer.
//
// It has no part in [Changes]. Make it with [DoubleOf].
type DoubleColumn[T any] struct {
	base  base
	lists *array.DoubleList[T]
}

// DoubleOf makes a DoubleColumn of the fields that field returns a pointer to. In all else it is as [ColumnOf].
func DoubleOf[T, R any](t *Table[R], field func(row *R) *T, opts ...ColumnOption) *DoubleColumn[T] {
	need(t, "a column was to be made of")
	t.enter(callDoubleOf)
	defer t.leave()
	c := new(DoubleColumn[T])
	place, all := newField(t, &c.base, c, field, opts)
	all = append(all, safety.MadeAt(safety.Caller(1)))
	c.lists = array.NewDoubleList[T](all...)
	c.lists.Both(func(l *array.List[T]) {
		r := l.Reader()
		c.base.guard = r.Claim().Guard
	})
	t.adopt(c, &doubleOf[T, R]{c, place})
	return c
}

// FindDouble returns the table's DoubleColumn of that name, if it has one and its elements are of type T; or nil.
func FindDouble[T any](t Any, name string) *DoubleColumn[T] {
	need(t, "a column was looked for in")
	c, _ := t.columnNamed(name).(*DoubleColumn[T])
	return c
}

// Len returns the number of rows, or of places if that is fixed.
func (c *DoubleColumn[T]) Len() int { return c.made().Len() }

// At returns what the row has in the front buffer. A row outside [0, Len) is a violation.
func (c *DoubleColumn[T]) At(row int) T { return c.made().At(row) }

// Set changes what the row has in the front buffer. A row outside [0, Len) is a violation, and so is
// Set of a column of the field of the [Key].
func (c *DoubleColumn[T]) Set(row int, v T) {
	l := c.made()
	c.base.writes()
	l.Set(row, v)
}

// Slice returns the elements of the front buffer themselves, to be read and written, until rows are added or removed, or the buffers change
// places. It is checked once, now. Slice of a column of the field of the [Key] is a violation.
func (c *DoubleColumn[T]) Slice() []T {
	l := c.made()
	c.base.writes()
	return l.Slice()
}

// All ranges over the elements of the buffer that is the front when the range begins, with the
// numbers of their rows, in order. In a [Fixed] table it ranges over all places. It checks custody
// at every step and ends as [array.List.All] does. An Apply in the body ends it as it ends
// [Table.All].
func (c *DoubleColumn[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) { each(c.made().All(), yield, c.base.of) }
}

// Reader returns a view that reads all rows of the buffer that is the front when the job is scheduled.
func (c *DoubleColumn[T]) Reader() array.Reader[T] {
	if c == nil {
		return array.Reader[T]{}
	}
	c.base.whole()
	return c.lists.Reader()
}

// Writer returns a view that reads and writes rows of the buffer that is the back when the job is
// scheduled: those of the current cell. Writer of a column of the field of the [Key] is a violation.
func (c *DoubleColumn[T]) Writer() array.Writer[T] {
	if c == nil {
		return array.Writer[T]{}
	}
	c.base.writes()
	return c.lists.Writer()
}

func (c *DoubleColumn[T]) part() *base { return &c.base }

func (c *DoubleColumn[T]) check() { c.lists.Both(func(l *array.List[T]) { l.Grow(0) }) }

func (c *DoubleColumn[T]) move(moves []move) {
	c.lists.Both(func(l *array.List[T]) { moveIn(&c.base, l, moves) })
}

func (c *DoubleColumn[T]) resize(n, most int) {
	c.lists.Both(func(l *array.List[T]) { resizeIn(&c.base, l, n, most) })
	c.base.cut(n)
}

func (c *DoubleColumn[T]) wipe(rows []int32) {
	c.lists.Both(func(l *array.List[T]) { wipeIn(l, rows) })
}

func (c *DoubleColumn[T]) dispose() { c.lists.Dispose() }

// doubleOf is a DoubleColumn, and where a row has its elements.
type doubleOf[T, R any] struct {
	of    *DoubleColumn[T]
	field rowField[R, T]
}

func (c *doubleOf[T, R]) place(at int, rows []R) {
	if c.of.base.discard {
		return
	}
	c.of.lists.Both(func(l *array.List[T]) { c.field.copy(l.Slice()[at:], rows) })
}

func (c *doubleOf[T, R]) put(places []int32, rows []R) {
	c.of.lists.Both(func(l *array.List[T]) { putIn(&c.of.base, l, &c.field, places, rows) })
}

func (c *doubleOf[T, R]) gather(row int, to *R) { *c.field.in(to) = c.of.lists.At(row) }

func (c *doubleOf[T, R]) scatter(row int, from *R) { c.of.lists.Set(row, *c.field.in(from)) }

func (c *doubleOf[T, R]) carry(from, to *R) {
	if !c.of.base.discard {
		*c.field.in(to) = *c.field.in(from)
	}
}
