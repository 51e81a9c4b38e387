package counter_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// Every worker adds to a lane of its own; the loop's sum is in the counter when the loop is done.
func ExampleParallelWriter() {
	c := counter.New()
	c.Set(42)
	parallelfor.For(1000, c.ParallelWriter(), func(w *counter.ParallelWriter, i int) { w.IncIf(i%2 == 0) })
	fmt.Println(c.Value())
	// Output: 542
}

// Any number of jobs may read a counter that no job changes.
func ExampleReader() {
	c, below := counter.New(), counter.New()
	c.Set(10)
	type views struct {
		Limit counter.Reader
		Below counter.ParallelWriter
	}
	parallelfor.For(100, views{Limit: c.Reader(), Below: below.ParallelWriter()}, func(v *views, i int) {
		v.Below.IncIf(int64(i) < v.Limit.Value())
	})
	fmt.Println(below.Value())
	// Output: 10
}

// The bytes of a text are the bins.
func ExampleCountAll() {
	text := array.Of([]byte("the bytes of a text"))
	type views struct {
		Text   array.Reader[byte]
		Counts counter.HistogramParallelWriter
	}
	counts := counter.NewHistogram(256)
	parallelfor.ForBatch(text.Len(), views{text.Reader(), counts.ParallelWriter()}, func(v *views, begin, end int) {
		counter.CountAll(&v.Counts, v.Text.Slice()[begin:end])
	})
	fmt.Println(counts.At('t'), counts.At(' '))
	// Output: 4 4
}

// A sum of floats is folded batch by batch: the same bits at any number of workers.
func ExampleSumParallelWriter() {
	s := counter.NewSum[float64]()
	parallelfor.ForBatch(1000, s.ParallelWriter(), func(w *counter.SumParallelWriter[float64], begin, end int) {
		part := 0.0
		for i := begin; i < end; i++ {
			part += float64(i)
		}
		w.Add(part)
	})
	fmt.Println(s.Value())
	// Output: 499500
}

func ExampleSumReader() {
	s := counter.NewSum[int]()
	s.Add(7)
	parallelfor.Do(s.Reader(), func(r *counter.SumReader[int]) { fmt.Println(r.Value()) })
	// Output: 7
}

// The smallest and the largest of what the batches of a loop observe.
func ExampleExtremumParallelWriter() {
	type views struct {
		Low, High counter.ExtremumParallelWriter[int]
	}
	low, high := counter.NewMin[int](), counter.NewMax[int]()
	parallelfor.For(100, views{Low: low.ParallelWriter(), High: high.ParallelWriter()}, func(v *views, i int) {
		v.Low.Observe((i - 50) * i)
		v.High.Observe((50 - i) * i)
	})
	fmt.Println(low.Value())
	fmt.Println(high.Value())
	// Output:
	// -625 true
	// 625 true
}

func ExampleExtremumReader() {
	high := counter.NewMax[int]()
	high.Observe(3)
	parallelfor.Do(high.Reader(), func(r *counter.ExtremumReader[int]) { fmt.Println(r.Value()) })
	// Output: 3 true
}

// Every worker counts in bins of its own.
func ExampleHistogramParallelWriter() {
	h := counter.NewHistogram(3)
	parallelfor.For(100, h.ParallelWriter(), func(w *counter.HistogramParallelWriter, i int) { w.Add(i%3, 1) })
	fmt.Println(h.Counts(nil))
	// Output: [34 33 33]
}

// A loop over the bins owns those of its indices.
func ExampleHistogramWriter() {
	h := counter.NewHistogram(4)
	parallelfor.For(h.Len(), h.Writer(), func(w *counter.HistogramWriter, i int) { w.Set(i, int64(i*i)) })
	fmt.Println(h.Counts(nil))
	// Output: [0 1 4 9]
}

func ExampleHistogramReader() {
	h := counter.NewHistogram(2)
	h.Add(1, 5)
	parallelfor.Do(h.Reader(), func(r *counter.HistogramReader) { fmt.Println(r.At(0), r.At(1)) })
	// Output: 0 5
}
