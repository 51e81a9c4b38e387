package counter_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// evens is a job that counts its even indices.
type evens struct{ Count counter.ParallelWriter }

// evensAndMore has an output besides, which it leaves alone.
type evensAndMore struct {
	evens
	Out array.Writer[int]
}

func (e *evens) Execute(i int) {
	if i%2 == 0 {
		e.Count.Inc()
	}
}

// bump is a single job that adds one, twice.
type bump struct{ Count counter.ParallelWriter }

func (b *bump) Execute() {
	b.Count.Inc()
	b.Count.Inc()
}

func TestAMillionIterationsAtBatchOneCountHalfAMillion(t *testing.T) {
	n := 1_000_000
	if safety.Strict || testing.Short() {
		n = 10_000 // a goroutine or a check for each
	}
	c := counter.New()
	parallelfor.For(n, evens{c.ParallelWriter()}, (*evens).Execute, parallelfor.Batch(1))
	require.EqualValues(t, n/2, c.Value())
}

func TestAPresetCountIsAddedTo(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		stop := handout.Force(uint64(workers))
		c := counter.New()
		c.Set(42)
		parallelfor.For(1000, evens{c.ParallelWriter()}, (*evens).Execute, parallelfor.Workers(workers))
		stop()
		require.EqualValues(t, 542, c.Value(), workers)
	}
}

func TestIncrementsBetweenTwoSets(t *testing.T) {
	c := counter.New()
	require.Zero(t, c.Value(), "starts at 0")
	c.Set(42)
	require.EqualValues(t, 42, c.Value())
	c.Set(40)
	c.Inc()
	c.Inc()
	require.EqualValues(t, 42, c.Value(), "by the owner")
	c.Set(40)
	parallelfor.Do(bump{c.ParallelWriter()}, (*bump).Execute)
	require.EqualValues(t, 42, c.Value(), "by a single job's view")
	c.Set(40)
	parallelfor.For(4, evens{c.ParallelWriter()}, (*evens).Execute)
	require.EqualValues(t, 42, c.Value(), "by a loop's view")
}

func TestWritersOfAHistogramHaveTheBinsOfTheBatch(t *testing.T) {
	h := counter.NewHistogram(4)
	parallelfor.For(4, h.Writer(), func(w *counter.HistogramWriter, i int) { w.Add(i, int64(i)) })
	require.Equal(t, []int64{0, 1, 2, 3}, h.Counts(nil))
}

// Adds of any goroutine beside the lanes of a job, and beside changes of GOMAXPROCS, are all there.
func TestNoAddIsLostBesideAJobAndChangesOfGOMAXPROCS(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const rounds, n, beside = 20, 5000, 2000
	c := counter.New()
	data := array.New[int](n)
	for r := range rounds {
		h := parallelfor.Schedule(n, evensAndMore{evens{c.ParallelWriter()}, data.Writer()}, (*evensAndMore).Execute, parallelfor.Workers(1+r%5))
		done := make(chan struct{})
		for range 3 {
			go func() {
				for range beside {
					c.Inc()
				}
				done <- struct{}{}
			}()
		}
		runtime.GOMAXPROCS(1 + r%4)
		for range 3 {
			<-done
		}
		h.Complete()
	}
	require.EqualValues(t, rounds*(n/2+3*beside), c.Value())
}

// Every view of a histogram that has a Len can be asked for it before a loop starts.
func TestTheLengthOfALoopIsThatOfAnyViewOfAHistogram(t *testing.T) {
	h := counter.NewHistogram(10)
	parallelfor.For(-1, h.ParallelWriter(), func(w *counter.HistogramParallelWriter, i int) { w.Add(i, 1) }, parallelfor.LengthOf(h.ParallelWriter()))
	parallelfor.For(-1, h.Writer(), func(w *counter.HistogramWriter, i int) { w.Add(i, 1) }, parallelfor.LengthOf(h.Writer()))
	parallelfor.For(-1, h.Reader(), func(r *counter.HistogramReader, i int) { r.At(i) }, parallelfor.LengthOf(h.Reader()))
	require.EqualValues(t, 20, h.Total())
}
