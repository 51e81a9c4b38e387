package atom_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

func TestSparesAreTakenOnce(t *testing.T) {
	var s atom.Spares[int]
	require.Nil(t, s.Take())
	v, kept := new(int), 0
	for range 100 { // the detector's builds keep nothing, and others may forget
		s.Give(v)
		if w := s.Take(); w != nil {
			require.Same(t, v, w)
			kept++
		}
		require.Nil(t, s.Take())
	}
	require.Equal(t, atom.Race, kept == 0, kept)
}

// The first Gives of several goroutines make one memory: none of the values is another's, nor lost
// where every value is kept.
func TestFirstGivesMeet(t *testing.T) {
	for range 500 {
		var s atom.Spares[int]
		var values [4]int
		var all sync.WaitGroup
		for i := range values {
			all.Go(func() { s.Give(&values[i]) })
		}
		all.Wait()
		taken := map[*int]bool{}
		for v := s.Take(); v != nil; v = s.Take() {
			require.False(t, taken[v])
			taken[v] = true
		}
		if atom.Explored {
			require.Equal(t, !atom.Race, len(taken) == len(values))
		}
	}
}
