package table

// DoubleColumn is two columns of one field that change places, as the arrays of an
// [array.Double] do: the front, which everybody reads, and the back, which the next frame is
// written to. The owner calls Swap between frames.
//
// Apply keeps the rows of both in step, and gives a row that comes its value in both. [Table.Get]
// has the front's value, and [Table.Set] changes the front only. Each is a [Column] in all else: a
// [Changes] of one stays with this column when the two change places.
//
// Make it with [DoubleOf]; it must not be copied.
type DoubleColumn[T any] struct {
	columns [2]Column[T]
	front   int
}

// DoubleOf makes a DoubleColumn of the fields that field returns a pointer to. In all else it is as [ColumnOf].
func DoubleOf[T, R any](t *Table[R], field func(row *R) *T, opts ...ColumnOption) *DoubleColumn[T] {
	need(t, "a column was to be made of")
	t.enter(callDoubleOf)
	defer t.leave()
	d := new(DoubleColumn[T])
	place, o := newField(t, field, opts)
	for i := range d.columns {
		c := &d.columns[i]
		initColumn(t, c, place, o)
		c.double = d
		t.adopt(c, &halfOf[T, R]{columnOf[T, R]{c, place}, d})
	}
	return d
}

// FindDouble returns the table's DoubleColumn of that name, if it has one and its elements are of type T; or nil.
func FindDouble[T any](t Any, name string) *DoubleColumn[T] {
	need(t, "a column was looked for in")
	d, _ := t.columnNamed(name).(*DoubleColumn[T])
	return d
}

// Front returns the column that everybody reads.
func (d *DoubleColumn[T]) Front() *Column[T] { return &d.columns[d.front] }

// Back returns the column that the next frame is written to.
func (d *DoubleColumn[T]) Back() *Column[T] { return &d.columns[1-d.front] }

// Swap makes the back the front and the front the back. It is a violation while an uncompleted job
// writes one of them. Jobs that read them may be uncompleted.
func (d *DoubleColumn[T]) Swap() {
	for i := range d.columns {
		c := &d.columns[i]
		c.made()
		c.whole()
		c.guard.CheckRead()
	}
	d.front = 1 - d.front
}

// halfOf is a column of a DoubleColumn, and where a row has its elements.
type halfOf[T, R any] struct {
	columnOf[T, R]
	double *DoubleColumn[T]
}

func (c *halfOf[T, R]) gather(row int, to *R) {
	if c.of == c.double.Front() {
		c.columnOf.gather(row, to)
	}
}

func (c *halfOf[T, R]) scatter(row int, from *R) {
	if c.of == c.double.Front() {
		c.columnOf.scatter(row, from)
	}
}
