package tally

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// The suite's goroutines use the counter under a lock of theirs, as they would an int64.
func TestCounter(t *testing.T) {
	fuzz.Counter(t, func() fuzz.CounterOf {
		c := New()
		var mu sync.Mutex
		locked := func(do func()) { mu.Lock(); defer mu.Unlock(); do() }
		return fuzz.CounterOf{
			Add:     func(d int64) { locked(func() { c.Add(d) }) },
			Value:   func() (v int64) { locked(func() { v = c.Value() }); return v },
			Set:     func(v int64) { locked(func() { c.Set(v) }) },
			Reset:   func() { locked(func() { c.Set(0) }) },
			Swap:    func(v int64) (was int64) { locked(func() { was = c.Value(); c.Set(v) }); return was },
			Dispose: c.Dispose,
		}
	})
}

var errIndex = errors.New("this index fails")

// adding is a job that adds by every view that may be in a parallel loop, and in loops of its own.
type adding struct {
	Plain, Same ParallelWriter
	Hot         Atomic
	Fail        int
}

func (a *adding) Execute(i int) error {
	a.Plain.Add(int64(i))
	a.Hot.Add(int64(i))
	if i%5 == 0 {
		a.Same.Inc()
	}
	if i%7 == 0 {
		parallelfor.For(i%11, a.Same, func(w *ParallelWriter, k int) { w.Add(int64(1000 * k)) }, parallelfor.Batch(2))
		parallelfor.For(i%3, a.Hot, func(w *Atomic, k int) { w.Inc() }, parallelfor.Batch(1))
	}
	if i == a.Fail {
		return errIndex
	}
	a.Plain.Inc()
	return nil
}

// left is what is left of two counters by a job, and by one that reads both, and another that has
// one as its own.
type left struct {
	Plain, Sum, Hot int64
	Failed          bool
}

type summing struct {
	From Reader
	To   Writer
}

func (s *summing) Execute() { s.To.Set(2*s.To.Value() + s.From.Value()); s.To.Add(1); s.To.Inc() }

func leaves(n, fail int, opts ...parallelfor.Option) (l left) {
	plain, hot, sum := New(), New(), New()
	plain.Add(100)
	job := adding{Plain: plain.ParallelWriter(), Same: plain.ParallelWriter(), Hot: hot.Atomic(), Fail: fail}
	h := parallelfor.ScheduleErr(context.Background(), n, job, (*adding).Execute, opts...)
	if fail < 0 {
		parallelfor.ScheduleDo(summing{From: plain.Reader(), To: sum.Writer()}, (*summing).Execute, parallelfor.After(h)).Complete()
		l.Hot = hot.Value()
	}
	h.Complete()
	l.Plain, l.Sum, l.Failed = plain.Value(), sum.Value(), h.Err() != nil
	return l
}

func TestLoopsLeaveWhatTheSequentialOneDoes(t *testing.T) {
	for _, n := range []int{0, 1, 2, 50, 301} {
		for _, fail := range []int{-1, 0, n / 2, n - 1} {
			for _, batch := range []int{-1, 0, 1, 3, 8, 64} {
				want := leaves(n, fail, parallelfor.Batch(batch), parallelfor.Sequential())
				for _, workers := range []int{1, 2, 8} {
					stop := fuzz.HandOut(uint64(n + workers))
					got := leaves(n, fail, parallelfor.Batch(batch), parallelfor.Workers(workers))
					stop()
					require.Equal(t, want, got, "n %d, fail %d, batch %d, %d workers", n, fail, batch, workers)
				}
			}
		}
	}
}

func TestACancelledLoopAddsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := New()
	err := parallelfor.ForErr(ctx, 100, c.ParallelWriter(), func(w *ParallelWriter, i int) error {
		w.Inc()
		cancel()
		return nil
	}, parallelfor.Batch(1))
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, c.Value())
}

func TestJobsThatShareNeedNoOrder(t *testing.T) {
	c := New()
	var handles []parallelfor.Handle
	for range 4 {
		handles = append(handles, parallelfor.Schedule(1000, hot{To: c.Atomic()}, (*hot).Execute, parallelfor.Batch(8)))
	}
	parallelfor.Combine(handles...).Complete()
	require.EqualValues(t, 4000, c.Value())
}

type hot struct{ To Atomic }

func (h *hot) Execute(int) { h.To.Inc() }

type cold struct{ To ParallelWriter }

func (c *cold) Execute(int) { c.To.Inc() }

func TestFromTheSecondLoopOnNothingIsAllocated(t *testing.T) {
	if safety.Strict {
		t.Skip("strict builds make a copy of the job for each batch")
	}
	c := New()
	for _, do := range []func(){
		func() { parallelfor.For(1000, cold{To: c.ParallelWriter()}, (*cold).Execute, parallelfor.Batch(8)) },
		func() { parallelfor.For(1000, hot{To: c.Atomic()}, (*hot).Execute, parallelfor.Batch(8)) },
	} {
		do()
		require.Zero(t, testing.AllocsPerRun(100, do))
	}
}

func TestAWriterMayBeInALoopOnOneWorker(t *testing.T) {
	c := New()
	parallelfor.For(100, c.Writer(), func(w *Writer, i int) { w.Add(int64(i)) }, parallelfor.Batch(-1))
	require.EqualValues(t, 4950, c.Value())
	require.False(t, c.Disposed())
	c.Dispose()
	require.True(t, c.Disposed())
}

func TestViewsOfNoCounterClaimNothing(t *testing.T) {
	var none *Counter
	r, w, a, p := none.Reader(), none.Writer(), none.Atomic(), none.ParallelWriter()
	for _, v := range []safety.View{&r, &w, &a, &p} {
		var job safety.Ticket
		job.ClaimOf(safety.FieldOf(v, ""))
		require.Nil(t, job.Claimed(0).Guard)
	}
}

// Also where nothing is checked a view that is not bound adds to nothing.
func TestViewsOutsideOfJobsAreStale(t *testing.T) {
	c := New()
	c.Inc()
	r, w, a, p := c.Reader(), c.Writer(), c.Atomic(), c.ParallelWriter()
	for name, use := range map[string]func(){
		"read": func() { r.Value() }, "own": func() { w.Set(1) }, "increment": w.Inc, "share": func() { a.Add(1) }, "share one": a.Inc,
		"append": func() { p.Add(1) }, "append one": p.Inc,
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				require.ErrorIs(t, err, safety.ErrStaleView, name)
			}()
			use()
		}()
	}
	require.EqualValues(t, 1, c.Value())
}
