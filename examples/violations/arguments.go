package main

import (
	"context"
	"math"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These pass arguments that have no meaning.

var arguments = []misuse{
	{"Batch is below -1", negativeBatch, safety.Violation{Kind: safety.ErrArgument, Job: "fill", N: -2}, always},
	{"Batch makes too many batches", manyBatches, safety.Violation{Kind: safety.ErrArgument, Job: "count", N: 1}, always},
	{"Workers is below 1", noWorkers, safety.Violation{Kind: safety.ErrArgument, Job: "fill"}, always},
	{"On is given no pool", noPool, safety.Violation{Kind: safety.ErrArgument, Job: "fill"}, always},
	{"a loop has a length and LengthOf", twoLengths, safety.Violation{Kind: safety.ErrArgument, Job: "fill", N: 100}, always},
	{"a job that is executed once has LengthOf", singleLengthOf, safety.Violation{Kind: safety.ErrArgument, Job: "add", N: 1}, always},
	{"a loop with a result has LengthOf", reduceLengthOf, safety.Violation{Kind: safety.ErrArgument, Job: "sum", N: -1}, always},
	{"a context is nil", nilContext, safety.Violation{Kind: safety.ErrArgument, Job: "try"}, always},
	{"a body is nil", nilBody, safety.Violation{Kind: safety.ErrArgument}, always},
	{"a kind of job is nil", nilKind, safety.Violation{Kind: safety.ErrArgument}, always},
	{"a kind of job asks for no batches", idleKind, safety.Violation{Kind: safety.ErrArgument, Job: "fill"}, always},
	{"a pool is to have a negative number of workers", negativePool, safety.Violation{Kind: safety.ErrArgument, N: -1}, always},
	{"a pool is closed that was never made", zeroPool, safety.Violation{Kind: safety.ErrArgument}, always},
	{"scratch memory is to have a negative length", negativeScratch, safety.Violation{Kind: safety.ErrLength, N: -1}, always},
	{"a histogram is to have no bins", noBins, safety.Violation{Kind: safety.ErrLength, Container: `counter.Histogram "h"`, Made: somewhere}, always},
	{"a row is to have no elements", noRow, safety.Violation{Kind: safety.ErrArgument, Container: `array.Array[int] "a"`, Made: somewhere}, always},
	{"the mode of leak tracking does not exist", noLeakMode, safety.Violation{Kind: safety.ErrArgument, N: 3}, always},
	{"offsets fall", fallingOffsets, safety.Violation{Kind: safety.ErrArgument,
		Container: `array.Array[int] "a"`, Job: "spread", Field: "Out", Min: 0, Max: 70, Length: 50, Made: somewhere}, always},
}

// -2 has no meaning.
func negativeBatch() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Batch(-2))
}

// A loop over more indices than there can be batches is to have a batch for each.
func manyBatches() {
	c := counter.New()
	parallelfor.For(math.MaxInt, c.ParallelWriter(), func(w *counter.ParallelWriter, _ int) { w.Inc() }, parallelfor.Name("count"), parallelfor.Batch(1))
}

// A job is to be executed by no worker.
func noWorkers() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Workers(0))
}

// A job is to run on a pool that was not made.
func noPool() {
	a := array.New[int](100, safety.Named("a"))
	var pool *parallelfor.Pool
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.On(pool))
}

// A loop takes its length from a view, and is given one besides.
func twoLengths() {
	a, b := array.New[int](100, safety.Named("a")), array.New[int](100, safety.Named("b"))
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.LengthOf(b.Reader()))
}

// A job that is no loop has no length.
func singleLengthOf() {
	a, c := array.New[int](100, safety.Named("a")), counter.New(safety.Named("c"))
	parallelfor.Do(add{Sum: c.ParallelWriter()}, (*add).Execute, parallelfor.LengthOf(a.Reader()))
}

// The parts of a sum need places before the loop starts, when the view has not been asked for its
// length.
func reduceLengthOf() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Reduce(-1, a.Reader(), func(r *array.Reader[int], begin, end int) (sum int) {
		for _, v := range r.Slice()[begin:end] {
			sum += v
		}
		return sum
	}, func(a, b int) int { return a + b }, parallelfor.LengthOf(a.Reader()), parallelfor.Name("sum"))
}

// The context of a loop is nil.
func nilContext() {
	a := array.New[int](100, safety.Named("a"))
	var ctx context.Context
	_ = parallelfor.ForErr(ctx, 100, a.Writer(), func(*array.Writer[int], int) error { return nil }, parallelfor.Name("try"))
}

// A loop is given no body.
func nilBody() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, a.Writer(), nil)
}

// The kind of a job is nil.
func nilKind() {
	a := array.New[int](100, safety.Named("a"))
	var backwards parallelfor.Kind[fill]
	_ = parallelfor.RunKind(context.Background(), 100, fill{Out: a.Writer()}, backwards)
}

// The Loop of a kind returns at once, so no batch would be executed.
func idleKind() {
	a := array.New[int](100, safety.Named("a"))
	_ = parallelfor.RunKind(context.Background(), 100, fill{Out: a.Writer()}, idle{})
}

// A pool is made with fewer workers than none.
func negativePool() {
	processors, reserved := 1, 2
	parallelfor.NewPool(processors - reserved)
}

// The zero value of a pool is closed.
func zeroPool() {
	var p parallelfor.Pool
	p.Close()
}

// The length of scratch memory is computed, and is negative.
func negativeScratch() {
	want, have := 99, 100
	parallelfor.Scratch[int](parallelfor.Worker{}, want-have)
}

// A histogram without bins can count nothing.
func noBins() {
	counter.NewHistogram(0, safety.Named("h"))
}

// An array is cut into rows of no elements.
func noRow() {
	a := array.New[int](100, safety.Named("a"))
	_ = array.ByRows(a.Writer(), 0)
}

// A leak mode is computed, and is none.
func noLeakMode() {
	verbosity := 1
	safety.SetLeakMode(safety.LeaksWithStacks + safety.LeakMode(verbosity))
}

// An array is cut at offsets that are not in order. Index 0 would own all up to element 70, of 50.
func fallingOffsets() {
	a := array.New[int](50, safety.Named("a"))
	offsets := array.Of([]int{0, 70, 40}, safety.Named("offsets"))
	parallelfor.For(2, spread{Out: array.ByOffsets(a.Writer(), offsets.Reader())}, (*spread).Execute)
}
