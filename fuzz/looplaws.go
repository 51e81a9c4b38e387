package fuzz

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// conservation runs many concurrent loops.
func (s *loopSuite) conservation(t testing.TB) {
	t.Helper()
	seed := s.drawn(t)
	for round := range s.rounds(12) {
		for i, w := range s.of.ways() {
			n := seed + uint64(10*round+i)
			s.beside(t, n, w)
			s.nested(t, w)
			s.largest(t, w)
		}
		if s.of.Schedule != nil {
			s.waiters(t, seed+uint64(10*round+9))
		}
	}
}

// beside runs concurrent loops of several goroutines.
func (s *loopSuite) beside(t testing.TB, seed uint64, w way) {
	t.Helper()
	var members []member
	for range 3 {
		members = append(members, func(c *crew, r *rand.Rand) {
			for range 10 {
				l := newLoop(r.IntN(2000), r.IntN(100), 1+r.IntN(6))
				if wrong := l.run(w, s.patience); wrong != "" {
					c.failf("beside other loops, %s", wrong)
					return
				}
			}
		})
	}
	s.together(t, seed, members...)
}

// nested runs a loop in each batch of a loop that has more batches than workers.
func (s *loopSuite) nested(t testing.TB, w way) {
	t.Helper()
	const outer, inner = 9, 7
	loops := make([]*loop, outer)
	e := endingOf(s.patience, func() error {
		return w.run(outer, 1, 3, func(_, begin, _ int) error {
			l := newLoop(inner, 2, 3)
			loops[begin] = l
			return w.run(l.n, l.batch, l.workers, l.body)
		})
	})
	if !e.well() {
		t.Fatalf("%s, a loop in whose batches loops are run: it %v", w.name, e)
	}
	for i, l := range loops {
		if l == nil {
			t.Fatalf("%s did not run batch %d, in which a loop is run", w.name, i)
		}
		if wrong := l.ran(); wrong != "" {
			t.Fatalf("%s within a loop: %s", w.name, wrong)
		}
	}
}

// largest runs loops over the largest number of indices in a few batches. The borders of batches
// must not overflow.
func (s *loopSuite) largest(t testing.TB, w way) {
	t.Helper()
	for _, batch := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt/2 + 1, math.MaxInt / 3} {
		var mu sync.Mutex
		got := map[cell]int{}
		e := endingOf(s.patience, func() error {
			return w.run(math.MaxInt, batch, 3, func(_, begin, end int) error {
				mu.Lock()
				defer mu.Unlock()
				if got[cell{begin, end}]++; len(got) > 100 {
					return fault(begin)
				}
				return nil
			})
		})
		mu.Lock()
		want := map[cell]int{}
		for begin := 0; begin >= 0 && begin < math.MaxInt; {
			end := math.MaxInt
			if begin <= math.MaxInt-batch {
				end = begin + batch
			}
			want[cell{begin, end}] = 1
			begin = end
		}
		if !e.well() || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s over %d indices, batch %d: it %v, and ran the batches %v, expected %v", w.name, math.MaxInt, batch, e, got, want)
		}
		mu.Unlock()
	}
}

// waiters runs several goroutines that wait for one loop. The loop must be done when any of them
// returns.
func (s *loopSuite) waiters(t testing.TB, seed uint64) {
	t.Helper()
	l := newLoop(300, 7, 3)
	wait := s.of.Schedule(l.n, l.batch, l.workers, func(worker, begin, end int) { must(l.body(worker, begin, end)) })
	waits := func(c *crew, _ *rand.Rand) {
		for range 2 {
			wait()
			if wrong := l.ran(); wrong != "" {
				c.failf("after wait returned to one of several goroutines, %s", wrong)
			}
		}
	}
	s.together(t, seed, waits, waits, waits)
}

// failures runs bodies that fail in every way: at the first, a middle and the last index, and in
// several batches that run concurrently.
func (s *loopSuite) failures(t testing.TB) {
	t.Helper()
	const n = 50
	for _, w := range s.of.ways() {
		for how := range failKinds {
			for _, at := range [][]int{{0}, {n / 2}, {n - 1}, {3, 6, 9, n - 1}} {
				for _, workers := range []int{1, 4} {
					l := newLoop(n, 3, workers)
					l.lowest = s.has(LowestFails)
					l.faults = map[int]int{}
					for _, i := range at {
						l.faults[i] = how
					}
					if wrong := l.run(w, s.patience); wrong != "" {
						t.Fatal(wrong)
					}
				}
			}
		}
		if wrong := newLoop(n, 3, 4).run(w, s.patience); wrong != "" {
			t.Fatalf("after loops that failed, %s", wrong)
		}
	}
}

// ownMisuse runs loops over no index and over a negative number of indices.
func (s *loopSuite) ownMisuse(t testing.TB) {
	t.Helper()
	for _, w := range s.of.ways() {
		for _, batch := range []int{0, 1, math.MaxInt} {
			if wrong := newLoop(0, batch, 2).run(w, s.patience); wrong != "" {
				t.Error(wrong)
			}
		}
		for _, n := range []int{-1, math.MinInt} {
			ran := false
			e := endingOf(s.patience, func() error {
				return w.run(n, 1, 1, func(_, _, _ int) error { ran = true; return nil })
			})
			if ran || e.goexit || e.stuck {
				t.Errorf("%s over %d indices: it %v, and ran a batch: %v", w.name, n, e, ran)
			}
		}
	}
}
