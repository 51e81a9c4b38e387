package parallelfor_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
)

// jobsOf is how many jobs the pool has run.
func jobsOf(s parallelfor.Stats) uint64 { return s.Alone + s.Shared }

// Whatever is run, and however: when it is complete its jobs and batches are counted, each once.
func TestEveryJobAndEveryBatchIsCountedOnce(t *testing.T) {
	watchdog(t)
	properties := gopter.NewProperties(parameters(300))
	properties.Property("counts grow by what was run", prop.ForAll(
		func(n, batch, workers, residents int, schedule, force bool) bool {
			pool := parallelfor.NewPool(residents)
			defer pool.Close()
			if force {
				defer handout.Force(uint64(n))()
			}
			_, batches := parallelfor.Grid(n, batch)
			opts := []parallelfor.Option{parallelfor.On(pool), parallelfor.Batch(batch), parallelfor.Workers(workers)}
			for round := range uint64(4) {
				if schedule {
					scheduleFor(n, none{}, nothing, opts...).Complete()
				} else {
					parallelfor.For(n, none{}, nothing, opts...)
				}
				s := pool.Stats()
				if jobsOf(s) != round+1 || s.Batches != (round+1)*uint64(batches) || schedule && s.Alone > 0 {
					t.Logf("round %d of %d batches: %+v", round, batches, s)
					return false
				}
			}
			return true
		},
		gen.IntRange(0, 300), gen.IntRange(-1, 20), gen.IntRange(1, 5), gen.IntRange(1, 3), gen.Bool(), gen.Bool()))
	properties.TestingRun(t)
}

func TestAShortLoopIsCountedAsAlone(t *testing.T) {
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	for range 10 {
		parallelfor.For(10, none{}, nothing, parallelfor.On(pool), parallelfor.Sequential())
	}
	s := pool.Stats()
	if parallelfor.Raced {
		require.EqualValues(t, 10, s.Shared)
		return
	}
	require.Equal(t, parallelfor.Stats{Alone: 10, Batches: 100}, s, "and no resident was started")
}

func TestJobsThatDoNotRunAreCountedWithoutBatches(t *testing.T) {
	pool := parallelfor.NewPool(2)
	on := parallelfor.On(pool)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, parallelfor.ForErr(ctx, 10, none{}, func(*none, int) error { return nil }, on), context.Canceled)
	failing := scheduleFor(5, none{}, func(_ *none, i int) { panic(i) }, on, parallelfor.Sequential())
	after := scheduleFor(5, none{}, nothing, on, parallelfor.After(failing))
	panicked(t, after.Complete)
	parallelfor.For(0, none{}, nothing, on)
	pool.Close()
	s := pool.Stats()
	require.EqualValues(t, 4, jobsOf(s))
	require.EqualValues(t, 1, s.Batches, "the one that panicked")
}

func TestABodyThatEndsItsGoroutineLosesNoCount(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	const times = 20
	for range times {
		endingOf(func() {
			parallelfor.For(8, none{}, func(_ *none, i int) {
				if i == 7 {
					runtime.Goexit()
				}
			}, parallelfor.On(pool), parallelfor.Batch(1), parallelfor.Workers(2))
		})
	}
	pool.Close()
	s := pool.Stats()
	require.EqualValues(t, times, jobsOf(s))
	require.EqualValues(t, 8*times, s.Batches)
}

// Two workers, of whom one is kept busy by the first batch: the other steals what is behind it.
func TestStealsAreCounted(t *testing.T) {
	watchdog(t)
	if parallelfor.Raced {
		t.Skip("batches have goroutines of their own, and nobody steals")
	}
	pool := parallelfor.NewPool(2)
	for _, schedule := range []bool{false, true} {
		before := pool.Stats().Steals
		var left atomic.Int32
		left.Store(15)
		body := func(_ *none, i int) {
			if i > 0 {
				left.Add(-1)
				return
			}
			spin(t, "the others to be stolen", func() bool { return left.Load() == 0 })
		}
		opts := []parallelfor.Option{parallelfor.On(pool), parallelfor.Batch(1), parallelfor.Workers(2)}
		if schedule {
			scheduleFor(16, none{}, body, opts...).Complete()
		} else {
			parallelfor.For(16, none{}, body, opts...)
		}
		require.Zero(t, left.Load())
		require.Greater(t, pool.Stats().Steals, before)
	}
	before := pool.Stats()
	pool.Close()
	after := pool.Stats()
	require.Zero(t, after.Workers)
	require.Equal(t, before.Batches, after.Batches, "what residents counted outlives them")
	require.Equal(t, before.Steals, after.Steals)
}

