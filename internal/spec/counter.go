package spec

import (
	"fmt"
	"slices"

	"example.com/custody/internal/linear"
)

// CounterIn is an operation of a counter.
type CounterIn struct {
	Op    Op
	Value int64 // of Add, Set and Swap
}

// CounterOut is the answer of a counter.
type CounterOut struct {
	Value int64 // of Value and Swap
}

// CounterOption is a difference from a counter whose operations are all linearizable.
type CounterOption func(c *counter)

type counter struct{ cells bool }

// Cells is the option of a counter whose count is spread over cells. Value, Set, Swap and Reset
// visit the cells one after the other, so they are weakly consistent. Such an operation meets each
// Add that is in the count for its whole interval. It may meet or miss any Add that is in the count
// at some moment of the interval, even if it does otherwise with another Add of the same goroutine.
// Set, Swap and Reset remove what they meet.
//
// The specification does not judge that exactly one of the removing operations meets each Add: that
// is a law about sums.
func Cells() CounterOption { return func(c *counter) { c.cells = true } }

// Counter is the specification of a number that concurrent operations add to. The count wraps
// around.
//
//	Add    adds Value; no answer
//	Value  answers the count
//	Set    sets the count to Value; no answer
//	Swap   is a Set that answers the previous count
//	Reset  is a Set to 0; no answer
func Counter(options ...CounterOption) *linear.Spec[int64, CounterIn, CounterOut] {
	var c counter
	for _, o := range options {
		o(&c)
	}
	s := &linear.Spec[int64, CounterIn, CounterOut]{Step: counterStep, Next: counterNext, Reads: counterReads, Text: counterText}
	if c.cells {
		s.Weak = func(in CounterIn) bool { return in.Op != Add }
		s.Bounds = cellBounds
	}
	return s
}

func counterStep(s int64, in CounterIn, out CounterOut) (int64, bool) {
	switch in.Op {
	case Add:
		return s + in.Value, true
	case Value:
		return s, out.Value == s
	case Set:
		return in.Value, true
	case Swap:
		return in.Value, out.Value == s
	case Reset:
		return 0, true
	}
	unknown(in.Op, "Counter")
	return s, false
}

func counterNext(s int64, in CounterIn) []int64 {
	if in.Op == Value {
		return nil
	}
	next, _ := counterStep(s, in, CounterOut{s})
	return []int64{next}
}

func counterReads(in CounterIn, _ CounterOut) bool { return in.Op == Value }

func counterText(in CounterIn, out CounterOut) string {
	switch in.Op {
	case Add, Set:
		return fmt.Sprintf("%v(%d)", in.Op, in.Value)
	case Swap:
		return fmt.Sprintf("Swap(%d) = %d", in.Value, out.Value)
	case Value:
		return fmt.Sprintf("Value() = %d", out.Value)
	}
	return in.Op.String() + "()"
}

// maxSums is the number of different sums up to which isSum is exact. Beyond it only the least and
// the greatest sum count.
const maxSums = 1 << 12

// cellBounds judges the answer of a Value or Swap of a counter with cells.
func cellBounds(h []linear.Op[CounterIn, CounterOut], i int) error {
	if h[i].In.Op != Value && h[i].In.Op != Swap {
		return nil
	}
	w := window[CounterIn, CounterOut]{h, i}
	takes := func(k int) bool { return h[k].In.Op != Add && h[k].In.Op != Value }
	var certain int64
	var perhaps []int64
	for k := range h {
		d := h[k].In.Value
		if k == i || h[k].In.Op == Value || h[k].In.Op == Reset || d == 0 {
			continue
		}
		other := func(t int) bool { return t != k && takes(t) } // a Set keeps its own value
		switch {
		case w.certain(k, other):
			certain += d
		case w.possible(k, other):
			perhaps = append(perhaps, d)
		}
	}
	if got := h[i].Out.Value; !isSum(got-certain, perhaps) {
		return fmt.Errorf("it met %d for certain, and perhaps some of %d", certain, perhaps)
	}
	return nil
}

// isSum reports whether v is the sum of some of the terms. If there are more than maxSums different
// sums, it reports whether v lies between the least and the greatest.
func isSum(v int64, terms []int64) bool {
	sums := []int64{0}
	least, most := int64(0), int64(0)
	for _, d := range terms {
		least, most = least+min(d, 0), most+max(d, 0)
		if len(sums) > maxSums {
			continue
		}
		for _, s := range sums {
			sums = append(sums, s+d)
		}
		slices.Sort(sums)
		sums = slices.Compact(sums)
	}
	if len(sums) > maxSums {
		return least <= v && v <= most
	}
	_, found := slices.BinarySearch(sums, v)
	return found
}
