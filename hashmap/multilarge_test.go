package hashmap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
)

// More values than memory could hold, which have no size, are counted rightly.
func TestVeryManyValues(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("not so many there")
	}
	defer func(n int) { mostAtOnce = n }(mostAtOnce)
	mostAtOnce = 5000
	m := NewMulti[int, int]()
	for range 3 {
		parallelfor.For(4000, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(i%2, i) })
	}
	require.Equal(t, 12_000, m.Len())
	require.Equal(t, 6000, m.Count(1))
	require.Equal(t, []int{3998, 0}, m.Values(0)[1999:2001])
}

// group is what a multimap should have of a key.
type group struct {
	k    int
	vals []int
}

// drawn is a multimap beside what it should be.
type drawn struct {
	m     *MultiMap[int, int]
	of    map[int]*group
	order []*group
}

func (d *drawn) add(k, v int) {
	g := d.of[k]
	if g == nil {
		g = &group{k: k}
		d.of[k], d.order = g, append(d.order, g)
	}
	g.vals = append(g.vals, v)
}

func (d *drawn) drop(k int) {
	if g := d.of[k]; g != nil {
		g.vals = nil
		delete(d.of, k)
	}
}

// step does one thing to both.
func (d *drawn) step(r *rand.Rand) string {
	m := d.m
	switch r.IntN(7) {
	case 0, 1, 2, 3:
		n, distinct, from := oneSpan+r.IntN(30_000), []int{10, 5000, 60_000, 300_000}[r.IntN(4)], r.IntN(1<<20)
		key := func(i int) int { return int((uint32(i)*2654435761+uint32(from))>>3) % distinct }
		parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(key(i), i) },
			parallelfor.Workers(1+r.IntN(3)), parallelfor.Batch([]int{0, 100, 5000}[r.IntN(3)]))
		for i := range n {
			d.add(key(i), i)
		}
		return fmt.Sprint("a loop over ", n, ", up to ", distinct, " keys")
	case 4:
		for range 10_000 {
			switch k := r.IntN(60_000); r.IntN(3) {
			case 0:
				m.Add(k, 1)
				d.add(k, 1)
			case 1:
				m.Delete(k)
				d.drop(k)
			case 2:
				m.Replace(k, []int{4, 5})
				if g := d.of[k]; g != nil {
					g.vals = nil
				}
				d.add(k, 4)
				d.add(k, 5)
			}
		}
		return "ordinary operations"
	case 5:
		for _, g := range d.order {
			if g.vals != nil && r.IntN(10) > 0 {
				m.Delete(g.k)
				d.drop(g.k)
			}
		}
		return "much was deleted"
	}
	if r.IntN(3) == 0 {
		m.Clear()
		clear(d.of)
		d.order = nil
		return "Clear"
	}
	parallelfor.For(m.LenKeys(), m.Writer(), func(w *MultiWriter[int, int], i int) {
		_, vals := w.At(i)
		for x := range vals {
			vals[x] += i
		}
	})
	for i, g := range d.order {
		for x := range g.vals {
			g.vals[x] += i
		}
	}
	return "values were written"
}

// Loops that add much, to few keys and to many, between all else that changes a multimap, make of
// it what the plain loop makes of it.
func TestLargeLoopsMakeOfAMultiMapWhatTheSequentialLoopMakes(t *testing.T) {
	for seed := range uint64(8) {
		if (atom.Race || atom.Explored) && seed > 0 {
			return // slow there
		}
		r := rand.New(rand.NewPCG(seed, 7))
		s := multiSizes{stripes: 1 << r.IntN(4), part: 16 << r.IntN(8), few: 100, gone: r.IntN(100)}
		d := &drawn{m: multi[int, int](s, nil), of: map[int]*group{}}
		for step := range 8 {
			what := fmt.Sprint("seed ", seed, ", step ", step, ": ", d.step(r))
			d.order = slices.DeleteFunc(d.order, func(g *group) bool { return g.vals == nil })
			i := 0
			for k, vals := range d.m.Groups() {
				if i >= len(d.order) || k != d.order[i].k || !slices.Equal(vals, d.order[i].vals) {
					t.Fatalf("%s: key %d is %d", what, i, k)
				}
				i++
			}
			require.Equal(t, []int{len(d.order), len(d.order)}, []int{i, d.m.LenKeys()}, what)
			for j := 0; j < len(d.order); j += 97 {
				require.Equal(t, d.order[j].vals, d.m.Values(d.order[j].k), what)
			}
		}
	}
}

// A loop that adds many values to each of many keys of an empty multimap leaves them as others do,
// beside each other in the order of the keys; and what comes after it finds them so.
func TestTheValuesOfManyKeysLieInTheirOrder(t *testing.T) {
	const n, keys = 100_000, 9000
	m := NewMulti[int, int]()
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]int, n)
	for i := range list {
		list[i] = r.IntN(keys)
	}
	key := func(i int) int { return list[i] }
	for round := range 2 {
		want := map[int][]int{}
		var order []int
		for i := range n {
			k := key(i)
			if want[k] == nil {
				order = append(order, k)
			}
			want[k] = append(want[k], i)
		}
		parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(key(i), i) }, parallelfor.Workers(2))
		require.Equal(t, order, keysOf(m.Groups()))
		var last *int
		for i, x := range m.in.order.keys {
			_, at := m.in.at(x.ref)
			vals := *(*[]int)(ref(at))
			require.Equal(t, want[order[i]], vals)
			if last != nil {
				require.Equal(t, unsafe.Add(unsafe.Pointer(last), unsafe.Sizeof(*last)), unsafe.Pointer(&vals[0]), "round %d", round)
			}
			last = &vals[len(vals)-1]
		}
		require.Equal(t, n, m.Len())
		m.Add(order[7], -1)
		require.Equal(t, append(want[order[7]], -1), m.Values(order[7]))
		require.Equal(t, want[order[8]], m.Values(order[8]))
		m.Delete(order[3])
		m.Clear()
	}
}

// So do loops where parts had only keys that no search finds.
func TestALoopAfterNaNs(t *testing.T) {
	m := NewMulti[float64, int]()
	for i := range 200 {
		m.Add(math.NaN(), i)
	}
	const n = oneSpan + 10_000
	parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[float64, int], i int) { w.Add(float64(i), i) })
	require.Equal(t, n+200, m.LenKeys())
	for i := range n {
		require.Equal(t, []int{i}, m.Values(float64(i)))
	}
}
