//go:build custody_explore

package array_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// attempt returns the violation that f panics with, as an error.
func attempt(f func()) error { return lawtest.Failure(func() error { f(); return nil }) }

// jobOf schedules a job that holds a view and completes it; during runs in between. It returns the
// violation of a schedule that was refused.
func jobOf(view safety.View, during func()) error {
	t := new(safety.Ticket)
	t.Reset("job", 0)
	t.ClaimOf(safety.FieldOf(view, ""))
	if v := t.Open(safety.CurrentScope(), 0, false); v != nil {
		return v
	}
	t.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})
	during()
	t.Seal(1, false, func(n int, f func(int)) {
		for k := range n {
			f(k)
		}
	})
	t.Return()
	return nil
}

// subject is a container with a view that is to be scheduled, and its disposal.
type subject struct {
	view    func() safety.View
	dispose func()
}

// subjects are the containers, each held by a reader and by a writer.
func subjects() map[string]func() subject {
	views := func(new func() (reader, writer safety.View, s subject)) map[string]func() subject {
		return map[string]func() subject{
			"read":    func() subject { r, _, s := new(); s.view = func() safety.View { return r }; return s },
			"written": func() subject { _, w, s := new(); s.view = func() safety.View { return w }; return s },
		}
	}
	all := map[string]func() subject{}
	for name, fresh := range map[string]func() (safety.View, safety.View, subject){
		"Array": func() (safety.View, safety.View, subject) {
			a := array.New[int](2)
			r, w := a.Reader(), a.Writer()
			return &r, &w, subject{dispose: a.Dispose}
		},
		"Value": func() (safety.View, safety.View, subject) {
			a := array.NewValue(1)
			r, w := a.Reader(), a.Writer()
			return &r, &w, subject{dispose: a.Dispose}
		},
		"List": func() (safety.View, safety.View, subject) {
			a := array.ListOf([]int{1, 2})
			r, w := a.Reader(), a.ParallelWriter()
			return &r, &w, subject{dispose: a.Dispose}
		},
		"Stream by key": func() (safety.View, safety.View, subject) {
			a := array.StreamOf([][]int{{1}, {2}})
			r, w := a.Reader(), a.KeyedWriter()
			return &r, &w, subject{dispose: a.Dispose}
		},
		"Stream": func() (safety.View, safety.View, subject) {
			a := array.StreamOf([][]int{{1}, {2}})
			r, w := a.Reader(), a.ParallelWriter()
			return &r, &w, subject{dispose: a.Dispose}
		},
	} {
		for how, s := range views(fresh) {
			all[name+" "+how] = s
		}
	}
	return all
}

// A container is disposed as a whole while no job holds any of it, or the disposal is refused and
// nothing has happened.
func TestExploreDispose(t *testing.T) {
	for name, fresh := range subjects() {
		t.Run(name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				s := fresh()
				var job, first, second error
				p.Go("job", func() { job = jobOf(s.view(), func() {}) })
				p.Go("first", func() { first = attempt(s.dispose) })
				p.Go("second", func() { second = attempt(s.dispose) })
				var last, again error
				p.Then(func() {
					last = attempt(s.dispose)
					again = jobOf(s.view(), func() {})
				})
				p.Judge(func() error {
					n := 0
					for _, err := range []error{first, second, last} {
						switch {
						case err == nil:
							n++
						case !errors.Is(err, safety.ErrInFlight) && !errors.Is(err, safety.ErrDisposed):
							return err
						}
					}
					if n != 1 {
						return fmt.Errorf("disposed %d times: %v, %v, %v", n, first, second, last)
					}
					if job != nil && !errors.Is(job, safety.ErrDisposed) {
						return job
					}
					if !errors.Is(again, safety.ErrDisposed) {
						return fmt.Errorf("scheduled after the disposal: %v", again)
					}
					return nil
				})
			}, explore.Exhaustive(2, 300_000), explore.PCT(3, 3000), explore.Random(3000))
		})
	}
}

// Swap beside another goroutine's completion of the job that writes the back is refused, and
// changes nothing, or comes after it: then the front has what the job wrote. A job that reads the
// front is never in its way.
func TestExploreDouble(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		d := array.NewDouble[int](2)
		front, back := d.Front(), d.Back()
		w, r := back.Writer(), front.Reader()
		var written, swapped, disposed error
		p.Go("writer", func() { written = jobOf(&w, func() {}) })
		p.Go("reader", func() {
			if err := jobOf(&r, func() {}); err != nil {
				panic(err)
			}
		})
		p.Go("owner", func() { swapped = attempt(d.Swap) })
		p.Then(func() { disposed = attempt(func() { d.Back().Set(0, 1); d.Dispose() }) })
		p.Judge(func() error {
			switch {
			case written != nil:
				return written
			case disposed != nil:
				return disposed
			case swapped == nil && (d.Front() != back || d.Back() != front):
				return errors.New("not swapped")
			case swapped != nil && (d.Front() != front || !errors.Is(swapped, safety.ErrInFlight)):
				return fmt.Errorf("refused, and swapped %v: %w", d.Front() != front, swapped)
			}
			return nil
		})
	}, explore.Exhaustive(2, 300_000), explore.PCT(3, 3000), explore.Random(3000))
}
