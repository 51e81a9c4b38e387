package lane

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// loop is a loop that appends, and how its batches are handed out.
type loop struct {
	batches, workers int
	most             int // items of a batch, at most
	fails            int // batches that fail, at most
	seed             uint64
}

// items returns what each batch appends, by the number of items, and after how many it fails, or
// -1.
func (p loop) items() (counts, fails []int) {
	r := rand.New(rand.NewPCG(p.seed, 1))
	counts, fails = make([]int, p.batches), make([]int, p.batches)
	for c := range counts {
		if r.IntN(3) > 0 {
			counts[c] = r.IntN(p.most + 1)
		}
		fails[c] = -1
	}
	for range p.fails {
		if p.batches > 0 {
			c := r.IntN(p.batches)
			fails[c] = r.IntN(counts[c] + 1)
		}
	}
	return counts, fails
}

// item is what batch c appends as its k-th.
func item(c, k int) int { return c*1000 + k }

// sequential returns what the sequential loop appends.
func (p loop) sequential() (want []int) {
	counts, fails := p.items()
	for c, n := range counts {
		if fails[c] >= 0 {
			n = fails[c]
		}
		for k := range n {
			want = append(want, item(c, k))
		}
		if fails[c] >= 0 {
			break
		}
	}
	return want
}

// run runs the loop's batches on the lanes, in stretches that workers take and steal in any order,
// and returns the batches that are kept. It is what safety.SpanView and safety.Phase promise of
// drivers.
func (p loop) run(lane func(worker int) func(batch int, begins bool) (put func(k int))) (kept int) {
	r := rand.New(rand.NewPCG(p.seed, 2))
	counts, fails := p.items()
	kept = p.batches
	follows := make([]int, p.workers) // the batch that would go on the worker's run
	for w := range follows {
		follows[w] = -1
	}
	var stretches [][2]int
	for c := 0; c < p.batches; {
		end := min(p.batches, c+1+r.IntN(1+p.batches/p.workers))
		stretches = append(stretches, [2]int{c, end})
		c = end
	}
	if r.IntN(2) == 0 {
		r.Shuffle(len(stretches), func(i, k int) { stretches[i], stretches[k] = stretches[k], stretches[i] })
	}
	for _, s := range stretches {
		w := r.IntN(p.workers)
		for c := s[0]; c < s[1] && c < kept; c++ {
			put := lane(w)(c, c != follows[w])
			follows[w] = c + 1
			n := counts[c]
			if fails[c] >= 0 {
				n, kept, follows[w] = fails[c], c+1, -1
			}
			for k := range n {
				put(k)
			}
		}
	}
	return kept
}

// model runs the loop on lanes and says what is wrong with the items. The lanes may have been used
// before.
func model[T any](ls *Lanes[T], of func(int) T, is func(T) int, p loop) string {
	return modelOf(ls, of, p, func(s Items[T], want []int) string { return differs(s, is, want) })
}

// modelOf is model where check says what is wrong.
func modelOf[T any](ls *Lanes[T], of func(int) T, p loop, check func(s Items[T], want []int) string) (wrong string) {
	ph := &safety.Phase{Mode: safety.Append, Workers: p.workers, N: p.batches, Batches: p.batches, BatchSize: 1}
	ph.Parallel = func(n int, f func(k int)) {
		for k := range n {
			f(n - 1 - k)
		}
	}
	ls.Open(ph)
	items := make([]T, 0, p.most)
	ph.Kept = p.run(func(w int) func(int, bool) func(int) {
		l := ls.Lane(w)
		return func(batch int, begins bool) func(int) {
			if begins {
				l.BeginSpan(batch)
				l.BeginSpan(batch) // as a second view of the container does
				if batch%4 == 0 {
					l.AppendAll(nil, l.AvailableBuffer(nil)) // a buffer that nothing is appended to
				}
			}
			return func(k int) {
				if batch%3 != 0 || k%2 == 0 {
					l.Append(nil, of(item(batch, k)))
					return
				}
				if batch%2 == 0 {
					l.AppendAll(nil, append(l.AvailableBuffer(nil), of(item(batch, k)), of(-1))[:1]) // and something behind it that is not appended
					return
				}
				items = append(items[:0], of(item(batch, k)))
				l.AppendAll(nil, items)
			}
		}
	})
	want := p.sequential()
	ls.Seal(ph, func(s Items[T]) { wrong = check(s, want) })
	if wrong == "" && (field(&ls.of, "open").Bool() || field(&ls.of, "total").Int() != 0 || field(&ls.of, "order").Len() != 0) {
		wrong = "the lanes are not empty after the seal"
	}
	return wrong
}

