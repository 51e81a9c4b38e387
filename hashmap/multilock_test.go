package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// tryLock takes no lock while an operation has one or a job changes the map, and leaves none
// locked.
func TestWhoWaitsForNobodyLeavesNoLock(t *testing.T) {
	m := NewMulti[int, int]()
	m.in.changing++
	require.False(t, m.in.tryLock())
	m.in.changing--
	last := &m.in.stripes[len(m.in.stripes)-1].mu
	last.Lock()
	require.False(t, m.in.tryLock())
	last.Unlock()
	require.True(t, m.in.tryLock())
	m.in.unlock()
	m.Add(1, 2)
	require.Equal(t, 1, m.Len())
}
