package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// A clone goes on after the youngest of its keys, also when the map is cleared while it is made.
func TestACloneOfAMapThatIsClearedGoesOnAfterItsKeys(t *testing.T) {
	at := -1
	var m *Map[int, int]
	m = NewWith[int, int](asked{func(k int) {
		if k == at {
			at = -1
			m.Clear()
		}
	}})
	parallelfor.For(100, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Set(200-i, i) })
	m.Store(1000, 0)
	at = 150
	c := m.Clone()
	require.Zero(t, m.Len())
	require.Equal(t, 101, c.Len())
	c.Store(7, 0) // as old as 1000
	c.Store(2000, 0)
	keys := keysOf(c.All())
	require.Equal(t, []int{200, 199}, keys[:2])
	require.Equal(t, []int{101, 7, 1000, 2000}, keys[99:])
}

// Keys of a clone whose source's ages are given anew meanwhile are not older than what comes then.
func TestACloneOfAMapWhoseAgesAreGivenAnew(t *testing.T) {
	at := -1
	var m *Map[int, int]
	m = NewWith[int, int](asked{func(k int) {
		if k == at {
			at = -1
			m.in.setSeq(3)
		}
	}})
	parallelfor.For(20, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Set(200-i, i) })
	at = 190
	c := m.Clone()
	c.Store(7, 0)
	require.Equal(t, 7, keysOf(c.All())[20])
}
