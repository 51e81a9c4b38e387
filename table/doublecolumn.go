package table

import "example.com/custody/internal/elem"

// DoubleColumn is two columns of one field that change places, as the arrays of an [array.Double]
// do: the front, which is read, and the back, which the next frame is written to. The owner calls
// Swap between frames. Jobs that hold a column do not exclude Front and Back.
//
// Apply keeps the rows of both in step, and gives a row that it adds the same value in both.
// [Table.Get] returns the front's value, and [Table.Set] changes the front only. Each is a [Column]
// in all else: a [Changes] of one stays with this column when the two change places.
//
// Make it with [DoubleOf]; it must not be copied.
// Each method: owner reads; wait-free; O(1); allocates never.
type DoubleColumn[T any] struct {
	columns [2]Column[T]
	front   int
}

// DoubleOf makes a DoubleColumn of the fields that field returns a pointer to. In all else it is as
// [ColumnOf].
func DoubleOf[T, R any](t *Table[R], field func(row *R) *T, opts ...Option) *DoubleColumn[T] {
	d := new(DoubleColumn[T])
	for i := range d.columns {
		d.columns[i].base.front, d.columns[i].base.side = &d.front, i
	}
	(*core)(elem.Pointer(t)).newColumns(callDoubleOf, elem.SourceOf(field), opts, &d.columns[0], &d.columns[1])
	return d
}

// Front returns the column that is read.
func (d *DoubleColumn[T]) Front() *Column[T] { return &d.columns[d.front] }

// Back returns the column that the next frame is written to.
func (d *DoubleColumn[T]) Back() *Column[T] { return &d.columns[1-d.front] }

// Swap makes the back the front and the front the back. It is a violation while an uncompleted job
// writes one of them. Jobs that read them may be uncompleted.
func (d *DoubleColumn[T]) Swap() {
	for i := range d.columns {
		c := &d.columns[i]
		c.base.reads(c)
		c.base.whole()
	}
	d.front = 1 - d.front
}
