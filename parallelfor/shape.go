package parallelfor

import (
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// This file has what the loops that return a result have in common. They know the batches ahead of
// the loop, to have a place for the result of each, and run further loops with the same workers.

// gridOf returns the grid of a loop over n indices with these options. It is empty for a loop that
// is going to be refused.
func gridOf(n int, opts []Option) grid {
	if last(opts, optLengthOf) != nil {
		panic(senseless("a loop whose result needs a place for each batch was run with LengthOf",
			"Complete the jobs before it, ask the container for its length, and pass that.", n).In(givenName(opts), ""))
	}
	size := sizeOf(opts)
	if n < 0 || size < -1 {
		return grid{}
	}
	g := newGrid(n, size)
	if g.batches > maxBatches {
		return grid{}
	}
	return g
}

// placesOf returns a slice with an element for each batch of the loop over n indices.
func placesOf[T any](n int, opts []Option) []T {
	return placesFor[T](n, uint(gridOf(n, opts).batches), "whose result needs one for each batch", "place", opts)
}

// placesFor returns a slice of k elements for a loop over n indices. If memory cannot hold them it
// panics with a violation, whose text says by what why the loop has them, and names an element by
// unit.
func placesFor[T any](n int, k uint, what, unit string, opts []Option) []T {
	if most := amount.Most[T](); k > uint(most) {
		v := amount.Unowned("a loop over "+strconv.Itoa(n)+" indices "+what+" was to have", int(k), 0, most, unit)
		v.N = n
		panic(v.In(givenName(opts), ""))
	}
	return make([]T, k)
}

// sizeOf returns the length of a batch that the options ask for, or 0.
func sizeOf(opts []Option) int {
	if o := last(opts, optBatch); o != nil {
		return o.n
	}
	return 0
}

// crewOf returns own and those of opts that set the workers and the name of a loop. It is for loops
// that are parts of a loop with the options opts.
func crewOf(opts []Option, own ...Option) []Option {
	for _, o := range opts {
		switch o.what {
		case optName, optWorkers, optSequential, optPool:
			own = append(own, o)
		}
	}
	return own
}

// batchOf returns the elements of the batch [begin, end). out returns these elements, as the Slice
// of a Writer does, or all elements from 0 on. A slice as long as the batch counts as the elements
// of the batch. A violation has the line where out begins.
func batchOf[J, T any](out func(j *J) []T, j *J, begin, end int) []T {
	s := out(j)
	if len(s) == end-begin {
		return s
	}
	if len(s) < end {
		v := misgiven(origin.Code(out), strconv.Itoa(len(s))+" for the indices "+strconv.Itoa(begin)+" <= i < "+strconv.Itoa(end), len(s))
		v.Min, v.Max = begin, end
		panic(v)
	}
	return s[begin:end]
}

// misgiven is the violation of the function with that code. It returned n elements, which are not
// those that the loop needs; gave is the text for them.
func misgiven(code uintptr, gave string, n int) *safety.Violation {
	v := safety.NewViolation(safety.ErrLength, "a func that gives the elements of a loop gave "+gave,
		"Give the elements of the batch, as a Writer's Slice does, or all elements of the loop.")
	v.N, v.At = n, origin.Of(code)
	return v
}
