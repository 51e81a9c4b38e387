//go:build custody_explore

package parallelfor_test

import (
	"fmt"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// steps is a recursion over ranges of numbers, which counts in plain memory how often each number
// was reached, and how many of its calls run.
type steps struct {
	counts []int
	fails  int        // the number that panics, or -1
	shared atom.Int64 // calls with another Forks than that of the root
	root   *parallelfor.Forks[[2]int, int]
}

func (s *steps) add(f *parallelfor.Forks[[2]int, int], r [2]int) int {
	if s.root == nil {
		s.root = f
	}
	if s.root != f {
		s.shared.Add(1)
	}
	if r[1]-r[0] > 1 {
		mid := (r[0] + r[1]) / 2
		a, b := f.Join([2]int{r[0], mid}, [2]int{mid, r[1]})
		return a + b
	}
	atom.Writes(&s.counts[r[0]])
	s.counts[r[0]]++
	if r[0] == s.fails {
		panic(r[0])
	}
	return r[0]
}

// A recursion reaches each number once, whichever workers run its parts, and adds up the same. If
// one panics, the recursion does with the same value, and those before it were reached.
func TestExploreRecurse(t *testing.T) {
	var shared int64
	for _, c := range []struct{ n, workers, fails int }{{4, 2, -1}, {6, 3, -1}, {5, 2, 1}, {5, 3, 3}} {
		setup := func(p *explore.Program) {
			pool := parallelfor.NewPool(c.workers)
			s := &steps{counts: make([]int, c.n), fails: c.fails}
			p.Go("caller", func() {
				sum, failed := 0, any(nil)
				func() {
					defer func() { failed = recover() }()
					sum = parallelfor.Recurse(s.add, [2]int{0, c.n}, parallelfor.On(pool), parallelfor.Workers(c.workers))
				}()
				if c.fails < 0 {
					if sum != c.n*(c.n-1)/2 || failed != nil {
						panic(fmt.Sprint("the sum is ", sum, failed))
					}
				} else if v := failed.(*parallelfor.Panic).Value; v != c.fails {
					panic(fmt.Sprint("the recursion has panicked with ", v))
				}
				for i, n := range s.counts {
					if n > 1 || n == 0 && (c.fails < 0 || i <= c.fails) {
						panic(fmt.Sprint("numbers were reached so often: ", s.counts))
					}
				}
				shared += s.shared.Load()
				pool.Close()
			})
		}
		explore.Run(t, explore.Options{}, setup, sure(1500)...)
	}
	if shared == 0 {
		t.Fatal("no part was given away")
	}
}