// differs compares what the items are in every way that there is.
func differs[T any](s Items[T], is func(T) int, want []int) string {
	same := func(how string, got []int) string {
		if slices.Equal(got, want) {
			return ""
		}
		return fmt.Sprintf("%s: %d items, expected %d: %v", how, len(got), len(want), firstDifference(got, want))
	}
	numbers := func(list []T) (got []int) {
		for _, v := range list {
			got = append(got, is(v))
		}
		return got
	}
	if s.Len() != len(want) {
		return fmt.Sprintf("there are %d items, expected %d", s.Len(), len(want))
	}
	var pieces []T
	for _, piece := range s.Slices(0, s.Len()) {
		if len(piece) == 0 || cap(piece) != len(piece) {
			return fmt.Sprintf("a piece of length %d and capacity %d", len(piece), cap(piece))
		}
		pieces = append(pieces, piece...)
	}
	short := make([]T, len(want)/2)
	long := make([]T, len(want)+3)
	if n := s.CopyTo(short); n != len(short) {
		return fmt.Sprintf("%d items were copied where there was room for %d", n, len(short))
	}
	if n := s.CopyTo(long); n != len(want) {
		return fmt.Sprintf("%d items were copied of %d", n, len(want))
	}
	for range s.Slices(0, s.Len()) { // leaving early is allowed
		break
	}
	for _, wrong := range []string{
		same("Slices", numbers(pieces)), same("CopyTo", numbers(long[:len(want)])),
	} {
		if wrong != "" {
			return wrong
		}
	}
	if got := numbers(short); !slices.Equal(got, want[:len(short)]) {
		return "CopyTo with too little room: " + firstDifference(got, want)
	}
	return ""
}

func firstDifference(got, want []int) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("item %d is %d, expected %d", i, got[i], want[i])
		}
	}
	return "one is the beginning of the other"
}

// wide is large enough for a few items to fill a chunk, and some more a part of a copy.
type wide struct {
	n int
	_ [2000]byte
}

// The items are those of the sequential loop, in its order, whichever worker ran which batches
// when, and whichever batches failed on their way. The lanes are used again for every case.
func TestTheOrderIsThatOfTheSequentialLoop(t *testing.T) {
	loops := func(most int, f func(p loop) string) func(t *testing.T) {
		return func(t *testing.T) {
			parameters := lawtest.Parameters(t, 300)
			lawtest.Check(t, parameters, "order", prop.ForAll(
				func(batches, workers, most, fails int, seed uint64) string {
					return f(loop{batches, workers, most, fails, seed})
				},
				gen.IntRange(0, 60), gen.IntRange(1, 8), gen.IntRange(0, most), gen.IntRange(0, 2), gen.UInt64(),
			))
		}
	}
	var words Lanes[int]
	var pointers Lanes[*int]
	var wides Lanes[wide]
	t.Run("words", loops(200, func(p loop) string {
		return model(&words, func(i int) int { return i }, func(v int) int { return v }, p)
	}))
	t.Run("pointers", loops(200, func(p loop) string {
		return model(&pointers, func(i int) *int { return &i }, func(v *int) int { return *v }, p)
	}))
	t.Run("wide items", loops(30, func(p loop) string {
		return model(&wides, func(i int) wide { return wide{n: i} }, func(v wide) int { return v.n }, p)
	}))
}

// What a nested job appends is spliced into the lane of the batch that scheduled it, where that is:
// between what the batch appends before and after.
func TestTheOrderOfNestedLoops(t *testing.T) {
	var ls Lanes[int]
	nested := func(outer *Lane[int], c int, p loop) (want []int) {
		in := &safety.Phase{Mode: safety.Append, Workers: p.workers, Batches: p.batches, Into: outer, Parallel: once}
		ls.Open(in)
		of := nestedIn[int](in)
		in.Kept = p.run(func(w int) func(int, bool) func(int) {
			return func(batch int, begins bool) func(int) {
				if begins {
					of.Lane(w).BeginSpan(batch)
				}
				return func(k int) { of.Lane(w).Append(nil, 1000000*c+item(batch, k)) }
			}
		})
		for _, v := range p.sequential() {
			want = append(want, 1000000*c+v)
		}
		ls.Seal(in, func(Items[int]) { t.Error("the items of a nested job do not go to the container") })
		return want
	}
	lawtest.Check(t, lawtest.Parameters(t, 150), "nested", prop.ForAll(
		func(batches, workers, fails int, seed uint64) (wrong string) {
			p := loop{batches, workers, 3, fails, seed}
			_, failing := p.items()
			parts := make([][]int, batches)
			ph := &safety.Phase{Mode: safety.Append, Workers: workers, Batches: batches, Parallel: once}
			ls.Open(ph)
			ph.Kept = p.run(func(w int) func(int, bool) func(int) {
				l := ls.Lane(w)
				return func(c int, begins bool) func(int) {
					if begins {
						l.BeginSpan(c)
					}
					inner := loop{batches: c % 7, workers: 1 + c%3, most: 90, fails: c % 2, seed: seed + uint64(c)}
					parts[c] = nested(l, c, inner)
					return func(k int) {
						l.Append(nil, -item(c, k))
						parts[c] = append(parts[c], -item(c, k))
					}
				}
			})
			var want []int
			for c := range batches {
				want = append(want, parts[c]...)
				if failing[c] >= 0 {
					break
				}
			}
			ls.Seal(ph, func(s Items[int]) { wrong = differs(s, func(v int) int { return v }, want) })
			return wrong
		},
		gen.IntRange(0, 30), gen.IntRange(1, 4), gen.IntRange(0, 1), gen.UInt64(),
	))
}
