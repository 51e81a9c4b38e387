package groups

import (
	"hash/maphash"
	"sync"
)

type shardedMap[K mapKey, V mapValue] struct{ *sharded[K, V] }

func (m shardedMap[K, V]) sum() (n int) {
	for i := range m.shards {
		h := &m.shards[i]
		h.mu.Lock()
		for _, v := range h.m {
			n += v[0]
		}
		h.mu.Unlock()
	}
	return n
}

// sharded is 64 maps under locks, written by hand.
type sharded[K comparable, V any] struct {
	seed   maphash.Seed
	shards [64]shard[K, V]
}

type shard[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
	_  [48]byte
}

func newSharded[K comparable, V any](room int) *sharded[K, V] {
	s := &sharded[K, V]{seed: maphash.MakeSeed()}
	for i := range s.shards {
		s.shards[i].m = make(map[K]V, room/len(s.shards))
	}
	return s
}

// spread hashes a key: integers by one multiplication, whose high bits are what it is good for.
func spread[K comparable](seed maphash.Seed, k K) uint64 {
	switch k := any(k).(type) {
	case int:
		return uint64(k) * 0x9e3779b97f4a7c15
	case uint64:
		return k * 0x9e3779b97f4a7c15
	}
	return maphash.Comparable(seed, k)
}

// of returns the shard of a key.
func (s *sharded[K, V]) of(k K) *shard[K, V] { return &s.shards[spread(s.seed, k)>>58] }

func (s *sharded[K, V]) Load(k K) (V, bool) {
	h := s.of(k)
	h.mu.Lock()
	v, ok := h.m[k]
	h.mu.Unlock()
	return v, ok
}

func (s *sharded[K, V]) Store(k K, v V) {
	h := s.of(k)
	h.mu.Lock()
	h.m[k] = v
	h.mu.Unlock()
}

func (s *sharded[K, V]) Delete(k K) {
	h := s.of(k)
	h.mu.Lock()
	delete(h.m, k)
	h.mu.Unlock()
}

func (s *sharded[K, V]) Len() (n int) {
	for i := range s.shards {
		h := &s.shards[i]
		h.mu.Lock()
		n += len(h.m)
		h.mu.Unlock()
	}
	return n
}
