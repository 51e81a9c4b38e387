package table

import (
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Changes remembers which changes of some columns of a table a loop has seen. A loop over
// [Rows.Changed] executes the chunks that have changed, in any of the columns, since the last loop
// over the same Changes; the first loop executes all. A chunk has changed when
//
//   - a loop of this package over a job with a Writer of the column has entered it, whether or not
//     the loop has changed an element,
//   - the owner has used Set in it, or
//   - rows were put into it.
//
// All chunks have changed when the owner has used Slice, when a loop of another package had a
// Writer, and when a loop had a view that may write rows of other chunks: Unrestricted, Permuted,
// ByOffsets or Rows of a Writer. A loop's own writes are no change for it.
//
// A loop that fails, or is cancelled, counts as if it had not been. Only one loop at a time can use
// a Changes; another one is a violation. Make it with [NewChanges].
// Each method: owner changes; wait-free; O(1); allocates never.
type Changes struct {
	self    *Changes // its address, which a copy does not have
	columns []*base
	since   uint64
	seen    bool // a loop has ended
	used    atom.Uint32
}

// AnyColumn is a *[Column], whatever the type of its elements is.
type AnyColumn interface{ common() *base }

func (c *Column[T]) common() *base { return (*base)(elem.Pointer(c)) }

// NewChanges returns a Changes of columns, one or more of one table. A job of a loop over it has a
// view of each.
func NewChanges(columns ...AnyColumn) *Changes {
	c := new(Changes)
	c.self = c
	if len(columns) == 0 {
		panic(safety.NewViolation(safety.ErrArgument, "changes of no column were asked for", "Pass one column or more."))
	}
	for _, col := range columns {
		if col == nil || col.common() == nil || col.common().list == nil {
			panic(unmade("changes were asked for of a column", "Make it with ColumnOf."))
		}
		col.common().whole()
		c.columns = append(c.columns, col.common())
	}
	for _, col := range c.columns {
		if first := c.columns[0]; col.of != first.of {
			panic(col.guard.Violation(safety.ErrArgument, "changes of columns of two tables were asked for: "+first.guard.Container()+" is one of "+first.of.guard.Container()+", and "+
				col.guard.Container()+" one of "+col.of.guard.Container(), "Make one Changes for each table."))
		}
	}
	return c
}

// table returns the guard of the table whose columns c is of.
func (c *Changes) table() *safety.Guard { return &c.columns[0].of.guard }

// suits panics with a violation unless c is of columns of the table.
func (c *Changes) suits(t *core) {
	if c == nil || len(c.columns) == 0 {
		panic(t.guard.Violation(safety.ErrUnassigned, "a loop was to run over the changes of "+t.guard.Container()+", with a Changes that was not made", "Make it with NewChanges."))
	}
	copied(c, c.self, &t.guard, "a Changes of ", "NewChanges")
	if c.table() != &t.guard {
		panic(t.guard.Violation(safety.ErrArgument, "a loop was to run over the changes of "+t.guard.Container()+", with a Changes of columns of "+c.table().Container(),
			"Make a Changes of columns of the table that the loop runs over."))
	}
}

// Forget has the next loop execute all chunks. It is a violation while a loop uses the Changes.
func (c *Changes) Forget() {
	switch {
	case c == nil:
		panic(unmade("a Changes was used", "Make it with NewChanges."))
	case len(c.columns) > 0 && c.self != c:
		copied(c, c.self, c.table(), "a Changes of ", "NewChanges")
	case c.used.Load() != 0:
		panic(c.table().Violation(safety.ErrInFlight, "a Changes was to forget what was seen of "+c.table().Container()+" while a loop uses it", "Complete the loop first."))
	}
	c.seen = false
}

// sees reports whether the chunk has changed since the last loop over c.
func (c *Changes) sees(chunk int) bool {
	if !c.seen {
		return true
	}
	for _, col := range c.columns {
		if col.versions[chunk] > c.since {
			return true
		}
	}
	return false
}

// begin begins a loop over c.
func (c *Changes) begin() {
	if !c.used.CompareAndSwap(0, 1) {
		panic(c.table().Violation(safety.ErrArgument, "two loops over "+c.table().Container()+" use one Changes at the same time",
			"Make one for each loop, or run one after the other."))
	}
}

// end ends a loop of that version over c. whole reports whether it has executed all of its chunks.
func (c *Changes) end(version uint64, whole bool) {
	if whole {
		c.since, c.seen = version, true
	}
	c.used.Store(0)
}

// check panics with a violation if the job does not hold the columns: others could change versions.
func (c *Changes) check(b safety.Binding) {
	for i, col := range c.columns {
		if _, ok := b.Claims(col.guard); !ok {
			panic(col.guard.Violation(safety.ErrArgument, "a loop over the changes of "+col.guard.Container()+", column "+strconv.Itoa(i)+" of its Changes, has no view of it",
				"Carry a Reader of the column in the job."))
		}
	}
}
