//go:build custody_explore

package queue

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/sched"
	"example.com/custody/safety"
)

// searched are the plans of these tests; race builds, which are slow, interrupt once.
func searched() []explore.Plan {
	bound := 2
	if sched.Race {
		bound = 1
	}
	return append(explore.Guarantees(), explore.Exhaustive(bound, 300_000), explore.PCT(3, 2000), explore.Random(2000))
}

// used is a queue that a job and ordinary operations use beside each other.
type used struct {
	put   func(v int) bool
	take  func() (int, bool)
	peek  func() (int, bool)
	view  safety.View
	items func() *stretches
	end   func()
}

var kinds = map[string]func() used{
	"Ring": func() used {
		r := NewRing[int](3)
		w := r.Writer()
		return used{r.TryEnqueue, r.TryDequeue, r.Peek, &w, func() *stretches { return piece(r.all) }, r.Dispose}
	},
	"Ring, batches": func() used {
		r := NewRing[int](3)
		w := r.Writer()
		one := make([]int, 1)
		return used{
			func(v int) bool { return r.EnqueueAll([]int{v}) == 1 },
			func() (int, bool) { n := r.DequeueInto(one); return one[0], n == 1 },
			r.Peek, &w, func() *stretches { return piece(r.all) }, r.Dispose,
		}
	},
	"Queue": func() used {
		q := newQueue[int](1, 2)
		q.guard.Init(q, 0)
		w := q.Writer()
		return used{q.Enqueue, q.TryDequeue, q.Peek, &w, q.stretches, q.Dispose}
	},
}

// attempt returns the violation that f panics with, as an error, unless it is one that a caller
// that uses a queue beside a job must expect.
func attempt(f func()) error {
	err := lawtest.Failure(func() error { f(); return nil })
	if errors.Is(err, safety.ErrInFlight) || errors.Is(err, safety.ErrDisposed) {
		return nil
	}
	return err
}

// changed is what the job of these tests makes of an item.
const changed = 100

// A job changes all items in place while others put items in, take some out and look: what they do
// comes before the job or after it, or is refused. So the job has what was put in before and not
// taken, and nothing is lost or comes twice.
func TestExploreWriterBesideOrdinaryUse(t *testing.T) {
	for name, fresh := range kinds {
		for _, looks := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", looks ", looks), func(t *testing.T) {
				explore.Run(t, explore.Options{}, func(p *explore.Program) {
					u := fresh()
					u.put(1)
					var wrong [3]error
					var in, out [3][]int
					seen := 0
					var turns atom.Uint32
					in[2] = []int{1}
					p.Go("job", func() {
						wrong[0] = lawtest.Held(u.view, 1, func() {
							for _, s := range u.items().list {
								items := itemsOf[int](s)
								for k := range items {
									turns.Add(1) // others may go on here
									items[k] += changed
									seen++
								}
							}
						})
					})
					p.Go("producer", func() {
						for v := 2; v <= 3; v++ {
							wrong[1] = errors.Join(wrong[1], attempt(func() {
								if u.put(v) {
									in[1] = append(in[1], v)
								}
							}))
						}
					})
					p.Go("consumer", func() {
						wrong[2] = attempt(func() {
							if looks {
								if v, ok := u.peek(); ok && v%changed == 0 {
									panic("a look at a place that was emptied")
								}
							}
							if v, ok := u.take(); ok {
								out[2] = append(out[2], v)
							}
						})
					})
					p.Then(func() {
						for v, ok := u.take(); ok; v, ok = u.take() {
							out[0] = append(out[0], v)
						}
						u.end()
					})
					p.Judge(func() error {
						all, n := slices.Concat(out[2], out[0]), 0
						for i, v := range all {
							if v > changed {
								n++
								all[i] -= changed
							}
						}
						put := slices.Concat(in[2], in[1])
						if !slices.Equal(all, put) || n != seen {
							return errors.Join(fmt.Errorf("%v were put in, %v taken; the job has seen %d, and %d are changed", put, slices.Concat(out[2], out[0]), seen, n), errors.Join(wrong[:]...))
						}
						return errors.Join(wrong[:]...)
					})
				}, searched()...)
			})
		}
	}
}

// What a job adds comes at one moment, whole, while others put items in and take some out.
func TestExploreParallelWriterBesideOrdinaryUse(t *testing.T) {
	for filled := range 3 {
		t.Run(fmt.Sprint(filled, " in the queue"), func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				q := newQueue[int](2, 2)
				q.guard.Init(q, 0)
				for v := range filled {
					q.Enqueue(v + 1)
				}
				w := q.ParallelWriter()
				var wrong [3]error
				var in, out, rest []int
				p.Go("job", func() {
					wrong[0] = lawtest.Held(&w, 1, func() {
						l := q.lanes.Lane(0)
						l.BeginSpan(0)
						lanes.Append(l, nil, 101)
						lanes.Append(l, nil, 102)
						lanes.Append(l, nil, 103)
					})
				})
				p.Go("producer", func() {
					for v := 11; v <= 12; v++ {
						wrong[1] = errors.Join(wrong[1], attempt(func() {
							if q.Enqueue(v) {
								in = append(in, v)
							}
						}))
					}
				})
				p.Go("consumer", func() {
					for range 2 {
						wrong[2] = errors.Join(wrong[2], attempt(func() {
							if v, ok := q.TryDequeue(); ok {
								out = append(out, v)
							}
						}))
					}
				})
				p.Then(func() { rest = drained(q) })
				p.Judge(func() error {
					want := append([]int{1, 2}[:filled:filled], in...)
					return errors.Join(together(slices.Concat(out, rest), want), errors.Join(wrong[:]...))
				})
			}, searched()...)
		})
	}
}

