package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// tryLock takes no lock while an operation has one or a job changes the map, and leaves none
// locked.
func TestWhoWaitsForNobodyLeavesNoLock(t *testing.T) {
	m := NewMulti[int, int]()
	m.changing++
	require.False(t, m.tryLock())
	m.changing--
	last := &m.stripes[len(m.stripes)-1].mu
	last.Lock()
	require.False(t, m.tryLock())
	last.Unlock()
	require.True(t, m.tryLock())
	m.unlock()
	m.Add(1, 2)
	require.Equal(t, 1, m.Len())
}
