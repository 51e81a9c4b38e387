package hashmap_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// The bodies of a loop may use a map, at all levels.
func TestBodiesUseAMap(t *testing.T) {
	defer fuzz.HandOut(4)()
	m := hashmap.New[int, int]()
	parallelfor.For(1000, struct{}{}, func(_ *struct{}, i int) {
		m.Store(i, i)
		m.Compute(i%10, func(old int, _ bool) (int, hashmap.Op) { return old, hashmap.Update })
		_, _ = m.Load(i / 2)
	})
	require.Equal(t, 1000, m.Len())
}
