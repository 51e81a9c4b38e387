//go:build custody_explore

package queue

import (
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/explore"
)

// What a job has added is linked in at one moment, whole, while others put items in and take some out who had passed the guard before:
// here the guard does not keep them apart, so that less has to come together.
func TestExploreSpliceBesideOrdinaryUse(t *testing.T) {
	for filled := range 3 {
		t.Run(fmt.Sprint(filled, " in the queue"), func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				q := newQueue[int](2, 2)
				q.guard.Init(q, 0)
				for v := range filled {
					q.Enqueue(v + 1)
				}
				var out, rest []int
				p.Go("job", func() {
					var c chain[int]
					c.add([]int{101, 102, 103}, q.most)
					q.splice(c.end())
				})
				p.Go("producer", func() { q.Enqueue(11) })
				p.Go("consumer", func() {
					for range 2 {
						if v, ok := q.TryDequeue(); ok {
							out = append(out, v)
						}
					}
				})
				p.Then(func() { rest = drained(q) })
				p.Judge(func() error {
					all := slices.Concat(out, rest)
					at := slices.Index(all, 101)
					if at < 0 || at+3 > len(all) || all[at+1] != 102 || all[at+2] != 103 {
						return fmt.Errorf("the job's items are not together: %v", all)
					}
					want := append([]int{1, 2}[:filled:filled], 11)
					if others := slices.Delete(slices.Clone(all), at, at+3); !slices.Equal(others, want) {
						return fmt.Errorf("%v were put in, and %v came", want, all)
					}
					return nil
				})
			}, searched()...)
		})
	}
}

// drained takes all items out of a queue.
func drained(q *Queue[int]) (all []int) {
	n := q.Len()
	for v, ok := q.TryDequeue(); ok; v, ok = q.TryDequeue() {
		all = append(all, v)
	}
	if n != len(all) {
		panic(fmt.Sprint("Len of ", all, " is ", n))
	}
	return all
}
