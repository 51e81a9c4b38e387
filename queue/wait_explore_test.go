//go:build custody_explore

package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// Two wait for items, beside a job that has the queue by position for a while: a wait gets an item,
// or is refused. A call for one that is refused is not lost: no goroutine sleeps when there are
// items.
func TestExploreWaitsBesideAJob(t *testing.T) {
	type waited struct {
		put  func(v int) bool
		take func(ctx context.Context) (int, error)
		size func() int
		view safety.View
	}
	fresh := map[string]func() waited{
		"Ring": func() waited {
			r := NewRing[int](4)
			w := r.Reader()
			return waited{r.TryEnqueue, r.Dequeue, r.Len, &w}
		},
		"Queue": func() waited {
			q := newQueue[int](2, 2)
			q.guard.Init(q, 0)
			w := q.Reader()
			return waited{q.Enqueue, q.Dequeue, q.Len, &w}
		},
	}
	for name, fresh := range fresh {
		t.Run(name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				u := fresh()
				var wrong [4]error
				put, taken, left := [2]int{}, [2]int{}, 0
				var ended atom.Uint32
				for i := range taken {
					p.Go(fmt.Sprint("waiter ", i), func() {
						wrong[i] = attempt(func() {
							if _, err := u.take(context.Background()); err == nil {
								taken[i] = 1
							}
						})
						ended.Add(1)
					})
				}
				p.Go("producer", func() {
					wrong[2] = attempt(func() {
						if u.put(1) {
							put[0]++
						}
					})
				})
				p.Go("job", func() {
					wrong[3] = lawtest.Held(u.view, 1, func() {})
					for ended.Load() < 2 { // an item that is there is that of a waiting goroutine
						if u.size() == 0 && u.put(2) {
							put[1]++
						}
						atom.Yield()
					}
				})
				p.Then(func() { left = u.size() })
				p.Judge(func() error {
					if put[0]+put[1] != taken[0]+taken[1]+left {
						return fmt.Errorf("%d were put in, %v taken, and %d are left", put, taken, left)
					}
					return errors.Join(wrong[:]...)
				})
			}, append(explore.Guarantees(), explore.Exhaustive(1, 300_000), explore.PCT(3, 6000), explore.Random(6000))...)
		})
	}
}
