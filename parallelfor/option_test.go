package parallelfor_test

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestOptionsWithoutMeaningAreViolations(t *testing.T) {
	for name, c := range map[string]struct {
		option parallelfor.Option
		n      int
	}{
		"batch below -1":     {parallelfor.Batch(-2), -2},
		"no workers":         {parallelfor.Workers(0), 0},
		"workers below zero": {parallelfor.Workers(-1), -1},
		"nil pool":           {parallelfor.On(nil), 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := numbers(4)
			v := violation(t, safety.ErrArgument, func() { parallelfor.For(4, a.Writer(), nothing, c.option) })
			require.Equal(t, c.n, v.N)
			a.Set(0, 1)
			parallelfor.For(4, a.Writer(), nothing, parallelfor.Option{})
		})
	}
}

func TestBodiesThatBlockRunOnAsManyWorkersAsWereAskedFor(t *testing.T) {
	watchdog(t)
	for _, workers := range []int{1, 2, 3, runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(0) + 1, 16, 64} {
		for _, forced := range []bool{false, true} {
			stop := func() {}
			if forced {
				stop = handout.Force(uint64(workers))
			}
			b := newBarrier(workers)
			var short atomic.Int32
			var seen crew
			parallelfor.For(workers, lastWhile{}, func(v *lastWhile, _ int) {
				if !b.wait() {
					short.Add(1)
				}
				seen[v.Worker.Index()].Add(1)
				if v.Worker.Workers() != workers {
					short.Add(1)
				}
			}, parallelfor.Workers(workers), parallelfor.Batch(1))
			stop()
			require.Zero(t, short.Load(), "%d workers", workers)
			require.Equal(t, workers, seen.size(), "each index at most once among those that run together")
		}
	}
}

func TestWorkerIndicesAreUniqueAmongThoseThatRunTogether(t *testing.T) {
	watchdog(t)
	for range rounds(30) {
		var here crew
		var bad atomic.Int32
		parallelfor.For(300, lastWhile{}, func(v *lastWhile, _ int) {
			w := v.Worker.Index()
			if w < 0 || w >= 5 || here[w].Add(1) != 1 {
				bad.Add(1)
			}
			runtime.Gosched()
			here[w].Add(-1)
		}, parallelfor.Workers(5), parallelfor.Batch(3))
		require.Zero(t, bad.Load())
	}
}

func TestNoMoreThanTheGivenWorkersRun(t *testing.T) {
	watchdog(t)
	var now, most atomic.Int32
	parallelfor.For(200, none{}, func(*none, int) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(10 * time.Microsecond)
		now.Add(-1)
	}, parallelfor.Workers(3), parallelfor.Batch(1))
	require.LessOrEqual(t, most.Load(), int32(3))
}

func TestTheZeroWorkerIsWorkerZeroOfOne(t *testing.T) {
	var w parallelfor.Worker
	require.Equal(t, []int{0, 1}, []int{w.Index(), w.Workers()})
	require.Equal(t, w.Rand(1, 2).Uint64(), w.Rand(1, 2).Uint64())
}

func TestRandomNumbersDependOnSeedAndIndexAlone(t *testing.T) {
	const n = 200
	draw := func(opts ...parallelfor.Option) []int {
		out := array.New[int](n)
		type views struct {
			Out array.Writer[int]
			W   parallelfor.Worker
		}
		parallelfor.For(n, views{Out: out.Writer()}, func(v *views, i int) {
			r := v.W.Rand(42, i)
			v.Out.Set(i, int(r.Uint64()^r.Uint64()))
		}, opts...)
		return values(out)
	}
	want := draw(parallelfor.Sequential())
	var outside parallelfor.Worker
	for i, v := range want {
		r := outside.Rand(42, i)
		require.Equal(t, int(r.Uint64()^r.Uint64()), v)
	}
	defer handout.Force(5)()
	require.Equal(t, want, draw(parallelfor.Workers(7), parallelfor.Batch(3)))
}

func TestSequentialRunsBatchesInOrderOnOneWorker(t *testing.T) {
	var next atomic.Int64
	parallelfor.ForBatch(100, lastWhile{}, func(v *lastWhile, begin, end int) {
		if !next.CompareAndSwap(int64(begin), int64(end)) || v.Worker.Workers() != 1 {
			panic(fmt.Sprint(begin, next.Load()))
		}
	}, parallelfor.Sequential(), parallelfor.Batch(7), parallelfor.Workers(4))
	require.EqualValues(t, 100, next.Load())
}

func TestGOMAXPROCSChangedWhileLoopsRun(t *testing.T) {
	watchdog(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	stop := make(chan struct{})
	var changer sync.WaitGroup
	changer.Go(func() {
		for k := 0; ; k++ {
			select {
			case <-stop:
				return
			default:
				runtime.GOMAXPROCS(1 + k%5)
				time.Sleep(100 * time.Microsecond)
			}
		}
	})
	for range rounds(100) {
		a := array.New[int](2000)
		parallelfor.For(2000, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) }, parallelfor.Batch(50))
		require.Equal(t, 1999, a.At(1999))
		deep(3, new(atomic.Int32))
	}
	close(stop)
	changer.Wait()
}

