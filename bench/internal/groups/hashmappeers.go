package groups

import (
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/alphadose/haxmap"
	"github.com/dolthub/swiss"
	cmap "github.com/orcaman/concurrent-map/v2"
	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
)

// mapKey is the types of keys, mapValue those of values: their first int is what is looked at.
type (
	mapKey   interface{ int | string }
	mapValue interface{ word | wide }
	word     = [1]int
	wide     = [8]int
)

func valueOf[V mapValue](i int) (v V) {
	v[0] = i
	return v
}

// verbs are what all maps have.
type verbs[K mapKey, V mapValue] interface {
	Load(k K) (V, bool)
	Store(k K, v V)
	Delete(k K)
	Len() int
	sum() int // of all values
}

// contender is a kind of map that takes part.
type contender[K mapKey, V mapValue] struct {
	name string
	open func(room int) opened[K, V] // makes an empty one, with room for so many entries where it can; with 0 it grows
}

// opened is a contender's map, and what is done to it in loops of its own.
type opened[K mapKey, V mapValue] struct {
	m    verbs[K, V]
	mix  func(keys []K, drawn []int32, stores int) int64
	fill func(keys []K, first int)
}

func contend[M verbs[K, V], K mapKey, V mapValue](name string, open func(room int) M) contender[K, V] {
	return contender[K, V]{name, func(room int) opened[K, V] {
		m := open(room)
		return opened[K, V]{
			m,
			func(keys []K, drawn []int32, stores int) int64 { return mix[M, K, V](m, keys, drawn, stores) },
			func(keys []K, first int) { fill[M, K, V](m, keys, first) },
		}
	}}
}

const (
	xsyncName   = "xsync.Map"
	shardedName = "64 maps under locks"
	// haxmap's operations race with each other, and some deletions never end: it is no measure for
	// others, and puts nothing in beside deletions here.
	haxmapName = "haxmap (not race-clean, loses keys)"
	// foremost is the number of contenders, from the first on, that are ours or the fastest peer of
	// a row. foremostLarge is that number where maps are larger than the cache, and foremostBuilt
	// where they are built.
	foremost, foremostLarge, foremostBuilt = 5, 3, 6
)

// contenders returns the maps that take part, ours first. Those that work only in room that was
// made beforehand make it for so many entries.
func contenders[K mapKey, V mapValue](entries int) []contender[K, V] {
	list := []contender[K, V]{
		contend(ours, func(room int) ourMap[K, V] {
			m := hashmap.New[K, V]()
			if room > 0 {
				m.Grow(room)
			}
			return ourMap[K, V]{m}
		}),
		contend(xsyncName, func(room int) xsyncMap[K, V] { return xsyncMap[K, V]{xsync.NewMap[K, V](xsync.WithPresize(room))} }),
		contend(shardedName, func(room int) shardedMap[K, V] { return shardedMap[K, V]{newSharded[K, V](room)} }),
		contend("dolthub/swiss under a RWMutex", func(room int) swissMap[K, V] {
			return swissMap[K, V]{&lockedSwiss[K, V]{m: swiss.NewMap[K, V](uint32(max(room, 8)))}}
		}),
		contend("map under a RWMutex", func(room int) rwMap[K, V] { return rwMap[K, V]{&lockedMap[K, V]{m: make(map[K]V, room)}} }),
	}
	list = append(list, cockroach[K, V]()...)
	return append(list,
		contend("sync.Map", func(int) syncMap[K, V] { return syncMap[K, V]{new(sync.Map)} }),
		contend("orcaman/concurrent-map", func(int) orcamanMap[K, V] { return orcamanMap[K, V]{newOrcaman[K, V]()} }),
		contend(haxmapName, func(int) haxMap[K, V] { return haxMap[K, V]{haxmap.New[K, V](uintptr(2 * entries))} }))
}

// rightly returns ours and the peers that are to be compared with where they must have all keys.
func rightly[K mapKey, V mapValue](r *rows.Run, all []contender[K, V]) []contender[K, V] {
	if !r.AllPeers {
		return slices.Clone(all[:foremostBuilt])
	}
	return slices.DeleteFunc(slices.Clone(all), func(c contender[K, V]) bool { return c.name == haxmapName })
}

// filled returns the maps of contenders with all keys in them.
func filled[K mapKey, V mapValue](list []contender[K, V], keys []K) []opened[K, V] {
	maps := make([]opened[K, V], len(list))
	rows.Parts(len(list), func(_, begin, end int) {
		for i := begin; i < end; i++ {
			maps[i] = list[i].open(0)
			maps[i].fill(keys, 0)
		}
	})
	return maps
}

// plainName is what one goroutine takes for the work of all, with a map of its own, and
// what each of them would take if that could be shared out at no cost.
const plainName = "map by one goroutine, per processor"

// perProcessor is a side of one goroutine whose time is shared out.
func perProcessor(s measure.Side) measure.Side {
	return measure.Side{Name: s.Name, Time: func(n int) time.Duration { return s.Time(n) / time.Duration(runtime.GOMAXPROCS(0)) }}
}

// plain is the contender that only one goroutine may use, or all that only load.
func plain[K mapKey, V mapValue]() contender[K, V] {
	return contend("map", func(room int) plainMap[K, V] { return plainMap[K, V]{make(map[K]V, room)} })
}

// The types that follow are structs and not pointers so that mix is compiled for each.

