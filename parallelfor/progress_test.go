package parallelfor_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
)

// progress notes what it is told, in plain memory: calls are ordered.
type progress struct {
	done  []int
	total int
}

func (p *progress) option() parallelfor.Option {
	return parallelfor.Progress(func(done, total int) {
		p.done = append(p.done, done)
		p.total = total
	})
}

func (p *progress) grows() bool {
	for i := range p.done {
		if i > 0 && p.done[i] <= p.done[i-1] {
			return false
		}
	}
	return true
}

func TestProgressEndsWithTheTotal(t *testing.T) {
	watchdog(t)
	properties := gopter.NewProperties(parameters(200))
	properties.Property("once, at the end", prop.ForAll(
		func(n, batch, workers int, schedule, force bool) bool {
			if force {
				defer handout.Force(uint64(n))()
			}
			var p progress
			var ran atomic.Int32
			body := func(*none, int) { ran.Add(1) }
			opts := []parallelfor.Option{p.option(), parallelfor.Batch(batch), parallelfor.Workers(workers)}
			if schedule {
				scheduleFor(n, none{}, body, opts...).Complete()
			} else {
				parallelfor.For(n, none{}, body, opts...)
			}
			return len(p.done) > 0 && p.grows() && p.done[len(p.done)-1] == n && p.total == n && int(ran.Load()) == n
		},
		gen.IntRange(0, 100), gen.IntRange(-1, 20), gen.IntRange(1, 5), gen.Bool(), gen.Bool()))
	properties.TestingRun(t)

	var p progress
	parallelfor.Do(none{}, func(*none) {}, p.option())
	require.Equal(t, progress{[]int{1}, 1}, p, "a single job")
	parallelfor.For(3, none{}, nothing, parallelfor.Progress(nil))
}

// A loop that takes a while tells how far it is, not too often, and never twice at a time.
func TestProgressWhileTheLoopRuns(t *testing.T) {
	watchdog(t)
	for _, workers := range []int{1, 3} {
		var p progress
		var inside atomic.Int32
		start := time.Now()
		parallelfor.For(400, none{}, func(*none, int) { time.Sleep(500 * time.Microsecond * time.Duration(workers)) },
			parallelfor.Batch(1), parallelfor.Workers(workers),
			parallelfor.Progress(func(done, total int) {
				if inside.Add(1) != 1 {
					t.Error("called twice at a time")
				}
				p.done = append(p.done, done)
				time.Sleep(time.Millisecond)
				inside.Add(-1)
			}))
		took := time.Since(start)
		require.Greater(t, len(p.done), 1, "it took %v", took)
		require.True(t, p.grows(), p.done)
		require.LessOrEqual(t, len(p.done), int(took/(50*time.Millisecond))+1, "it took %v", took)
		require.Equal(t, 400, p.done[len(p.done)-1])
	}
}

// Loops of cheap batches, for which the clock is read seldom, tell how far they are too.
func TestProgressOfCheapBatches(t *testing.T) {
	watchdog(t)
	if parallelfor.Raced {
		t.Skip("no batch is cheap that has a goroutine of its own")
	}
	var p progress
	var word atomic.Int32
	for n := 1 << 21; len(p.done) < 2 && n < 1<<30; n *= 2 {
		p = progress{}
		parallelfor.For(n, none{}, func(*none, int) {
			for range 30 {
				word.Load()
			}
		}, parallelfor.Batch(1), p.option())
		require.True(t, p.grows(), p.done)
		require.Equal(t, n, p.done[len(p.done)-1])
	}
	require.Greater(t, len(p.done), 1)
}

func TestNoLastReportOfAJobThatDidNotEnd(t *testing.T) {
	told := func(run func(o parallelfor.Option)) []int {
		var p progress
		run(p.option())
		return p.done
	}
	require.Empty(t, told(func(o parallelfor.Option) {
		panicked(t, func() { parallelfor.For(10, none{}, func(_ *none, i int) { panic(i) }, o) })
	}))
	require.Empty(t, told(func(o parallelfor.Option) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		require.Error(t, parallelfor.ForErr(ctx, 10, none{}, func(*none, int) error { return nil }, o))
	}))
	require.Empty(t, told(func(o parallelfor.Option) {
		failing := scheduleFor(1, none{}, func(*none, int) { panic(1) })
		h := scheduleFor(10, none{}, nothing, o, parallelfor.After(failing))
		panicked(t, h.Complete)
	}))
}

// What the function fails with is the job's failure, at the end as before.
func TestAFailureOfProgressIsTheJobs(t *testing.T) {
	watchdog(t)
	wrong := errors.New("wrong")
	for name, c := range map[string]struct {
		n     int
		fails func(done, total int) bool
	}{
		"at the end":          {10, func(done, total int) bool { return done == total }},
		"of an empty job":     {0, func(int, int) bool { return true }},
		"while the loop runs": {300, func(done, total int) bool { return done < total }},
		"again and again":     {300, func(int, int) bool { return true }},
	} {
		t.Run(name, func(t *testing.T) {
			var ran atomic.Int32
			out := array.New[int](c.n)
			run := func(fail func()) {
				ran.Store(0)
				parallelfor.For(c.n, out.Writer(), func(_ *array.Writer[int], i int) {
					ran.Add(1)
					time.Sleep(time.Millisecond)
				}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.Progress(func(done, total int) {
					if c.fails(done, total) {
						fail()
					}
				}))
			}
			p := panicked(t, func() { run(func() { panic(wrong) }) })
			require.ErrorIs(t, p, wrong)
			require.Contains(t, string(p.Stack), "TestAFailureOfProgressIsTheJobs")
			if c.n == 300 {
				require.Less(t, ran.Load(), int32(300), "batches above are not executed")
			}
			e := endingOf(func() { run(runtime.Goexit) })
			require.True(t, e.goexit, "%v", e)
			if c.n > 0 {
				out.Set(0, 1) // custody has come back
			}
		})
	}
}

// The function sees what its calls before did, and the goroutine that completes the job sees what
// they all did.
func TestProgressIsOrderedWithTheCompletion(t *testing.T) {
	watchdog(t)
	for range rounds(20) {
		told := 0
		h := scheduleFor(40, none{}, nothing, parallelfor.Batch(1), parallelfor.Workers(4), parallelfor.Progress(func(done, total int) { told = done }))
		h.Complete()
		require.Equal(t, 40, told)
	}
}

// A nested loop has its own progress.
func TestProgressOfNestedLoops(t *testing.T) {
	watchdog(t)
	var inner atomic.Int32
	var p progress
	parallelfor.For(5, none{}, func(*none, int) {
		parallelfor.For(3, none{}, nothing, parallelfor.Progress(func(done, total int) {
			if done == 3 && total == 3 {
				inner.Add(1)
			}
		}))
	}, p.option())
	require.EqualValues(t, 5, inner.Load())
	require.Equal(t, 5, p.done[len(p.done)-1])
}

// A job that is observed may begin when there are fewer processors than when it was scheduled.
func TestProgressWithFewerProcessors(t *testing.T) {
	watchdog(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	begin := make(chan struct{})
	first := parallelfor.Go(struct{}{}, func(*struct{}) { <-begin })
	last := 0
	h := parallelfor.Schedule(8, struct{}{}, func(*struct{}, int) {}, parallelfor.Batch(1), parallelfor.After(first),
		parallelfor.Progress(func(done, _ int) { last = done }))
	runtime.GOMAXPROCS(1)
	close(begin)
	h.Complete()
	require.Equal(t, 8, last)
}
