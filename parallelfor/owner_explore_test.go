//go:build custody_explore

package parallelfor_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// write is a job that writes its indices plus what was there.
type write struct{ A array.Writer[int] }

func (j *write) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.A.Set(i, 10*j.A.At(i)+i+1)
	}
}

// Jobs that run after others do so, whichever goroutine completes which of them first; and custody
// is back after.
func TestExploreChain(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[write]()
		pool := parallelfor.NewPool(1)
		a := array.New[int](2)
		opts := []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool)}
		p.Go("owner", func() {
			first := parallelfor.ScheduleBatch(2, write{a.Writer()}, (*write).ExecuteBatch, opts...)
			second := parallelfor.ScheduleBatch(2, write{a.Writer()}, (*write).ExecuteBatch, append(opts, parallelfor.After(first))...)
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

// An owner that uses, disposes of or schedules what a job holds is refused unless the job was
// completed, whatever the timing; and nothing is lost by it.
func TestExploreOwner(t *testing.T) {
	for name, use := range map[string]func(a *array.Array[int]) error{
		"read":    func(a *array.Array[int]) error { a.At(0); return nil },
		"write":   func(a *array.Array[int]) error { a.Set(0, 1); return nil },
		"dispose": func(a *array.Array[int]) error { a.Dispose(); return nil },
		"schedule": func(a *array.Array[int]) error {
			parallelfor.Do(writeOne{a.Writer()}, (*writeOne).Execute)
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
					h := parallelfor.ScheduleBatch(2, write{a.Writer()}, (*write).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
					err := lawtest.Failure(func() error { return use(a) })
					if !errors.Is(err, safety.ErrInFlight) && !(name == "schedule" && errors.Is(err, safety.ErrConflict)) {
						panic(fmt.Sprint("the owner got ", err))
					}
					h.Complete()
					if err := lawtest.Failure(func() error { return use(a) }); err != nil {
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