func TestOneJobValueIsScheduledAgainAndAgain(t *testing.T) {
	watchdog(t)
	a := array.New[int](30)
	job := indexJob{a.Writer()}
	var h parallelfor.Handle
	for range 50 {
		parallelfor.For(30, job, (*indexJob).Execute)
		h = parallelfor.Schedule(30, job, (*indexJob).Execute, parallelfor.After(h))
		h.Complete()
	}
	require.Equal(t, 100*30, a.At(29))
}

func TestOneJobTypeIsScheduledFromManyGoroutines(t *testing.T) {
	watchdog(t)
	shared := numbers(100)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			mine := array.New[int](100)
			for range rounds(100) {
				parallelfor.ForBatch(100, sumJob{shared.Reader(), mine.Writer()}, (*sumJob).ExecuteBatch)
			}
			if mine.At(99) != rounds(100)*99 {
				panic("a run was lost")
			}
		})
	}
	all.Wait()
	shared.Set(0, 1)
}

// sumJob adds.
type sumJob struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (j *sumJob) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.Out.Set(i, j.Out.At(i)+j.In.At(i))
	}
}

func TestARunAllocatesNothingInSteadyState(t *testing.T) {
	if safety.Strict {
		t.Skip("strict builds use no copy of a job again")
	}
	in, out := numbers(10_000), array.New[int](10_000)
	job := sumJob{in.Reader(), out.Writer()}
	other := sumJob{numbers(500).Reader(), array.New[int](500).Writer()}
	pool, small := parallelfor.NewPool(2), parallelfor.NewPool(1)
	defer pool.Close()
	defer small.Close()
	double := func(w *array.Writer[int], i int) { w.Set(i, 2*w.At(i)) }
	for name, run := range map[string]func(){
		"a struct job": func() { parallelfor.ForBatch(10_000, job, (*sumJob).ExecuteBatch) },
		"few workers": func() {
			parallelfor.ForBatch(10_000, job, (*sumJob).ExecuteBatch, parallelfor.Workers(2), parallelfor.Batch(100), parallelfor.Name("x"))
		},
		"sequential": func() { parallelfor.ForBatch(10_000, job, (*sumJob).ExecuteBatch, parallelfor.Sequential()) },
		"two pools in turn": func() {
			parallelfor.ForBatch(10_000, job, (*sumJob).ExecuteBatch, parallelfor.On(pool))
			parallelfor.ForBatch(10_000, job, (*sumJob).ExecuteBatch, parallelfor.On(small))
		},
		"two pairs of arrays in turn": func() {
			parallelfor.ForBatch(10_000, job, (*sumJob).ExecuteBatch)
			parallelfor.ForBatch(500, other, (*sumJob).ExecuteBatch)
		},
		"a body without captures": func() { parallelfor.For(10_000, out.Writer(), double) },
		"a single job":            func() { parallelfor.Do(singleJob{out.Writer()}, (*singleJob).Execute) },
		"an empty loop":           func() { parallelfor.ForBatch(0, job, (*sumJob).ExecuteBatch) },
		"nobody to help":          func() { parallelfor.ForBatch(10_000, job, (*sumJob).ExecuteBatch, parallelfor.Batch(-1)) },
	} {
		for range 20 {
			run()
		}
		require.Zero(t, allocations(200, run), name)
	}
}

// allocations returns how often run allocates, on all processors: testing.AllocsPerRun leaves one.
func allocations(times int, run func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		run()
	}
	runtime.ReadMemStats(&after)
	return int(after.Mallocs-before.Mallocs) / times
}

// What is wrong with an option, a length or a pool is said of the job that has it, by the name that
// it would have had.
func TestRefusedArgumentsNameTheJob(t *testing.T) {
	pool := parallelfor.NewPool(1)
	pool.Close()
	first, second := parallelfor.Name("first"), parallelfor.Name("second")
	for want, refused := range map[string]func(){
		"job second was scheduled with Batch(-2)":             func() { run(5, first, parallelfor.Batch(-2), second) },
		"job first was scheduled with Workers(0)":             func() { run(5, first, parallelfor.Workers(0)) },
		"job wanting was scheduled with On(nil)":              func() { run(5, parallelfor.Name(""), parallelfor.On(nil)) },
		"job wanting was scheduled with -1 indices":           func() { run(-1) },
		"job first was scheduled on a pool that was closed":   func() { run(5, first, parallelfor.On(pool)) },
		"job first was scheduled on a pool that NewPool did":  func() { run(5, first, parallelfor.On(new(parallelfor.Pool))) },
		"job wanting was scheduled with Batch(1), which cuts": func() { run(math.MaxInt, parallelfor.Batch(1)) },
	} {
		if strings.Contains(want, "cuts") && strconv.IntSize == 32 {
			continue // there are not so many indices
		}
		kind := safety.ErrArgument
		switch {
		case strings.Contains(want, "pool"):
			kind = safety.ErrClosed
		case strings.Contains(want, "indices"):
			kind = safety.ErrLength
		}
		v := violation(t, kind, refused)
		require.Contains(t, v.Error(), want)
		require.Contains(t, want, "job "+v.Job+" was")
	}
}

// wanting is a job that wants nothing.
type wanting struct{}

func (*wanting) Execute(int) {}

func run(n int, opts ...parallelfor.Option) {
	parallelfor.For(n, wanting{}, (*wanting).Execute, opts...)
}
