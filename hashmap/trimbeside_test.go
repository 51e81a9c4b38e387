package hashmap

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

// A table that counts some of its places only is made smaller while more goroutines put keys into
// it than the next one has room for.
func TestTrimBesideManyPuts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64)) // for as many counts of keys
	const putters, keys = 200, 60
	for range lawtest.Rounds(100) {
		m := New[int, int]()
		m.Grow(50_000)
		var all sync.WaitGroup
		for w := range putters {
			all.Go(func() {
				for i := range keys {
					m.Store(i*putters+w, i)
				}
			})
		}
		all.Go(m.Trim)
		all.Wait()
		require.Equal(t, putters*keys, m.Len())
		for i := range putters * keys {
			v, ok := m.Load(i)
			require.True(t, ok)
			require.Equal(t, i/putters, v)
		}
	}
}
