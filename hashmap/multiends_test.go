package hashmap

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"
	"unsafe"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// sharing is a job that adds.
type sharing struct{ S MultiShared[int, int] }

func (j *sharing) Execute(i int) { j.S.Add(i, i) }

// A loop that asks how long it is to be when it begins knows of keys that were put in and deleted until then, in whatever way, also
// while somebody ranges over them.
func TestLoopsOverTheKeysThatThereAreThen(t *testing.T) {
	m := NewMulti[int, int]()
	visited := func(opts ...parallelfor.Option) int {
		var n atom.Int64
		parallelfor.For(-1, m.Reader(), func(r *MultiReader[int, int], i int) {
			r.At(i)
			n.Add(1)
		}, append(opts, parallelfor.LengthOf(m.Reader()))...)
		return int(n.Load())
	}
	for k := range 100 {
		m.Add(k, k)
	}
	require.Equal(t, 100, visited())
	for k := range 10 {
		m.Delete(k)
	}
	require.Equal(t, 90, visited())
	m.Add(1000, 1)
	parallelfor.For(-1, m.Writer(), func(w *MultiWriter[int, int], i int) {
		_, vals := w.At(i)
		vals[0] = -1
	}, parallelfor.LengthOf(m.Writer()))
	for _, v := range m.All() {
		require.Equal(t, -1, v)
	}
	h := parallelfor.Schedule(100, sharing{m.Shared()})
	require.Equal(t, 101, visited(parallelfor.After(h)))
	h.Complete()
	for range 50 {
		m.Delete(1000)
		m.Add(1000, 1)
		together(t, func() { visited() }, func() {
			for range m.Keys() {
				break
			}
		})
	}
}

// memory returns how much memory is in use.
func memory() int {
	runtime.GC()
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int(s.HeapAlloc)
}

// Values that stay do not keep the memory of those that loops have added beside them and that are deleted.
func TestFewValuesDoNotKeepMuchMemory(t *testing.T) {
	for name, end := range map[string]func(m *MultiMap[int, int]){
		"Delete":  func(m *MultiMap[int, int]) { m.Delete(0) },
		"Replace": func(m *MultiMap[int, int]) { m.Replace(0, []int{1}) },
	} {
		const n, rounds = 20_000, 100
		m, before := NewMulti[int, int](), memory()
		for r := range rounds {
			parallelfor.For(n+1, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) {
				if i == n {
					w.Add(1+r, i)
				} else {
					w.Add(0, i)
				}
			}, parallelfor.Workers(2))
			end(m)
		}
		require.Less(t, memory()-before, 3<<20, name)
		m.Trim()
		require.Less(t, memory()-before, 2<<20, name)
		require.GreaterOrEqual(t, m.Len(), rounds)
	}
}

// Clear lets go of the values of loops, also where parts give their memory up.
func TestClearKeepsNoValues(t *testing.T) {
	m := NewMulti[any, any]()
	for k := range 20_000 {
		m.Add(strconv.Itoa(k), nil)
	}
	for k := range 20_000 {
		m.Delete(strconv.Itoa(k))
	}
	var all [5000]weak.Pointer[fuzz.Item]
	parallelfor.For(len(all), m.ParallelWriter(), func(w *MultiParallelWriter[any, any], i int) {
		v := new(fuzz.Item)
		all[i] = weak.Make(v)
		w.Add(strconv.Itoa(i%10), v)
	})
	m.Clear()
	isGarbage(t, all[:])
	runtime.KeepAlive(m)
}

// What is empty has next to no memory after Trim.
func TestTrimOfWhatIsEmpty(t *testing.T) {
	const n = 100_000
	m, before := NewMulti[int, int](), memory()
	fill := func() {
		parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(i, i) })
	}
	fill()
	m.Clear()
	m.Trim()
	require.Less(t, memory()-before, 1<<20)
	fill()
	for k := range n {
		m.Delete(k)
	}
	m.Trim()
	require.Less(t, memory()-before, 1<<20)
	m.Add(1, 2)
	require.Equal(t, []int{1}, slices.Collect(m.Keys()))
	require.Equal(t, []int{2}, m.Values(1))
}

// As many values as nobody has memory for, which have no size, are counted rightly.
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

// With few keys a key that comes and goes costs what it costs where there never were many.
func TestKeysThatAreGoneCostNothing(t *testing.T) {
	m := multi[int, int](multiSizes{stripes: 1, part: 4096, few: 1024, gone: 64}, nil)
	for k := range 100_000 {
		m.Add(k, k)
	}
	for k := range 100_000 {
		m.Delete(k)
	}
	vals := make([]int, 64)
	gathered, left := 0, 0
	for range 1000 {
		m.AddAll(7, vals)
		m.Delete(7)
		if m.parts[0].left < left {
			gathered++
		}
		left = m.parts[0].left
	}
	require.LessOrEqual(t, gathered, 3, "all groups are not passed over each time")
}

