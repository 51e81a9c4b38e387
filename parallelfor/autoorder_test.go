package parallelfor_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// note is a job that appends its number to two logs, of which it may skip one.
type note struct {
	ID   int
	Logs []appender[int]
}

func (n *note) Execute() {
	for i := range n.Logs {
		n.Logs[i].Append(n.ID)
	}
}

// Of two jobs that two goroutines schedule one comes first, and it does so in every container of
// both.
func TestAutoOrderFromManyGoroutinesIsOneOrder(t *testing.T) {
	watchdog(t)
	for round := range rounds(60) {
		logs := []*journal[int]{newJournal[int](), newJournal[int](), newJournal[int]()}
		const each = 10
		var all sync.WaitGroup
		for g := range 4 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(round), uint64(g)))
				var handles []parallelfor.Handle
				for k := range each {
					n := note{ID: g*each + k}
					skip := r.IntN(len(logs) + 1)
					for i, l := range logs {
						if i != skip {
							n.Logs = append(n.Logs, l.Appender())
						}
					}
					slices.Reverse(n.Logs[:1+k%len(n.Logs)]) // the ledger's order is its own
					if k%3 == 0 {
						parallelfor.Do(n, (*note).Execute, parallelfor.AutoOrder())
						continue
					}
					handles = append(handles, parallelfor.ScheduleDo(n, (*note).Execute, parallelfor.AutoOrder()))
				}
				r.Shuffle(len(handles), func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
				for _, h := range handles {
					h.Complete()
				}
			})
		}
		all.Wait()
		place := map[[2]int]int{} // of a pair of jobs, which was first: 1 the first of the pair, -1 the other
		for _, l := range logs {
			items := l.Items()
			for i, a := range items {
				for _, b := range items[i+1:] {
					require.NotEqual(t, a, b, "a job ran twice")
					first, pair := 1, [2]int{a, b}
					if a > b {
						first, pair = -1, [2]int{b, a}
					}
					if was, known := place[pair]; known {
						require.Equal(t, was, first, "jobs %d and %d", a, b)
					}
					place[pair] = first
				}
			}
		}
	}
}

// AutoOrder puts jobs behind one of another goroutine, with which the race detector knows no order.
// It has nothing to report.
func TestManyGoroutinesWaitForOneJobInAutoOrder(t *testing.T) {
	watchdog(t)
	type first struct{ A array.Writer[int] } // no job of the type has left memory
	a := array.New[int](1)
	var scheduled atom.HiddenUint32 // unseen by the detector
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for scheduled.Load() == 0 {
				runtime.Gosched()
			}
			parallelfor.Do(a.Reader(), func(*array.Reader[int]) {}, parallelfor.AutoOrder())
		})
	}
	leave := make(chan struct{})
	h := parallelfor.ScheduleDo(first{a.Writer()}, func(*first) { <-leave }, parallelfor.AutoOrder())
	scheduled.Store(1)
	time.Sleep(20 * time.Millisecond) // most of them wait by then
	close(leave)
	h.Complete()
	all.Wait()
}

func TestRunsInAutoOrderOfManyGoroutinesTakeTurns(t *testing.T) {
	watchdog(t)
	a := array.New[int](20)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for range rounds(40) {
				parallelfor.For(20, indexJob{a.Writer()}, (*indexJob).Execute, parallelfor.AutoOrder(), parallelfor.Batch(3))
			}
		})
	}
	all.Wait()
	require.Equal(t, 6*rounds(40), a.At(0))
	require.Equal(t, 6*rounds(40)*20, a.At(19))
}

// The ledger finds the jobs behind a read, of which none conflicts with another.
func TestAutoOrderWaitsForAllReaders(t *testing.T) {
	watchdog(t)
	a := numbers(8)
	open := make(chan struct{})
	var readers []parallelfor.Handle
	for range 5 {
		readers = append(readers, parallelfor.Go(a.Reader(), func(r *array.Reader[int]) {
			<-open
			if r.At(3) != 3 {
				panic("too late")
			}
		}))
	}
	w := scheduleFor(8, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, -1) }, parallelfor.AutoOrder())
	require.False(t, w.Finished())
	close(open)
	w.Complete()
	require.Equal(t, -1, a.At(3))
	for _, r := range readers {
		r.Complete()
	}
}

