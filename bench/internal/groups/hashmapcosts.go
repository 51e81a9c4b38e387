package groups

import (
	"hash/maphash"
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
)

const scattered = "scattered keys"

// patterned are keys that follow a pattern.
var patterned = []struct {
	name string
	key  func(i int) int
}{
	{"strided", func(i int) int { return i << 20 }},
	{"dense", func(i int) int { return i }},
	{"packed", func(i int) int { return packed(i%47, i/47%47, i/47/47) }},
}

// scatter returns keys that follow none.
func scatter(i int) int { return int(uint64(i) * 0x9e3779b97f4a7c15) }

// patterns adds the rows of keys that follow a pattern, put in and looked up, against keys that
// follow none.
func patterns(r *rows.Run) {
	const n = 100_000
	list := func(key func(i int) int) []int {
		keys := make([]int, n)
		for i := range keys {
			keys[i] = key(i)
		}
		return keys
	}
	order := rand.New(rand.NewPCG(5, 6)).Perm(n)
	fill := func(keys []int) *hashmap.Map[int, int] {
		m := hashmap.New[int, int]()
		for i, k := range keys {
			m.Store(k, i)
		}
		return m
	}
	puts := func(name string, keys []int) measure.Side {
		return measure.Do(name, func() { rows.MustBe(name, fill(keys).Len(), n) })
	}
	looks := func(name string, keys []int) measure.Side {
		m := fill(keys)
		return measure.Do(name, func() {
			sum := 0
			for _, i := range order {
				v, _ := m.Load(keys[i])
				sum += v
			}
			rows.MustBe(name, sum, n*(n-1)/2)
		})
	}
	without := list(scatter)
	for _, p := range patterned {
		keys := list(p.key)
		r.Compare("map, 100k "+p.name+" keys put in", n, nil, puts(ours, keys), puts(scattered, without)).AtMostOfOwn(1.5, scattered)
		r.Compare("map, 100k "+p.name+" keys looked up", n, nil, looks(ours, keys), looks(scattered, without)).AtMostOfOwn(1.5, scattered)
	}
}

// packed is the number of a cell of space.
func packed(x, y, z int) int { return x | y<<21 | z<<42 }

// alike and apart hash keys in the worst and in a good way.
type (
	alike struct{}
	apart struct{}
)

func (alike) Hash(*maphash.Hash, int)     {}
func (alike) Equal(a, b int) bool         { return a == b }
func (apart) Hash(h *maphash.Hash, k int) { maphash.WriteComparable(h, k) }
func (apart) Equal(a, b int) bool         { return a == b }

const good = "good hashes"

// inEqualHashes is how many keys have one hash. The ratio grows with their number. A brief run has
// fewer, and the bar is for these.
const inEqualHashes = 20_000

// equalHashes adds the row of keys that have all the same hash.
func equalHashes(r *rows.Run) {
	n := r.Sized(inEqualHashes, 5000)
	fill := func(name string, h hashmap.Hasher[int]) measure.Side {
		return measure.Do(name, func() {
			m := hashmap.NewWith[int, int](h)
			for i := range n {
				m.Store(i, i)
			}
			rows.MustBe(name, m.Len(), n)
		})
	}
	compare := func(name string, h hashmap.Hasher[int]) measure.Side {
		return measure.Do(name, func() {
			equal := 0
			for i := range n {
				for k := range i {
					if h.Equal(k, i) {
						equal++
					}
				}
			}
			rows.MustBe(name, equal, 0)
		})
	}
	hashes(r, n, "map, "+rows.Thousands(n)+" keys of one hash put in", fill(ours, alike{}), fill(good, apart{}), compare("its comparisons alone", alike{}))
}

// hashes adds the row that keys of one hash take at most 50 times as long as others. It may be
// seconds: so it is done just once in a repetition, and in few of them.
func hashes(r *rows.Run, n int, work string, sides ...measure.Side) {
	series := &measure.Series{Sides: sides, Times: make([][]float64, len(sides))}
	for range measure.LeastReps {
		for i, side := range sides {
			runtime.GC()
			series.Times[i] = append(series.Times[i], float64(side.Time(1).Nanoseconds())/float64(n))
		}
	}
	c := r.Measured(work, series)
	c.AtMostOfOwn(50, good)
}

// overwrites adds the rows that to overwrite a small value allocates nothing.
func overwrites(r *rows.Run) {
	const n = 1000
	numbers, texts := hashmap.New[int, int](), hashmap.New[string, int64]()
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
		numbers.Store(i, i)
		texts.Store(names[i], int64(i))
	}
	i := 0
	for _, c := range []struct {
		work string
		do   func()
	}{
		{"int -> int, overwritten", func() { numbers.Store(i%n, i) }},
		{"string -> int64, overwritten", func() { texts.Store(names[i%n], int64(i)) }},
		{"int -> int, swapped", func() { numbers.Swap(i%n, i) }},
	} {
		allocs := measure.Allocs(r.Config, n, func() { c.do(); i++ })
		r.Rows = append(r.Rows, report.Row{Group: r.Group, Work: "map, allocations of " + c.work, Unit: "allocs", Ours: allocs.Median, Ratio: allocs})
	}
}

// memory adds the rows of what an entry takes in a map that has grown, and in one that a loop has
// filled. 8 bytes of it are its value, and 8, or of strings 16, its key. The bar is in bytes.
func memory[K mapKey](r *rows.Run, kind string, key func(i int) K, bar float64) {
	n := r.Sized(1_000_000, 250_000)
	keys := make([]K, n)
	for i := range keys {
		keys[i] = key(i)
	}
	held := func(fill func() any) float64 {
		before := heap()
		m := fill()
		after := heap()
		runtime.KeepAlive(m)
		return float64(after-before) / float64(n)
	}
	grown := func(c contender[K, word]) float64 {
		return held(func() any {
			o := c.open(0)
			o.fill(keys, 0)
			return o
		})
	}
	all := contenders[K, word](n)
	own := grown(all[0])
	row := report.Row{Group: r.Group, Unit: "B"}
	add := func(how string, own, ratio float64) {
		row.Work = "map, " + rows.Thousands(n) + " " + kind + ", " + how + ", bytes an entry"
		row.Ours, row.Ratio = own, measure.Estimate{Median: ratio, Lo: ratio, Hi: ratio}
		r.Rows = append(r.Rows, row)
	}
	row.Bar, row.Info = bar, bar == 0
	add("grown", own, own)
	row.Bar, row.Info = 0, true
	list := array.Of(keys)
	filled := held(func() any { return ofPhase(list) })
	runtime.KeepAlive(list)
	add("filled by a loop", filled, filled)
	for _, p := range append(rightly(r, all)[1:], plain[K, word]()) {
		its := grown(p)
		row.Peer, row.PeerTime = p.name, its
		add("grown", own, own/its)
	}
}

// heap returns how many bytes live.
func heap() int64 {
	var s runtime.MemStats
	for range 20 { // as many as spare memory lasts, and more
		runtime.GC()
		time.Sleep(time.Millisecond) // for cleanups
	}
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
