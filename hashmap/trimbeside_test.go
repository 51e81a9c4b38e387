package hashmap

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

// Tables that count some of their places only are made smaller while goroutines put keys into them.
func TestTrimBesideManyPuts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const putters, keys, before = 8, 20_000, 10_000
	for range lawtest.Rounds(10) {
		m := New[int, int]()
		m.Grow(20 * keys)
		for i := range before {
			m.Store(-1-i, i)
		}
		var all sync.WaitGroup
		for w := range putters {
			all.Go(func() {
				for i := range keys {
					m.Store(i*putters+w, i)
				}
			})
		}
		all.Go(func() {
			for m.Len() < before+putters*keys/2 {
				m.Trim()
			}
		})
		all.Wait()
		require.Equal(t, before+putters*keys, m.Len())
		for i := range putters * keys {
			v, ok := m.Load(i)
			require.True(t, ok)
			require.Equal(t, i/putters, v)
		}
	}
}
