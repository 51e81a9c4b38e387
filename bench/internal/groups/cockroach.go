//go:build !go1.28

package groups

import (
	"hash/maphash"
	"sync"

	"github.com/cockroachdb/swiss"
)

// cockroach is the contender of 64 maps of cockroachdb/swiss, which must know the release of Go,
// under locks.
func cockroach[K mapKey, V mapValue]() []contender[K, V] {
	return []contender[K, V]{contend("64 of cockroachdb/swiss under locks", func(room int) cockroachMap[K, V] {
		m := cockroachMap[K, V]{&cockroachMaps[K, V]{seed: maphash.MakeSeed()}}
		for i := range m.shards {
			m.shards[i].m.Init(room / len(m.shards))
		}
		return m
	})}
}

type cockroachMap[K mapKey, V mapValue] struct{ *cockroachMaps[K, V] }

type cockroachMaps[K mapKey, V mapValue] struct {
	seed   maphash.Seed
	shards [64]struct {
		mu sync.Mutex
		m  swiss.Map[K, V]
		_  [64]byte
	}
}

func (s *cockroachMaps[K, V]) of(k K) (*sync.Mutex, *swiss.Map[K, V]) {
	h := &s.shards[spread(s.seed, k)>>58]
	return &h.mu, &h.m
}

func (s *cockroachMaps[K, V]) Load(k K) (V, bool) {
	mu, m := s.of(k)
	mu.Lock()
	v, ok := m.Get(k)
	mu.Unlock()
	return v, ok
}

func (s *cockroachMaps[K, V]) Store(k K, v V) {
	mu, m := s.of(k)
	mu.Lock()
	m.Put(k, v)
	mu.Unlock()
}

func (s *cockroachMaps[K, V]) Delete(k K) {
	mu, m := s.of(k)
	mu.Lock()
	m.Delete(k)
	mu.Unlock()
}

func (s *cockroachMaps[K, V]) Len() (n int) {
	for i := range s.shards {
		h := &s.shards[i]
		h.mu.Lock()
		n += h.m.Len()
		h.mu.Unlock()
	}
	return n
}

func (s *cockroachMaps[K, V]) sum() (n int) {
	for i := range s.shards {
		h := &s.shards[i]
		h.mu.Lock()
		for _, v := range h.m.All {
			n += v[0]
		}
		h.mu.Unlock()
	}
	return n
}
