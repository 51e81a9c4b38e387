package groups

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/hashmap"
)

func mapRows(r *Run) {
	for _, entries := range []int{100_000, 1_000_000} {
		shared(r, "int", entries, func(i int) int { return i * 7919 })
		shared(r, "string", entries, func(i int) string { return "key" + strconv.Itoa(i*7919) })
	}
	manyMeet(r)
}

// inMaps is how many operations a worker does.
const inMaps = 1 << 18

// mixes are how many of a hundred operations store; the others load.
var mixes = []int{1, 10, 50}

// shared adds the rows of a map that all workers use: for int keys at most 0.7 of xsync's time, but where most only read
// what lies in the cache; for others at most 1.05 of the fastest peer's.
func shared[K comparable](r *Run, kind string, entries int, key func(i int) K) {
	m := newMaps[K]()
	keys := make([]K, 2*entries)
	for i := range keys {
		keys[i] = key(i)
	}
	for i, k := range keys[:entries] {
		m.ours.Store(k, i)
		m.xsync.Store(k, i)
		m.sharded.Store(k, i)
		m.sync.Store(k, i)
	}
	rand.New(rand.NewPCG(3, 4)).Shuffle(entries, func(i, j int) {
		keys[entries+i], keys[entries+j] = keys[entries+j], keys[entries+i]
	})
	add := func(c *comparison, bar float64) {
		c.peers = []string{"xsync.Map", "64 maps under locks", "sync.Map"}
		if kind == "int" {
			c.atMostOf(bar, "xsync.Map")
			return
		}
		c.atMostOf(1.05, c.Best(c.peers...))
	}
	for _, zipf := range []bool{false, true} {
		drawn, name := draws(entries, zipf), "uniform"
		if zipf {
			name = "Zipf"
		}
		for _, stores := range mixes {
			want := int64(0)
			for _, ds := range drawn {
				for i, d := range ds {
					if i*97%100 >= stores {
						want += int64(d)
					}
				}
			}
			bar := 0.7
			if entries == 100_000 && stores == 1 {
				bar = 1
			}
			add(r.compare(fmt.Sprintf("map, %s keys, %dk %s, %d/%d", kind, entries/1000, name, 100-stores, stores), len(drawn)*inMaps, nil,
				mixed(ours, drawn, want, func(p int) int64 { return mixOurs(m.ours, keys, drawn[p], stores) }),
				mixed("xsync.Map", drawn, want, func(p int) int64 { return mixXsync(m.xsync, keys, drawn[p], stores) }),
				mixed("64 maps under locks", drawn, want, func(p int) int64 { return mixSharded(m.sharded, keys, drawn[p], stores) }),
				mixed("sync.Map", drawn, want, func(p int) int64 { return mixSync(m.sync, keys, drawn[p], stores) })), bar)
		}
	}
	fresh := keys[entries:]
	procs := runtime.GOMAXPROCS(0)
	churn := func(name string, store func(k K, v int), remove func(k K), length func() int) measure.Side {
		return measure.Do(name, func() {
			parts(min(len(fresh), inMaps/2*procs), func(_, begin, end int) {
				for i := begin; i < end+64; i++ {
					if i < end {
						store(fresh[i], i)
					}
					if i-64 >= begin {
						remove(fresh[i-64])
					}
				}
			})
			mustBe(name, length(), entries)
		})
	}
	add(r.compare(fmt.Sprintf("map, %s keys, %dk, put in and deleted", kind, entries/1000), 2*min(len(fresh), inMaps/2*procs), nil,
		churn(ours, m.ours.Store, m.ours.Delete, m.ours.Len),
		churn("xsync.Map", m.xsync.Store, m.xsync.Delete, m.xsync.Size),
		churn("64 maps under locks", m.sharded.Store, m.sharded.Delete, m.sharded.Len),
		churn("sync.Map", func(k K, v int) { m.sync.Store(k, v) }, func(k K) { m.sync.Delete(k) }, func() int { return entries })), 0.7)
}

// draws returns for each processor which entries it uses.
func draws(entries int, zipf bool) [][]int32 {
	all := make([][]int32, runtime.GOMAXPROCS(0))
	for p := range all {
		r := rand.New(rand.NewPCG(uint64(p), 7))
		z := rand.NewZipf(r, 1.01, 1, uint64(entries-1))
		all[p] = make([]int32, inMaps)
		for i := range all[p] {
			if zipf {
				all[p][i] = int32(z.Uint64())
			} else {
				all[p][i] = int32(r.IntN(entries))
			}
		}
	}
	return all
}

