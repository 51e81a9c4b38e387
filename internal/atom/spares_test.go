package atom_test

import (
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
