package hashmap

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

// A table that counts some of its places only is made smaller while more goroutines put keys into
// it than the next one has room for.
func TestTrimBesideManyPuts(t *testing.T) {
	const putters, keys = 200, 60
	for range lawtest.Rounds(100) {
		m := New[int, int]()
		m.Grow(50_000)
		var all sync.WaitGroup
		var begun atomic.Bool
		waits := func() {
			for !begun.Load() {
				runtime.Gosched()
			}
		}
		for w := range putters {
			all.Go(func() {
				waits()
				for i := range keys {
					m.Store(i*putters+w, i)
				}
			})
		}
		all.Go(func() {
			waits()
			m.Trim()
		})
		begun.Store(true)
		all.Wait()
		require.Equal(t, putters*keys, m.Len())
		for i := range putters * keys {
			v, ok := m.Load(i)
			require.True(t, ok)
			require.Equal(t, i/putters, v)
		}
	}
}

// The number of keys is right after there are more counts of them, one for each of many processors.
func TestLenOfManyCounts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64))
	const putters, keys = 8, 5_000
	m := New[int, int]()
	var all sync.WaitGroup
	for w := range putters {
		all.Go(func() {
			for i := range keys {
				m.Store(i*putters+w, i)
			}
		})
	}
	all.Wait()
	require.Equal(t, putters*keys, m.Len())
	require.Greater(t, len(m.in.root.Load().of.tally.Load().each), usual.stripes)
	for i := range keys {
		m.Delete(i)
	}
	require.Equal(t, (putters-1)*keys, m.Len())
}

// No goroutine reserves room in a table from the moment on at which a smaller one is made.
func TestATableThatIsReplacedHasNoRoom(t *testing.T) {
	m := New[int, int]()
	m.Grow(50_000)
	tab := m.in.root.Load()
	open := 0
	for at := range 1000 {
		if !tab.counts(at) {
			require.True(t, m.in.reserve(tab, at))
			open++
		}
	}
	require.Greater(t, open, 900, "few places are counted")
	m.in.provide(tab, 0, true)
	for at := range 1000 {
		if !tab.counts(at) { // the others find out that there is no room
			require.False(t, m.in.reserve(tab, at))
		}
	}
}
