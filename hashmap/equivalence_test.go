package hashmap

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// species is a kind of map, with keys and values for numbers.
type species[K comparable, V any] struct {
	fresh   func() *Map[K, V]
	loose   bool // keys of one age come as they may: so ordinary operations put in only one between two jobs
	key     func(r *rand.Rand) K
	val     func(i int) V
	name    func(k K) string // tells keys apart, but those that are not equal to themselves
	compare func(a, b K) int
	sum     func(old, v V) V // associative
	mix     func(old, v V) V // not
}

// act is what a body does to a key: with which of its views, and whether in a job of its own.
type act[K comparable, V any] struct {
	view   int
	k      K
	v      V
	nested bool
}

// law is what a map holds, by the plain loop.
type law[K comparable, V any] struct {
	of  *species[K, V]
	all []aged[K, V]
	age int
}

// aged is a key that was put in at a time.
type aged[K comparable, V any] struct {
	k   K
	v   V
	age int
}

func (l *law[K, V]) find(k K) int {
	return slices.IndexFunc(l.all, func(a aged[K, V]) bool { return a.k == k })
}

// do does one thing. Ordinary operations are of one age.
func (l *law[K, V]) do(a act[K, V]) {
	i := l.find(a.k)
	if i < 0 {
		l.all = append(l.all, aged[K, V]{a.k, a.v, l.age})
		return
	}
	switch v := &l.all[i].v; a.view {
	case 1:
		*v = a.v
	case 2:
		*v = l.of.sum(*v, a.v)
	case 3:
		*v = l.of.mix(*v, a.v)
	}
}

// young reports whether a key was put in by an ordinary operation since the last job.
func (l *law[K, V]) young() bool {
	return slices.ContainsFunc(l.all, func(a aged[K, V]) bool { return a.age == l.age })
}

// list returns the keys and values in order, as text.
func (l *law[K, V]) list() (all []string) {
	slices.SortStableFunc(l.all, func(a, b aged[K, V]) int {
		if c := cmp.Compare(a.age, b.age); c != 0 {
			return c
		}
		return l.of.compare(a.k, b.k)
	})
	for _, a := range l.all {
		all = append(all, l.of.name(a.k)+fmt.Sprint("=", a.v))
	}
	return all
}

func (s *species[K, V]) list(m *Map[K, V]) (all []string) {
	for k, v := range m.All() {
		all = append(all, s.name(k)+fmt.Sprint("=", v))
	}
	return all
}

// adders are the views of a job.
type adders[K comparable, V any] struct {
	W        ParallelWriter[K, V]
	Sum, Mix ParallelMerger[K, V]
}

func (w *adders[K, V]) do(a act[K, V]) {
	if a.nested {
		a.nested = false
		parallelfor.For(2, *w, func(w *adders[K, V], i int) {
			if i == 1 {
				w.do(a)
			}
		}, parallelfor.Batch(1), parallelfor.Workers(2))
		return
	}
	switch a.view {
	case 0:
		w.W.Add(a.k, a.v)
	case 1:
		w.W.Set(a.k, a.v)
	case 2:
		w.Sum.Merge(a.k, a.v)
	case 3:
		w.Mix.Merge(a.k, a.v)
	}
}

var errEnough = errors.New("enough")

// program does the same to a map and to the law: ordinary operations, and jobs between them. It
// returns what differs.
func (s *species[K, V]) program(n, workers, batch int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	m, l := s.fresh(), &law[K, V]{of: s}
	defer fuzz.HandOut(seed)()
	for round := range 3 {
		for range r.IntN(20) {
			a := act[K, V]{view: 1, k: s.key(r), v: s.val(r.IntN(100))}
			i := l.find(a.k)
			switch {
			case a.k != a.k: // which have no order
			case s.loose && i < 0 && l.young():
			case r.IntN(3) > 0:
				l.do(a)
				m.Store(a.k, a.v)
			case i >= 0:
				l.all = slices.Delete(l.all, i, i+1)
				m.Delete(a.k)
			}
		}
		acts := make([][]act[K, V], n)
		for i := range acts {
			for range r.IntN(4) {
				acts[i] = append(acts[i], act[K, V]{r.IntN(4), s.key(r), s.val(r.IntN(100)), r.IntN(20) == 0})
			}
		}
		fails := n
		if n > 0 && r.IntN(3) == 0 {
			fails = r.IntN(n)
		}
		before := l.age
		for i := range min(fails+1, n) {
			for _, a := range acts[i] {
				l.age++
				l.do(a)
			}
		}
		if l.age > before { // otherwise it is as if there had been no job
			l.age++
		}
		views := adders[K, V]{m.ParallelWriter(), m.ParallelMerger(s.sum, Associative()), m.ParallelMerger(s.mix)}
		err := lawtest.Failure(func() error {
			parallelfor.For(n, views, func(w *adders[K, V], i int) {
				for _, a := range acts[i] {
					w.do(a)
				}
				if i >= fails {
					panic(errEnough)
				}
			}, parallelfor.Batch(batch), parallelfor.Workers(workers))
			return nil
		})
		if (err != nil) != (fails < n) || err != nil && !errors.Is(err, errEnough) {
			return fmt.Errorf("round %d: the job failed with %w", round, err)
		}
		if err := s.differs(m, l, workers, batch); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
	}
	return nil
}