// mixed is a side in which all processors use a map.
func mixed(name string, drawn [][]int32, want int64, use func(p int) int64) measure.Side {
	return measure.Do(name, func() {
		sums := make([]int64, 8*len(drawn))
		var wg sync.WaitGroup
		for p := range drawn {
			wg.Go(func() { sums[8*p] = use(p) })
		}
		wg.Wait()
		sum := int64(0)
		for _, s := range sums {
			sum += s
		}
		mustBe(name, sum, want)
	})
}

// maps are the sides' maps.
type maps[K comparable] struct {
	ours    *hashmap.Map[K, int]
	xsync   *xsync.Map[K, int]
	sharded *sharded[K]
	sync    *sync.Map
}

func newMaps[K comparable]() *maps[K] {
	return &maps[K]{hashmap.New[K, int](), xsync.NewMap[K, int](), newSharded[K](), new(sync.Map)}
}

// Each side has a loop of its own, which calls the map's methods: through a function value or an interface a call would cost
// as much as the least of what is measured.

func mixOurs[K comparable](m *hashmap.Map[K, int], keys []K, drawn []int32, stores int) (sum int64) {
	for i, d := range drawn {
		if k := keys[d]; i*97%100 < stores {
			m.Store(k, int(d))
		} else {
			v, _ := m.Load(k)
			sum += int64(v)
		}
	}
	return sum
}

func mixXsync[K comparable](m *xsync.Map[K, int], keys []K, drawn []int32, stores int) (sum int64) {
	for i, d := range drawn {
		if k := keys[d]; i*97%100 < stores {
			m.Store(k, int(d))
		} else {
			v, _ := m.Load(k)
			sum += int64(v)
		}
	}
	return sum
}

func mixSharded[K comparable](m *sharded[K], keys []K, drawn []int32, stores int) (sum int64) {
	for i, d := range drawn {
		if k := keys[d]; i*97%100 < stores {
			m.Store(k, int(d))
		} else {
			v, _ := m.Load(k)
			sum += int64(v)
		}
	}
	return sum
}

func mixSync[K comparable](m *sync.Map, keys []K, drawn []int32, stores int) (sum int64) {
	for i, d := range drawn {
		if k := keys[d]; i*97%100 < stores {
			m.Store(k, int(d))
		} else {
			v, _ := m.Load(k)
			sum += int64(v.(int))
		}
	}
	return sum
}

// sharded is 64 maps under locks, as one writes it by hand.
type sharded[K comparable] struct {
	seed   maphash.Seed
	shards [64]struct {
		mu sync.Mutex
		m  map[K]int
		_  [48]byte
	}
}

func newSharded[K comparable]() *sharded[K] {
	s := &sharded[K]{seed: maphash.MakeSeed()}
	for i := range s.shards {
		s.shards[i].m = map[K]int{}
	}
	return s
}

func (s *sharded[K]) Load(k K) (int, bool) {
	h := &s.shards[maphash.Comparable(s.seed, k)%64]
	h.mu.Lock()
	v, ok := h.m[k]
	h.mu.Unlock()
	return v, ok
}

func (s *sharded[K]) Store(k K, v int) {
	h := &s.shards[maphash.Comparable(s.seed, k)%64]
	h.mu.Lock()
	h.m[k] = v
	h.mu.Unlock()
}

func (s *sharded[K]) Delete(k K) {
	h := &s.shards[maphash.Comparable(s.seed, k)%64]
	h.mu.Lock()
	delete(h.m, k)
	h.mu.Unlock()
}

func (s *sharded[K]) Len() (n int) {
	for i := range s.shards {
		h := &s.shards[i]
		h.mu.Lock()
		n += len(h.m)
		h.mu.Unlock()
	}
	return n
}

// manyMeet adds the row of keys that follow a pattern, against random ones.
func manyMeet(r *Run) {
	const n = 100_000
	fill := func(name string, key func(i int) int) measure.Side {
		return measure.Do(name, func() {
			m := hashmap.New[int, int]()
			for i := range n {
				m.Store(key(i), i)
			}
			mustBe(name, m.Len(), n)
		})
	}
	c := r.compare("map, 100k strided keys put in", n, nil,
		fill(ours, func(i int) int { return i << 20 }),
		fill("scattered keys", func(i int) int { return int(uint64(i) * 0x9e3779b97f4a7c15) }))
	c.atMostOf(1.5, "scattered keys")
}
