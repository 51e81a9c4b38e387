package counter

import (
	"math/bits"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/stripe"
)

// padded is a count and the rest of its cache line. The counts of a slice of them lie on lines of
// their own (counter.I2).
type padded struct {
	n atom.Int64
	_ pad.Bytes
}

// stripes are the counts that all goroutines share. Their number never changes.
type stripes struct {
	counts []padded // a power of two of them
	shift  uint     // turns a goroutine's hint into the number of a count
}

// newStripes returns n stripes; n is a power of two.
func newStripes(n int) *stripes {
	// The padding of the count that is left out stands in front of the others (counter.I2).
	return &stripes{counts: make([]padded, n+1)[1:], shift: uint(64 - bits.Len(uint(n-1)))}
}

// pick returns the count that the goroutine's hint selects.
func (s *stripes) pick() *atom.Int64 {
	return &s.counts[stripe.Hint()>>s.shift&uint64(len(s.counts)-1)].n
}