// emptied is a queue that is cleared, and closed.
type emptied struct {
	put          func(vs []int) int
	take         func() (int, bool)
	clear, close func()
	view         safety.View
}

// A job looks at a queue that others clear, close and put batches into: what was there when the
// clearing began is gone if it was not refused, and what is left comes in order. A batch that is
// refused on its way may be there in part.
func TestExploreClearAndCloseBesideOrdinaryUse(t *testing.T) {
	fresh := map[string]func() emptied{
		"Ring": func() emptied {
			r := NewRing[int](4)
			w := r.Reader()
			return emptied{r.EnqueueAll, r.TryDequeue, r.Clear, r.Close, &w}
		},
		"Queue": func() emptied {
			q := newQueue[int](2, 2)
			q.guard.Init(q, 0)
			w := q.Reader()
			return emptied{q.EnqueueAll, q.TryDequeue, q.Clear, q.Close, &w}
		},
	}
	for name, fresh := range fresh {
		for _, closes := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", closed ", closes), func(t *testing.T) {
				explore.Run(t, explore.Options{}, func(p *explore.Program) {
					u := fresh()
					u.put([]int{1, 2})
					var wrong [3]error
					cleared, put := false, 0
					var rest []int
					p.Go("job", func() { wrong[0] = lawtest.Held(u.view, 1, func() {}) })
					p.Go("producer", func() {
						wrong[1] = attempt(func() {
							u.take()
							put = u.put([]int{3, 4, 5})
						})
					})
					p.Go("clearer", func() {
						wrong[2] = attempt(func() {
							u.clear()
							cleared = true
							if closes {
								u.close()
							}
							u.take()
						})
					})
					p.Then(func() {
						for v, ok := u.take(); ok; v, ok = u.take() {
							rest = append(rest, v)
						}
					})
					p.Judge(func() error {
						if !slices.IsSorted(rest) || cleared && len(rest) > 0 && rest[0] < 3 {
							return errors.Join(fmt.Errorf("%v are left; cleared: %v, and %d put in", rest, cleared, put), errors.Join(wrong[:]...))
						}
						return errors.Join(wrong[:]...)
					})
				}, searched()...)
			})
		}
	}
}

// wide is an item of which two lie in the longest chunk of a lane, so that what was drained is soon
// used again.
type wide [128 << 10 / 8]int

// whole returns an item that says v everywhere that is looked at.
func whole(v int) (w wide) {
	w[0], w[len(w)-1] = v, v
	return w
}

// value is what an item says, or -1 when it is of two.
func (w *wide) value() int {
	if w[0] != w[len(w)-1] {
		return -1
	}
	return w[0]
}

// One goroutine drains what a job has added, and has a job add more, to the same memory; another
// one takes items meanwhile. Each item comes once, in order, and as it was put in.
func TestExploreDrainBesideOrdinaryUse(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		q := newQueue[wide](2, 2)
		q.guard.Init(q, 0)
		w := q.ParallelWriter()
		add := func(first int) error {
			return lawtest.Held(&w, 1, func() {
				l := q.lanes.Lane(0)
				l.BeginSpan(0)
				for v := range 3 {
					lanes.Append(l, nil, whole(first+v))
				}
			})
		}
		wrong := [2]error{add(1)}
		var drained, taken, rest []int
		drain := func() (all []int) {
			for s := range q.Drain() {
				for i := range s {
					all = append(all, s[i].value())
				}
			}
			return all
		}
		p.Go("drainer", func() {
			drained = drain()
			wrong[0] = errors.Join(wrong[0], add(4))
		})
		p.Go("consumer", func() {
			for range 2 {
				wrong[1] = errors.Join(wrong[1], attempt(func() {
					if v, ok := q.TryDequeue(); ok {
						taken = append(taken, v.value())
					}
				}))
			}
		})
		p.Then(func() { rest = drain() })
		p.Judge(func() error {
			all := slices.Concat(drained, taken, rest)
			slices.Sort(all)
			if !slices.IsSorted(drained) || !slices.IsSorted(taken) || !slices.IsSorted(rest) || !slices.Equal(all, []int{1, 2, 3, 4, 5, 6}) {
				return fmt.Errorf("%v were drained, %v taken, and %v are left", drained, taken, rest)
			}
			return errors.Join(wrong[:]...)
		})
	}, searched()...)
}