// differs says how a map is not what the law says, in all its views.
func (s *species[K, V]) differs(m *Map[K, V], l *law[K, V], workers, batch int) error {
	want := l.list()
	if m.Len() != len(want) {
		return fmt.Errorf("%d keys, not %d", m.Len(), len(want))
	}
	parallelfor.For(len(want), m.Writer(), func(w *Writer[K, V], i int) {
		_, v := w.At(i)
		w.Set(i, s.sum(v, s.val(1)))
	}, parallelfor.Batch(batch), parallelfor.Workers(workers))
	for i := range l.all {
		l.all[i].v = s.sum(l.all[i].v, s.val(1))
	}
	want = l.list()
	got := make([]string, len(want))
	parallelfor.For(len(want), struct {
		R   Reader[K, V]
		Out []string `custody:"unguarded"`
	}{m.Reader(), got}, func(v *struct {
		R   Reader[K, V]
		Out []string `custody:"unguarded"`
	}, i int) {
		k, x := v.R.At(i)
		v.Out[i] = s.name(k) + fmt.Sprint("=", x)
		if y, ok := v.R.Load(k); k == k && (!ok || fmt.Sprint(x) != fmt.Sprint(y)) {
			panic(fmt.Sprint("Load gives ", y, ok))
		}
	}, parallelfor.Workers(workers))
	clone := m.Clone()
	for name, got := range map[string][]string{"Reader": got, "All": s.list(m), "Clone": s.list(clone)} {
		if !slices.Equal(got, want) {
			return fmt.Errorf("%s: %v, not %v", name, got, want)
		}
	}
	return nil
}

// equivalence tests a kind of map.
func equivalence[K comparable, V any](t *testing.T, name string, s species[K, V]) {
	t.Run(name, func(t *testing.T) {
		lawtest.Check(t, lawtest.Parameters(t, 60), "equals the sequential loop", prop.ForAll(
			func(n, workers, batch int, seed uint64) (string, error) {
				return "", s.program(n, workers, batch, seed)
			},
			gen.IntRange(0, 60), gen.IntRange(1, 8), gen.IntRange(0, 9), gen.UInt64(),
		))
	})
}

// parting is sizes with parts for the shortest jobs.
func (s sizes) parting() sizes {
	s.few = 1
	return s
}

// Jobs that add, set and merge, with ordinary operations between them, failures and nested jobs,
// make of all kinds of maps what the plain loop makes of them, in the same order.
func TestJobsEqualTheSequentialLoop(t *testing.T) {
	number := func(r *rand.Rand) int { return r.IntN(40) - 10 }
	add := func(a, b int) int { return a + b }
	mix := func(a, b int) int { return 3*a - b }
	concat := func(a, b string) string { return a + b }
	concats := func(a, b any) any { return a.(string) + b.(string) }
	arounds := func(a, b any) any { return b.(string) + a.(string) }
	around := func(a, b string) string { return b + a }
	floats := func(r *rand.Rand) float64 {
		return []float64{0, math.Copysign(0, -1), 1, -1.5, math.NaN(), math.Inf(1), 7, 8}[r.IntN(8)]
	}
	float := func(k float64) string {
		return strconv.FormatUint(math.Float64bits(k)&^(1<<63)|math.Float64bits(k)>>63<<62, 16)
	}
	text := func(r *rand.Rand) string { return strconv.Itoa(r.IntN(40)) }
	itself := func(k string) string { return k }
	for name, s := range map[string]sizes{"tiny": tiny, "tiny, in parts": tiny.parting(), "usual": usual, "usual, in parts": usual.parting()} {
		equivalence(t, name+", words", species[int, int]{func() *Map[int, int] { return initialised[int, int](s, nil) }, false, number, func(i int) int { return i }, strconv.Itoa, cmp.Compare[int], add, mix})
		equivalence(t, name+", words like marks", species[int, int]{func() *Map[int, int] { return plainWords(s) }, false, number, func(i int) int { return i % 4 }, strconv.Itoa, cmp.Compare[int], add, mix})
		equivalence(t, name+", words, large values", species[int, string]{func() *Map[int, string] { return initialised[int, string](s, nil) }, false, number, strconv.Itoa, strconv.Itoa, cmp.Compare[int], concat, around})
		equivalence(t, name+", small values", species[string, int]{func() *Map[string, int] { return plainSmalls(s, bad{3}) }, false, text, func(i int) int { return i % 4 }, itself, cmp.Compare[string], add, mix})
		equivalence(t, name+", floats", species[float64, int]{func() *Map[float64, int] {
			m := initialised[float64, int](s, nil)
			m.in.salt = 0
			return m
		}, false, floats, func(i int) int { return i % 4 }, float, cmp.Compare[float64], add, mix})
		equivalence(t, name+", large values", species[string, string]{func() *Map[string, string] { return initialised[string, string](s, nil) }, false, text, strconv.Itoa, itself, cmp.Compare[string], concat, around})
		equivalence(t, name+", large values of floats", species[any, any]{func() *Map[any, any] { return initialised[any, any](s, nil) }, true, func(r *rand.Rand) any { return floats(r) },
			func(i int) any { return strconv.Itoa(i) }, func(k any) string { return float(k.(float64)) }, func(any, any) int { return 0 }, concats, arounds})
	}
}