type ourMap[K mapKey, V mapValue] struct{ *hashmap.Map[K, V] }

func (m ourMap[K, V]) sum() (n int) {
	for _, v := range m.All() {
		n += v[0]
	}
	return n
}

type plainMap[K mapKey, V mapValue] struct{ m map[K]V }

func (m plainMap[K, V]) Load(k K) (V, bool) { v, ok := m.m[k]; return v, ok }
func (m plainMap[K, V]) Store(k K, v V)     { m.m[k] = v }
func (m plainMap[K, V]) Delete(k K)         { delete(m.m, k) }
func (m plainMap[K, V]) Len() int           { return len(m.m) }

func (m plainMap[K, V]) sum() (n int) {
	for _, v := range m.m {
		n += v[0]
	}
	return n
}

type xsyncMap[K mapKey, V mapValue] struct{ *xsync.Map[K, V] }

func (m xsyncMap[K, V]) Len() int { return m.Size() }

func (m xsyncMap[K, V]) sum() (n int) {
	for _, v := range m.Range {
		n += v[0]
	}
	return n
}

type syncMap[K mapKey, V mapValue] struct{ m *sync.Map }

func (m syncMap[K, V]) Load(k K) (v V, ok bool) {
	if a, ok := m.m.Load(k); ok {
		return a.(V), true
	}
	return v, false
}

func (m syncMap[K, V]) Store(k K, v V) { m.m.Store(k, v) }
func (m syncMap[K, V]) Delete(k K)     { m.m.Delete(k) }

func (m syncMap[K, V]) Len() (n int) {
	for range m.m.Range {
		n++
	}
	return n
}

func (m syncMap[K, V]) sum() (n int) {
	for _, v := range m.m.Range {
		n += v.(V)[0]
	}
	return n
}

type orcamanMap[K mapKey, V mapValue] struct{ m cmap.ConcurrentMap[K, V] }

// newOrcaman returns the map that the package makes for strings, or else one whose shards are
// chosen by a multiplication.
func newOrcaman[K mapKey, V mapValue]() cmap.ConcurrentMap[K, V] {
	if m, ok := any(cmap.New[V]()).(cmap.ConcurrentMap[K, V]); ok {
		return m
	}
	seed := maphash.MakeSeed()
	return cmap.NewWithCustomShardingFunction[K, V](func(k K) uint32 { return uint32(spread(seed, k) >> 32) })
}

func (m orcamanMap[K, V]) Load(k K) (V, bool) { return m.m.Get(k) }
func (m orcamanMap[K, V]) Store(k K, v V)     { m.m.Set(k, v) }
func (m orcamanMap[K, V]) Delete(k K)         { m.m.Remove(k) }
func (m orcamanMap[K, V]) Len() int           { return m.m.Count() }

func (m orcamanMap[K, V]) sum() (n int) {
	m.m.IterCb(func(_ K, v V) { n += v[0] })
	return n
}

type swissMap[K mapKey, V mapValue] struct{ *lockedSwiss[K, V] }

type lockedSwiss[K mapKey, V mapValue] struct {
	mu sync.RWMutex
	m  *swiss.Map[K, V]
}

func (s *lockedSwiss[K, V]) Load(k K) (V, bool) {
	s.mu.RLock()
	v, ok := s.m.Get(k)
	s.mu.RUnlock()
	return v, ok
}

func (s *lockedSwiss[K, V]) Store(k K, v V) {
	s.mu.Lock()
	s.m.Put(k, v)
	s.mu.Unlock()
}

func (s *lockedSwiss[K, V]) Delete(k K) {
	s.mu.Lock()
	s.m.Delete(k)
	s.mu.Unlock()
}

func (s *lockedSwiss[K, V]) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m.Count()
}

func (s *lockedSwiss[K, V]) sum() (n int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.m.Iter(func(_ K, v V) bool {
		n += v[0]
		return false
	})
	return n
}

type rwMap[K mapKey, V mapValue] struct{ *lockedMap[K, V] }

// lockedMap is what one writes first.
type lockedMap[K mapKey, V mapValue] struct {
	mu sync.RWMutex
	m  map[K]V
}

func (s *lockedMap[K, V]) Load(k K) (V, bool) {
	s.mu.RLock()
	v, ok := s.m[k]
	s.mu.RUnlock()
	return v, ok
}

func (s *lockedMap[K, V]) Store(k K, v V) {
	s.mu.Lock()
	s.m[k] = v
	s.mu.Unlock()
}

func (s *lockedMap[K, V]) Delete(k K) {
	s.mu.Lock()
	delete(s.m, k)
	s.mu.Unlock()
}

func (s *lockedMap[K, V]) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.m)
}

func (s *lockedMap[K, V]) sum() (n int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, v := range s.m {
		n += v[0]
	}
	return n
}

type haxMap[K mapKey, V mapValue] struct{ m *haxmap.Map[K, V] }

func (m haxMap[K, V]) Load(k K) (V, bool) { return m.m.Get(k) }
func (m haxMap[K, V]) Store(k K, v V)     { m.m.Set(k, v) }
func (m haxMap[K, V]) Delete(k K)         { m.m.Del(k) }
func (m haxMap[K, V]) Len() int           { return int(m.m.Len()) }

func (m haxMap[K, V]) sum() (n int) {
	m.m.ForEach(func(_ K, v V) bool {
		n += v[0]
		return true
	})
	return n
}