func TestParksAndWakesAreCounted(t *testing.T) {
	watchdog(t)
	if parallelfor.Raced {
		t.Skip("batches have goroutines of their own")
	}
	pool := parallelfor.NewPool(1)
	both := func() {
		b := newBarrier(2)
		scheduleFor(2, none{}, func(*none, int) { b.wait() }, parallelfor.On(pool), parallelfor.Workers(2), parallelfor.Batch(1)).Complete()
	}
	asleep := func() bool {
		idle, _ := parallelfor.IdleWorkers(pool)
		return idle == 1
	}
	both()
	spin(t, "the resident to sleep", asleep)
	s := pool.Stats()
	require.Equal(t, 1, s.Workers)
	require.Positive(t, s.Parks)
	require.EqualValues(t, s.Parks-1, s.Wakes, "it sleeps")
	both()
	spin(t, "the resident to sleep again", asleep)
	again := pool.Stats()
	require.Greater(t, again.Parks, s.Parks)
	require.EqualValues(t, again.Parks-1, again.Wakes)
	pool.Close()
	require.Equal(t, again.Wakes+1, pool.Stats().Wakes, "to end")
}

// A resident that looks for work is given some.
func TestOffersAreCounted(t *testing.T) {
	watchdog(t)
	if parallelfor.Raced || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("nobody looks for work")
	}
	pool := parallelfor.NewPool(1)
	defer pool.Close()
	spin(t, "an offer to be taken", func() bool {
		for range 50 {
			b := newBarrier(2)
			parallelfor.For(2, none{}, func(*none, int) { b.wait() }, parallelfor.On(pool), parallelfor.Workers(2), parallelfor.Batch(1))
		}
		return pool.Stats().Offers > 0
	})
}

// The word that jobs and batches are counted in is emptied before it runs over.
func TestCountsDoNotRunOver(t *testing.T) {
	if parallelfor.Raced {
		t.Skip("every job is shared")
	}
	for _, c := range []struct{ jobs, batches uint64 }{{1<<23 - 1, 5}, {5, 1<<39 - 1}, {1<<24 - 2, 1<<40 - 5}} {
		pool := parallelfor.NewPool(1)
		parallelfor.FillCounts(pool, c.jobs, c.batches)
		for range uint64(3) {
			parallelfor.For(2, none{}, nothing, parallelfor.On(pool), parallelfor.Sequential())
			c.jobs, c.batches = c.jobs+1, c.batches+2
			if c.jobs == 1<<24-1 {
				break // there is room for one more, and it is what empties it
			}
		}
		s := pool.Stats()
		require.Equal(t, c.jobs, s.Alone)
		require.Equal(t, c.batches, s.Batches)
		pool.Close()
	}
}

func TestTheDefaultPoolCountsToo(t *testing.T) {
	before := parallelfor.PoolStats()
	parallelfor.For(10, none{}, nothing, parallelfor.Batch(5))
	after := parallelfor.PoolStats()
	require.GreaterOrEqual(t, jobsOf(after), jobsOf(before)+1)
	require.GreaterOrEqual(t, after.Batches, before.Batches+2)
}

// Stats may be asked for at any time.
func TestStatsBesideRunningJobs(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		var last parallelfor.Stats
		for {
			s := pool.Stats()
			if s.Batches < last.Batches || jobsOf(s) < jobsOf(last) || s.Steals < last.Steals || s.Parks < last.Parks {
				t.Errorf("counts fell from %+v to %+v", last, s)
			}
			last = s
			select {
			case <-stop:
				return
			default:
				runtime.Gosched()
			}
		}
	}()
	for range rounds(200) {
		deep(3, new(atomic.Int32), parallelfor.On(pool), parallelfor.Workers(3), parallelfor.Batch(1))
	}
	close(stop)
	<-done
	pool.Close()
}
