package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Jobs of many items and jobs of few take turns without new memory for the sorting of the items; what
// a large job has needed goes after many small ones.
func TestJobsThatTakeTurnsKeepTheirMemory(t *testing.T) {
	const many, few = 5000, 10
	var s split[int]
	var spans spanKeys[int, int]
	keys := NewMulti[int, int]().keys
	use := func(n int) (room []int) {
		s.n, s.spans = n, 1
		s.resize(n, true)
		for k := range n {
			spans.find(keys, keys.of(k), k)
		}
		spans.clear()
		return []int{cap(s.numbers), cap(s.items), cap(s.notes), cap(s.hashes), cap(s.logged), cap(s.starts), cap(spans.locals), cap(spans.counts), len(spans.index)}
	}
	large := use(many)
	for range 100 {
		require.Equal(t, large, use(few))
		require.Equal(t, large, use(many))
	}
	for range 10 {
		use(few)
	}
	for i, n := range use(few) {
		require.Less(t, n, many/10, i)
	}
}
