//go:build custody_explore

package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// once is a loop that counts in plain memory how often each of its indices was executed.
type once struct {
	counts []int `custody:"unguarded"`
}

func (j *once) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.counts[i]++
	}
}

func eachOnce(counts []int) error {
	for i, n := range counts {
		if n != 1 {
			return fmt.Errorf("index %d was executed %d times: %v", i, n, counts)
		}
	}
	return nil
}

// standard is what is run of a scenario of the driver, whose executions have hundreds of steps.
func standard(n int) []explore.Plan {
	return []explore.Plan{explore.PCT(2, n/2), explore.PCT(3, n), explore.Random(3 * n / 2)} // tasks overlap most in random walks
}

// sure is standard, and where the environment's CUSTODY_PCT says 2 or 3 as many schedules more as it takes to miss
// a fault of depth 2, and one of depth 3, with a probability of one in 10^9 at most. The scenarios of the engine have
// it: cells taken and stolen, completion, sleeping and waking, nested loops, cancelling, panics.
func sure(n int) []explore.Plan {
	return append(standard(n), explore.Guarantees()...)
}

// Cells are taken and stolen, each once, whoever comes first.
func TestExploreHand(t *testing.T) {
	for _, c := range []struct{ cells, workers int }{{1, 2}, {2, 2}, {3, 2}, {17, 2}, {40, 2}, {5, 3}, {30, 3}} {
		t.Run(fmt.Sprint(c.cells, " cells for ", c.workers), func(t *testing.T) {
			setup := func(p *explore.Program) {
				h := parallelfor.NewHand(c.cells, c.workers)
				counts := make([]int, c.cells)
				for w := range c.workers {
					p.Go(fmt.Sprint("worker ", w), func() {
						for {
							begin, end, ok := h.Take(w)
							if !ok {
								return
							}
							for i := begin; i < end; i++ {
								counts[i]++
							}
						}
					})
				}
				p.Judge(func() error { return eachOnce(counts) })
			}
			explore.Run(t, explore.Options{}, setup, append(explore.Guarantees(), explore.Exhaustive(2, 200_000), explore.PCT(3, 10_000), explore.Random(10_000))...)
		})
	}
}

// A loop runs every index once, and when it returns all of them have been.
func TestExploreRun(t *testing.T) {
	for _, residents := range []int{1, 2} {
		t.Run(fmt.Sprint(residents, " residents"), func(t *testing.T) {
			setup := func(p *explore.Program) {
				parallelfor.Forget[once]()
				pool := parallelfor.NewPool(residents)
				counts := [2][]int{make([]int, 4), make([]int, 4)}
				p.Go("caller", func() {
					for _, c := range counts { // the second uses the memory of the first again
						parallelfor.RunBatch(4, once{counts: c}, parallelfor.Batch(1), parallelfor.Workers(residents+1), parallelfor.On(pool))
						if err := eachOnce(c); err != nil {
							panic(err)
						}
					}
					pool.Close()
				})
			}
			explore.Run(t, explore.Options{}, setup, sure(4000)...)
		})
	}
}

// Two pools work on jobs that have, one after the other, the same memory: who comes late to the one comes to the
// other, and does no harm.
func TestExploreTwoPools(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		pools := [2]*parallelfor.Pool{parallelfor.NewPool(1), parallelfor.NewPool(1)}
		p.Go("caller", func() {
			done := parallelfor.ScheduleBatch(0, once{})
			for k := range 2 {
				counts := make([]int, 2)
				opts := []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pools[k%2])}
				if k%2 == 1 {
					opts = append(opts, parallelfor.After(done)) // its caller does not keep it
				}
				parallelfor.RunBatch(2, once{counts: counts}, opts...)
				if err := eachOnce(counts); err != nil {
					panic(err)
				}
			}
			done.Complete()
			pools[0].Close()
			pools[1].Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, standard(6000)...)
}

