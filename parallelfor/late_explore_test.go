//go:build custody_explore

package parallelfor_test

import (
	"fmt"
	"runtime"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// shorts are the arrays of a scenario of short jobs, and its pool.
type shorts struct {
	pool *parallelfor.Pool
	all  [2]*array.Array[int]
}

func newShorts(workers int) *shorts {
	parallelfor.Forget[digit]()
	parallelfor.Forget[sums]()
	parallelfor.Forget[leaves]()
	l := &shorts{pool: parallelfor.NewPool(workers)}
	for i := range l.all {
		l.all[i] = array.New[int](2)
	}
	return l
}

// put schedules a short job of two batches that appends a digit to both elements of an array.
func (l *shorts) put(at, id int, opts ...parallelfor.Option) parallelfor.Handle {
	return parallelfor.Schedule(2, digit{l.all[at].Writer(), id}, (*digit).Execute, append(opts, parallelfor.Batch(1), parallelfor.On(l.pool))...)
}

// two puts a job, and another one that runs after it.
func (l *shorts) two() (first, second parallelfor.Handle) {
	first = l.put(0, 1)
	return first, l.put(0, 2, parallelfor.After(first))
}

// sums is a job that adds two arrays into the second.
type sums struct {
	From array.Reader[int]
	To   array.Writer[int]
}

func (s *sums) Execute(i int) { s.To.Set(i, s.To.At(i)+s.From.At(i)) }

// stays is a job whose batches end at once on worker 0, and on others when ended has passed.
type stays struct {
	Who   parallelfor.Worker
	Ended *atom.WaitGroup `custody:"unguarded"`
}

func (s *stays) Execute(int) {
	if s.Who.Index() > 0 {
		s.Ended.Wait()
	}
}

// ends completes the handles, closes the pool, and panics unless the elements have these values.
func (l *shorts) ends(first, second int, handles ...parallelfor.Handle) {
	for _, h := range handles {
		h.Complete()
	}
	for i, want := range []int{first, first, second, second} {
		if got := l.all[i/2].At(i % 2); got != want {
			panic([3]int{i, got, want})
		}
	}
	l.pool.Close()
}

// Jobs that are put off run once, in their order, whichever goroutines complete them.
func TestExploreShortJobs(t *testing.T) {
	for name, setup := range map[string]func(p *explore.Program){
		"a chain is completed at both ends": func(p *explore.Program) {
			l := newShorts(2)
			first, second := l.two()
			third := l.put(0, 3, parallelfor.After(second))
			p.Go("at the end", third.Complete)
			p.Go("at the beginning", first.Complete)
			p.Then(func() { l.ends(123, 0, first, second) })
		},
		"two complete one job": func(p *explore.Program) {
			l := newShorts(1)
			h := l.put(0, 1)
			p.Go("one", h.Complete)
			p.Go("the other", h.Complete)
			p.Then(func() { l.ends(1, 0, h) })
		},
		"a job that is not short runs after one": func(p *explore.Program) {
			l := newShorts(1)
			first, second := l.two()
			var begun atom.WaitGroup
			begun.Add(1)
			p.Go("waits for its body", func() {
				parallelfor.ScheduleDo(struct{}{}, func(*struct{}) { begun.Done() }, parallelfor.After(second), parallelfor.Workers(1), parallelfor.On(l.pool))
				begun.Wait()
			})
			p.Go("completes the first", first.Complete)
			p.Then(func() { l.ends(12, 0, second) })
		},
		"no goroutine completes two": func(p *explore.Program) {
			l := newShorts(1)
			var begun atom.WaitGroup
			begun.Add(2)
			body := func(*struct{}) { begun.Done() }
			p.Go("waits for their bodies", func() {
				h := parallelfor.ScheduleDo(struct{}{}, body, parallelfor.On(l.pool))
				parallelfor.ScheduleDo(struct{}{}, body, parallelfor.After(h), parallelfor.On(l.pool))
				begun.Wait()
			})
			p.Then(l.pool.Close)
		},
		"a goroutine asks whether one has finished": func(p *explore.Program) {
			l := newShorts(1)
			first, second := l.two()
			p.Go("asks", func() {
				for !second.Finished() {
					atom.Yield()
				}
			})
			p.Go("completes the first", first.Complete)
			p.Then(func() { l.ends(12, 0, second) })
		},
		"the pool is closed": func(p *explore.Program) {
			l := newShorts(1)
			first, second := l.two()
			p.Go("closes", l.pool.Close)
			p.Go("completes the first", first.Complete)
			p.Then(func() { l.ends(12, 0, second) })
		},
		"two complete the last of a chain, a third the first": func(p *explore.Program) {
			l := newShorts(1)
			first, second := l.two()
			p.Go("one", second.Complete)
			p.Go("the other", second.Complete)
			p.Go("completes the first", first.Complete)
			p.Then(func() { l.ends(12, 0, second) })
		},
		"one is after two, of which one waits for the other": func(p *explore.Program) {
			l := newShorts(2)
			var waits, begun atom.WaitGroup
			waits.Add(1)
			begun.Add(1)
			long := parallelfor.ScheduleDo(struct{}{}, func(*struct{}) {
				waits.Done()
				begun.Wait()
			}, parallelfor.Workers(1), parallelfor.On(l.pool))
			short := parallelfor.ScheduleDo(struct{}{}, func(*struct{}) { begun.Done() }, parallelfor.On(l.pool))
			both := parallelfor.Combine(long, short)
			p.Go("completes both", func() {
				waits.Wait()
				both.Complete()
			})
			p.Then(l.pool.Close)
		},
		"one is after two, of which one has a worker that waits for the other": func(p *explore.Program) {
			l := newShorts(2)
			parallelfor.Forget[stays]()
			var ended atom.WaitGroup
			ended.Add(1)
			waits := parallelfor.Schedule(2, stays{Ended: &ended}, (*stays).Execute, parallelfor.Batch(1), parallelfor.On(l.pool))
			other := parallelfor.ScheduleDo(struct{}{}, func(*struct{}) { ended.Done() }, parallelfor.On(l.pool))
			both := parallelfor.Combine(waits, other)
			p.Go("completes both", both.Complete)
			p.Then(l.pool.Close)
		},
		"one is after two": func(p *explore.Program) {
			l := newShorts(2)
			a, b := l.put(0, 1), l.put(1, 2)
			p.Go("adds them", func() {
				parallelfor.Schedule(2, sums{l.all[0].Reader(), l.all[1].Writer()}, (*sums).Execute,
					parallelfor.After(a, b), parallelfor.Batch(1), parallelfor.On(l.pool)).Complete()
			})
			p.Go("completes one", b.Complete)
			p.Then(func() { l.ends(1, 3, a) })
		},
		"one is after two, another after the first of them": func(p *explore.Program) {
			l := newShorts(2)
			a, b := l.put(0, 1), l.put(1, 2)
			other := l.put(0, 3, parallelfor.After(a))
			both := parallelfor.Combine(a, b)
			p.Go("completes both", both.Complete)
			p.Then(func() { l.ends(13, 2, a, b, other) })
		},
	} {
		for _, timer := range []bool{true, false} {
			if name == "no goroutine completes two" && !timer {
				continue
			}
			t.Run(fmt.Sprint(name, ", with a timer: ", timer), func(t *testing.T) {
				defer parallelfor.AllShort(timer)()
				explore.Run(t, explore.Options{}, setup, sure(1000)...)
			})
		}
	}
}

// A job that is put off is completed although a body ends the goroutine that leads it.
func TestExploreAShortJobThatEndsTheGoroutine(t *testing.T) {
	defer parallelfor.AllShort(false)()
	explore.Run(t, explore.Options{Goroutines: true}, func(p *explore.Program) {
		l := newShorts(1)
		first := parallelfor.Schedule(1, leaves{}, (*leaves).Execute, parallelfor.On(l.pool))
		second := l.put(0, 1, parallelfor.After(first))
		p.Go("completes the second", func() {
			second.Complete()
			runtime.Goexit()
		})
		p.Go("completes the first", func() {
			first.Complete()
			panic("it did not end the goroutine")
		})
		p.Then(l.pool.Close)
	}, standard(2000)...)
}

// A container of one job that ends its goroutine ends neither Close nor Finished, nor loses a job.
func TestExploreShortJobsBesideAContainerThatEndsTheGoroutine(t *testing.T) {
	for name, do := range map[string]func(l *shorts, none parallelfor.Handle){
		"Close":    func(l *shorts, _ parallelfor.Handle) { l.pool.Close() },
		"Finished": func(_ *shorts, none parallelfor.Handle) { none.Finished() },
	} {
		t.Run(name, func(t *testing.T) {
			defer parallelfor.AllShort(false)()
			explore.Run(t, explore.Options{Goroutines: true}, func(p *explore.Program) {
				l := newShorts(1)
				parallelfor.Forget[toldView]()
				none := parallelfor.Schedule(0, digit{l.all[1].Writer(), 1}, (*digit).Execute, parallelfor.On(l.pool))
				before := parallelfor.ScheduleDo(struct{}{}, func(*struct{}) {}, parallelfor.Workers(1), parallelfor.On(l.pool))
				h := l.put(0, 1, parallelfor.After(before))
				c := newTold(moments{opens: runtime.Goexit})
				through := false
				p.Go("runs a loop", func() {
					defer func() { _ = recover() }() // the pool may be closed
					parallelfor.Do(c.view(), func(*toldView) {}, parallelfor.After(before, none), parallelfor.On(l.pool))
				})
				p.Go(name, func() {
					do(l, none)
					through = true
				})
				p.Then(func() {
					l.ends(1, 0, h, none)
					if !through {
						panic(name + " was ended")
					}
				})
			}, standard(2000)...)
		})
	}
}
