package parallelfor

import (
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// What the kinds of loops that give a result have in common: they know the batches ahead of the loop, to
// have a place for what each leaves, and run further loops with the same workers.

// gridOf returns the grid of a loop over n indices with these options. It is empty for a loop that is
// going to be refused.
func gridOf(n int, opts []Option) grid {
	for i := range opts {
		if opts[i].what == optLengthOf {
			panic(senseless("a loop whose result needs a place for each batch was run with LengthOf", "Complete the jobs before it, ask the container for its length, and pass that.", n).In(givenName(opts), ""))
		}
	}
	batch := sizeOf(opts)
	if n < 0 || batch < -1 {
		return grid{}
	}
	g := newGrid(n, batch)
	if g.batches > maxBatches {
		return grid{}
	}
	return g
}

// placesOf returns a slice with an element for each batch of the loop over n indices. A slice that
// memory cannot hold is a violation.
func placesOf[T any](n int, opts []Option) []T {
	g := gridOf(n, opts)
	if most := amount.Most[T](); g.batches > most {
		v := amount.Unowned("a loop over "+strconv.Itoa(n)+" indices whose result needs one for each batch was to have", g.batches, 0, most, "place")
		v.N = n
		panic(v.In(givenName(opts), ""))
	}
	return make([]T, g.batches)
}

// batchOf returns the batch that the options ask for, 0 when they do not.
func sizeOf(opts []Option) (batch int) {
	for i := range opts {
		if opts[i].what == optBatch {
			batch = opts[i].n
		}
	}
	return batch
}

// crewOf returns the options that say who executes a loop, and what it is called, and own besides: for a
// loop that is part of one with the options opts.
func crewOf(opts []Option, own ...Option) []Option {
	for _, o := range opts {
		switch o.what {
		case optName, optWorkers, optSequential, optPool:
			own = append(own, o)
		}
	}
	return own
}

// batchOf returns the elements of the batch [begin, end). out returns either these elements, as the
// Slice of a Writer does, or all elements from 0 on. A slice as long as the batch is taken for the
// elements of the batch. A violation has the line where out begins.
func batchOf[J, T any](out func(j *J) []T, j *J, begin, end int) []T {
	s := out(j)
	if len(s) == end-begin {
		return s
	}
	if len(s) < end {
		v := safety.NewViolation(safety.ErrLength, "a func that gives the elements of a loop gave "+strconv.Itoa(len(s))+" for the indices "+strconv.Itoa(begin)+" <= i < "+strconv.Itoa(end),
			giveElements)
		v.Min, v.Max, v.N = begin, end, len(s)
		v.At = origin.Of(origin.Code(out))
		panic(v)
	}
	return s[begin:end]
}

// giveElements is the advice for a function that returns other elements than a loop needs.
const giveElements = "Give the elements of the batch, as a Writer's Slice does, or all elements of the loop."