// Two loops at a time get all the workers that they asked for, though more than are woken at once: the bodies of
// both wait for each other.
func TestExploreGangs(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[meets]()
		pool := parallelfor.NewPool(5)
		var all atom.WaitGroup
		all.Add(12)
		for c := range 2 {
			p.Go(fmt.Sprint("caller ", c), func() {
				parallelfor.RunBatch(6, meets{&all}, parallelfor.Batch(1), parallelfor.Workers(6), parallelfor.On(pool))
			})
		}
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(2000)...)
}

// Nor do the residents that they count on come to a job that asked for nobody.
func TestExploreGangBesideAnother(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[meets]()
		parallelfor.Forget[hangs]()
		pool := parallelfor.NewPool(1)
		p.Go("caller", func() {
			var all, done atom.WaitGroup
			all.Add(2)
			done.Add(1)
			h := parallelfor.ScheduleBatch(1, hangs{&done}, parallelfor.On(pool))
			parallelfor.RunBatch(2, meets{&all}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
			done.Done()
			h.Complete()
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(2000)...)
}

// Nor do they count on residents that would be started in place of blocked ones, which come back meanwhile.
func TestExploreGangBesideBlocked(t *testing.T) {
	const workers = 6 // more than one of them wakes
	setup := func(p *explore.Program) {
		parallelfor.Forget[meets]()
		pool := parallelfor.NewPool(1)
		for range workers {
			parallelfor.Block(pool)
		}
		p.Go("caller", func() {
			var all atom.WaitGroup
			all.Add(workers)
			parallelfor.RunBatch(workers, meets{&all}, parallelfor.Batch(1), parallelfor.Workers(workers), parallelfor.On(pool))
		})
		p.Go("others", func() {
			for range workers {
				parallelfor.Unblock(pool)
			}
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(1000)...)
}

// Two goroutines share a pool and have each what they asked for.
func TestExploreTwoCallers(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		pool := parallelfor.NewPool(1)
		for c := range 2 {
			p.Go(fmt.Sprint("caller ", c), func() {
				counts := make([]int, 3)
				parallelfor.RunBatch(3, once{counts: counts}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
				if err := eachOnce(counts); err != nil {
					panic(err)
				}
			})
		}
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(4000)...)
}

// write is a job that writes its indices plus what was there.
type write struct{ A array.Writer[int] }

func (j *write) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.A.Set(i, 10*j.A.At(i)+i+1)
	}
}

// Jobs that run after others do so, whoever completes which of them first; and custody is back after.
func TestExploreChain(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[write]()
		pool := parallelfor.NewPool(1)
		a := array.New[int](2)
		opts := []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool)}
		p.Go("owner", func() {
			first := parallelfor.ScheduleBatch(2, write{a.Writer()}, opts...)
			second := parallelfor.ScheduleBatch(2, write{a.Writer()}, append(opts, parallelfor.After(first))...)
			var all atom.WaitGroup
			for _, h := range []parallelfor.Handle{first, second, second} {
				all.Go(h.Complete)
			}
			second.Complete()
			if a.At(0) != 11 || a.At(1) != 22 {
				panic(fmt.Sprint("the array is ", a.At(0), a.At(1)))
			}
			a.Set(0, 1)
			all.Wait()
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(3000)...)
}

// fail is a job whose cells fail.
type fail struct {
	counts []int          `custody:"unguarded"`
	at     map[int]func() `custody:"unguarded"`
}

func (j *fail) Execute(i int) {
	j.counts[i]++
	if f := j.at[i]; f != nil {
		f()
	}
}

// Whoever runs the cells, the failure is that of the lowest that fails, and those below it have run.
func TestExplorePanic(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[fail]()
		pool := parallelfor.NewPool(1)
		p.Go("caller", func() {
			counts := make([]int, 4)
			defer func() {
				var panicked *parallelfor.Panic
				err, _ := recover().(error)
				if !errors.As(err, &panicked) || panicked.Value != "at 1" {
					panic(fmt.Sprintf("the loop ended with %v", err))
				}
				if counts[0] != 1 || counts[1] != 1 || counts[2] > 1 || counts[3] > 1 {
					panic(fmt.Sprint("the cells were executed ", counts))
				}
				pool.Close()
			}()
			at := map[int]func(){1: func() { panic("at 1") }, 2: func() { panic("at 2") }, 3: func() { panic("at 3") }}
			parallelfor.Run(4, fail{counts, at}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
		})
	}
	explore.Run(t, explore.Options{}, setup, sure(4000)...)
}

// A body that ends its goroutine ends the caller's, after all cells below it, whoever ran it.
func TestExploreGoexit(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[fail]()
		pool := parallelfor.NewPool(1)
		counts := make([]int, 3)
		ended := false
		p.Go("caller", func() {
			defer func() { ended = recover() == nil }()
			parallelfor.Run(3, fail{counts, map[int]func(){1: runtime.Goexit}}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
			panic("the loop returned")
		})
		p.Then(pool.Close)
		p.Judge(func() error {
			if !ended || counts[0] != 1 || counts[1] != 1 {
				return fmt.Errorf("ended: %v, the cells were executed %v", ended, counts)
			}
			return nil
		})
	}
	explore.Run(t, explore.Options{Goroutines: true}, setup, standard(1500)...)
}

// A context that ends while the loop runs makes it return its cause, or comes too late.
func TestExploreCancel(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[struct{}]()
		pool := parallelfor.NewPool(1)
		ctx, cancel := context.WithCancelCause(context.Background())
		cause := errors.New("enough")
		var begun atom.Bool
		p.Go("caller", func() {
			counts := make([]int, 3)
			begun.Store(true)
			err := parallelfor.ForBatchErr(ctx, 3, struct{}{}, func(_ *struct{}, begin, end int) error {
				counts[begin]++
				return nil
			}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
			switch {
			case err == nil:
				if err := eachOnce(counts); err != nil {
					panic(err)
				}
			case err != cause:
				panic(fmt.Sprintf("the error is %v", err))
			}
			for _, n := range counts {
				if n > 1 {
					panic(fmt.Sprint("the cells were executed ", counts))
				}
			}
		})
		p.Go("canceller", func() {
			begun.Load()
			cancel(cause)
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(3000)...)
}

// inner is a nested loop: each of its cells runs another loop over its own window.
type inner struct {
	A    array.Writer[int]
	pool *parallelfor.Pool `custody:"unguarded"`
}

func (j *inner) ExecuteBatch(begin, end int) {
	parallelfor.RunBatch(end-begin, write{j.A}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(j.pool))
}

// Loops inside cells share the pool of the loop outside, and nobody waits for ever.
func TestExploreNested(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[inner]()
		parallelfor.Forget[write]()
		pool := parallelfor.NewPool(1)
		a := array.New[int](4)
		p.Go("caller", func() {
			parallelfor.RunBatch(4, inner{a.Writer(), pool}, parallelfor.Batch(2), parallelfor.Workers(2), parallelfor.On(pool))
			for i, want := range []int{1, 2, 1, 2} {
				if a.At(i) != want {
					panic(fmt.Sprint("element ", i, " is ", a.At(i)))
				}
			}
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(2000)...)
}

// An owner that uses, disposes of or schedules what a job holds is refused unless the job was completed,
// whatever the timing; and nothing is lost by it.
func TestExploreOwner(t *testing.T) {
	for name, use := range map[string]func(a *array.Array[int]) error{
		"read":    func(a *array.Array[int]) error { a.At(0); return nil },
		"write":   func(a *array.Array[int]) error { a.Set(0, 1); return nil },
		"dispose": func(a *array.Array[int]) error { a.Dispose(); return nil },
		"schedule": func(a *array.Array[int]) error {
			parallelfor.RunSingle(writeOne{a.Writer()})
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			setup := func(p *explore.Program) {
				parallelfor.Forget[write]()
				parallelfor.Forget[writeOne]()
				pool := parallelfor.NewPool(1)
				a := array.New[int](2)
				p.Go("owner", func() {
					h := parallelfor.ScheduleBatch(2, write{a.Writer()}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
					err := refused(func() { _ = use(a) })
					if !errors.Is(err, safety.ErrInFlight) && !(name == "schedule" && errors.Is(err, safety.ErrConflict)) {
						panic(fmt.Sprint("the owner got ", err))
					}
					h.Complete()
					if err := refused(func() { _ = use(a) }); err != nil {
						panic(err)
					}
				})
				p.Then(pool.Close)
			}
			explore.Run(t, explore.Options{}, setup, standard(1500)...)
		})
	}
}

// writeOne is a single job.
type writeOne struct{ A array.Writer[int] }

func (j *writeOne) Execute() { j.A.Set(0, 1) }

func refused(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = v.(error)
		}
	}()
	f()
	return nil
}

// Closing a pool waits for what is scheduled on it, and refuses what comes later.
func TestExploreClose(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		pool := parallelfor.NewPool(1)
		counts := make([]int, 2)
		p.Go("caller", func() {
			err := refused(func() {
				parallelfor.ScheduleBatch(2, once{counts: counts}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool)).Complete()
			})
			if err == nil {
				err = eachOnce(counts)
			} else if errors.Is(err, safety.ErrClosed) {
				err = nil
			}
			if err != nil {
				panic(err)
			}
		})
		p.Go("closer", pool.Close)
		p.Go("closer too", pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(3000)...)
}

// meets is a loop whose bodies wait for each other.
type meets struct {
	all *atom.WaitGroup `custody:"unguarded"`
}

func (j *meets) ExecuteBatch(begin, end int) {
	j.all.Add(begin - end)
	j.all.Wait()
}

// All residents come to a job that wants them, though nobody wakes more than a few: those that are started for it,
// and those that sleep or look for work when the next one comes.
func TestExploreLargeCrew(t *testing.T) {
	const residents = 6
	setup := func(p *explore.Program) {
		parallelfor.Forget[meets]()
		pool := parallelfor.NewPool(residents)
		p.Go("caller", func() {
			for range 2 {
				var all atom.WaitGroup
				all.Add(residents + 1)
				parallelfor.RunBatch(residents+1, meets{&all}, parallelfor.Batch(1), parallelfor.Workers(residents+1), parallelfor.On(pool))
			}
			pool.Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, explore.PCT(2, 300), explore.Random(700))
}

// tells is a job that tells its owner that it runs, who does not wait for it in any other way.
type tells struct {
	ran *atom.WaitGroup `custody:"unguarded"`
}

func (j *tells) ExecuteBatch(begin, end int) { j.ran.Done() }

// hangs is a job that waits for others.
type hangs struct {
	until *atom.WaitGroup `custody:"unguarded"`
}

func (j *hangs) ExecuteBatch(begin, end int) { j.until.Wait() }

// Who waits for a job that runs after another one comes to it when that has ended, although it sleeps by then; there
// is nobody else, for the only resident is held up by it.
func TestExploreRouse(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		parallelfor.Forget[hangs]()
		pool := parallelfor.NewPool(1)
		var waited atom.WaitGroup
		waited.Add(1)
		counts := make([]int, 2)
		var busy, first, second parallelfor.Handle
		var scheduled atom.WaitGroup
		scheduled.Add(1)
		p.Go("waiter", func() {
			busy = parallelfor.ScheduleBatch(1, hangs{&waited}, parallelfor.On(pool))
			first = parallelfor.ScheduleBatch(1, once{counts: counts[:1]}, parallelfor.On(pool))
			second = parallelfor.ScheduleBatch(1, once{counts: counts[1:]}, parallelfor.On(pool), parallelfor.After(first))
			scheduled.Done()
			second.Complete()
			waited.Done()
			busy.Complete()
		})
		p.Go("other", func() {
			scheduled.Wait()
			first.Complete()
		})
		p.Then(func() {
			if err := eachOnce(counts); err != nil {
				panic(err)
			}
			pool.Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, standard(3000)...)
}

// A job that nobody completes is run, although nobody was woken for it because somebody looked for work, who stopped.
func TestExploreLookAway(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[tells]()
		pool := parallelfor.NewPool(1)
		p.Go("waiter", func() { parallelfor.LookAndAway(pool) })
		p.Go("owner", func() {
			var ran atom.WaitGroup
			ran.Add(1)
			h := parallelfor.ScheduleBatch(1, tells{&ran}, parallelfor.On(pool))
			ran.Wait()
			h.Complete()
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(4000)...)
}