// Keys does not copy values.
func TestKeysCopiesNoValues(t *testing.T) {
	m := NewMulti[int, int]()
	m.Replace(1, make([]int, 1<<20))
	var s, e runtime.MemStats
	runtime.ReadMemStats(&s)
	require.Len(t, slices.Collect(m.Keys()), 1)
	runtime.ReadMemStats(&e)
	require.Less(t, e.TotalAlloc-s.TotalAlloc, uint64(1<<20))
}

// failing is a Hasher that panics when a number of calls was made.
type failing struct{ hashes, equals *int }

var errHasher = errors.New("hasher")

func (f failing) Hash(h *maphash.Hash, k int) {
	switch *f.hashes--; {
	case *f.hashes == 0:
		panic(errHasher)
	case *f.hashes == math.MinInt+1:
		runtime.Goexit()
	}
	maphash.WriteComparable(h, k)
}

func (f failing) Equal(a, b int) bool {
	if *f.equals--; *f.equals == 0 {
		panic(errHasher)
	}
	return a == b
}

// consistent says that a multimap has the keys and values that it says it has.
func consistent(t *testing.T, m *MultiMap[int, int]) {
	t.Helper()
	keys, values := 0, 0
	for _, vals := range m.Groups() {
		keys++
		values += len(vals)
	}
	require.Equal(t, []int{keys, values}, []int{m.LenKeys(), m.Len()})
}

// A Hasher that panics in an operation leaves no trace, and one that panics while a loop's values are put in leaves what was there.
func TestHashersThatPanicInAMultiMap(t *testing.T) {
	hashes, equals := math.MaxInt, 1
	m := NewMultiWith[int, int](failing{&hashes, &equals})
	require.Panics(t, func() { m.Add(1, 1) })
	consistent(t, m)
	require.Zero(t, m.LenKeys())
	equals = math.MaxInt
	const old, n = 20_000, 150_000
	for k := range old {
		m.Add(k, k)
	}
	for _, at := range []int{mostLocals / 2, mostLocals + old/2, mostLocals + old + 5000, n} {
		hashes = at
		err := lawtest.Failure(func() error {
			parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(old+i, i) }, parallelfor.Workers(1))
			return nil
		})
		require.ErrorIs(t, err, errHasher)
		hashes = math.MaxInt
		consistent(t, m)
		require.Equal(t, old, m.Len())
	}
	for _, n := range []int{10, n} {
		hashes = math.MinInt + n
		v := lawtest.Violation(t, func() error {
			parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(old+i, i) }, parallelfor.Workers(1))
			return nil
		})
		require.ErrorIs(t, v, safety.ErrArgument)
		require.Contains(t, v.Error(), "the Hasher of hashmap.MultiMap[int,int] ended its goroutine")
		hashes = math.MaxInt
		consistent(t, m)
	}
}

// odd is a key in which a NaN may hide what cannot be compared.
type odd struct {
	f float64
	x any
}

// A key that cannot be compared is refused where it is added, also where == does not come upon what makes it so.
func TestKeysThatHideThatTheyCannotBeCompared(t *testing.T) {
	w := new(MultiParallelWriter[any, any])
	for _, k := range []odd{{math.NaN(), []int{1}}, {1, []int{1}}} {
		func() {
			defer func() {
				_, is := recover().(runtime.Error)
				require.True(t, is)
			}()
			w.Add(k, 1)
		}()
		require.Panics(t, func() { mustCompare(k) })
	}
	require.ErrorIs(t, lawtest.Violation(t, func() error { w.Add(odd{math.NaN(), 1}, 1); return nil }), safety.ErrStaleView)
}

// Keys with equal hashes do not take much longer than others, also where they go to other parts.
func TestPartsOfEqualHashes(t *testing.T) {
	took := map[bool]time.Duration{}
	for _, equal := range []bool{false, true} {
		m := NewMulti[string, int]()
		if equal {
			m.keys.hashing = hashing[string]{hash: zero}
		}
		const old, n = 10_000, 80_000
		for k := range old {
			m.Add(strconv.Itoa(k), k)
		}
		begin := time.Now()
		parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[string, int], i int) { w.Add(strconv.Itoa(i), i) })
		took[equal] = time.Since(begin)
		require.Equal(t, n, m.LenKeys())
		require.Equal(t, []int{5, 5}, m.Values("5"))
	}
	require.Less(t, took[true], 50*took[false])
}

// A body that uses the multimap whose view it has is told, or has its job fail, and does not hang.
func TestABodyThatUsesItsOwnMultiMap(t *testing.T) {
	m := NewMulti[int, int]()
	v := lawtest.Violation(t, func() error {
		parallelfor.Do(m.ParallelWriter(), func(w *MultiParallelWriter[int, int]) {
			w.Add(1, 1)
			m.Count(1)
		})
		return nil
	})
	require.ErrorIs(t, v, safety.ErrInFlight)
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

// Loops that add much, to few keys and to many, between all else that changes a multimap, make of it what the plain loop makes of it.
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

// A loop that adds many values to each of many keys of an empty multimap leaves them as others do, beside each other in the order of the
// keys; and what comes after it finds them so.
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
		require.Equal(t, order, slices.Collect(m.Keys()))
		var last *int
		for i, ref := range m.order.refs {
			vals := m.at(ref).vals
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

// So do loops where parts had nothing but keys that nobody finds.
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