func TestAnEmptyJobIsRunAfterByOthers(t *testing.T) {
	watchdog(t)
	for range rounds(200) {
		a := numbers(4)
		first := scheduleFor(0, a.Writer(), nothing)
		second := scheduleFor(4, a.Writer(), nothing, parallelfor.AutoOrder())
		second.Complete()
		first.Complete()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				for n := range 6 {
					scheduleFor(n%2, a.Writer(), nothing, parallelfor.AutoOrder()).Complete()
				}
			})
		}
		all.Wait()
	}
}

func TestAJobWithoutAHandleCannotBeRunAfter(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for _, opts := range [][]parallelfor.Option{nil, {parallelfor.After(parallelfor.Combine())}} {
		a := numbers(4)
		begun, open, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			parallelfor.Do(a.Writer(), func(*array.Writer[int]) { close(begun); <-open }, append(opts, parallelfor.Name("run"))...)
		}()
		<-begun
		for _, opt := range []parallelfor.Option{parallelfor.AutoOrder(), parallelfor.Name("late")} {
			v := violation(t, safety.ErrConflict, func() { scheduleFor(4, a.Writer(), nothing, opt) })
			require.Equal(t, "run", v.OtherJob)
			require.Contains(t, v.Error(), "was run, not scheduled")
			require.Contains(t, v.Error(), "give both jobs AutoOrder()")
		}
		close(open)
		<-done
		scheduleFor(4, a.Writer(), nothing, parallelfor.AutoOrder()).Complete()
		a.Set(0, 1)
	}
}

func TestAutoOrderWithoutConflictsRunsBesideOthers(t *testing.T) {
	watchdog(t)
	a, b := numbers(4), numbers(4)
	open := make(chan struct{})
	held := parallelfor.Go(a.Reader(), func(*array.Reader[int]) { <-open })
	h := scheduleFor(4, struct {
		A array.Reader[int]
		B array.Writer[int]
	}{a.Reader(), b.Writer()}, func(*struct {
		A array.Reader[int]
		B array.Writer[int]
	}, int) {
	}, parallelfor.AutoOrder())
	h.Complete()
	b.Set(0, 1)
	close(open)
	held.Complete()
}

func TestARunInAutoOrderFailsAsItsBodyDid(t *testing.T) {
	watchdog(t)
	out := array.New[int](10)
	first := scheduleFor(10, out.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) })
	err := parallelfor.ForErr(t.Context(), 10, out.Writer(), func(w *array.Writer[int], i int) error {
		if w.At(i) == 7 {
			return errSwap
		}
		return nil
	}, parallelfor.AutoOrder())
	require.ErrorIs(t, err, errSwap)
	first.Complete()
	p := panicked(t, func() {
		parallelfor.For(10, out.Writer(), func(w *array.Writer[int], i int) { panic(i) }, parallelfor.AutoOrder())
	})
	require.Equal(t, 0, p.Value)
}

// A job in AutoOrder runs after what had returned its containers before, whichever goroutine
// scheduled that: the race detector would tell of the variable.
func TestAutoOrderFollowsWhatHasReturned(t *testing.T) {
	watchdog(t)
	a, shared := numbers(1), 0
	var all sync.WaitGroup
	for k := range 3 {
		all.Go(func() {
			time.Sleep(time.Duration(k) * 30 * time.Millisecond) // which orders nothing
			scheduleFor(1, a.Writer(), func(*array.Writer[int], int) { shared++ }, parallelfor.AutoOrder()).Complete()
		})
	}
	all.Wait()
	require.Equal(t, 3, shared)
}
