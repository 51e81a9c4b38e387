//go:build custody_explore

package queue

import (
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/explore"
)

// The items that a job has added are linked in together, at one moment, while other goroutines put
// items in and take items out. The guard does not keep these apart from the job here, so the
// explorer reaches the moment of the link with fewer interruptions.
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
					c.flush()
					q.splice(c.first, c.last)
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
					return together(slices.Concat(out, rest), append([]int{1, 2}[:filled:filled], 11))
				})
			}, searched()...)
		})
	}
}

// drained takes all items out of a queue and returns them.
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

// together returns an error unless all, the items in the order in which they came, are those of
// want in their order, with the job's items 101, 102 and 103 between two of them.
func together(all, want []int) error {
	at := slices.Index(all, 101)
	if at < 0 || at+3 > len(all) || all[at+1] != 102 || all[at+2] != 103 {
		return fmt.Errorf("the job's items are not together: %v", all)
	}
	if rest := slices.Delete(slices.Clone(all), at, at+3); !slices.Equal(rest, want) {
		return fmt.Errorf("%v were put in, and %v came", want, all)
	}
	return nil
}
