package counter

import (
	"math/bits"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/stripe"
)

// cell is a count with the rest of its cache line: the counts of an array of cells lie on lines of
// their own (I2).
type cell struct {
	n atom.Int64
	_ pad.Bytes
}

// table is the stripes of a counter. Its size never changes.
type table struct {
	cells []cell // a power of two of them
	shift uint   // what a hint is shifted by to give the number of a cell
}

// newTable returns n stripes; n is a power of two.
func newTable(n int) *table {
	// The padding of the cell that is left out stands in front of the others (I2).
	return &table{cells: make([]cell, n+1)[1:], shift: uint(64 - bits.Len(uint(n-1)))}
}

// pick returns the count that the goroutine's hint says.
func (t *table) pick() *atom.Int64 {
	return &t.cells[stripe.Hint()>>t.shift&uint64(len(t.cells)-1)].n
}
