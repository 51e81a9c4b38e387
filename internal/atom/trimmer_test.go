package atom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// uses returns the number of uses after which a buffer with that room goes, or 0 if it is kept.
func uses(room int, used ...int) int {
	var t atom.Trimmer
	for i, n := range used {
		if !t.Keeps(room, n) {
			return i + 1
		}
	}
	return 0
}

func TestABufferGoesWhenManyUsesInARowNeedLittle(t *testing.T) {
	require.Equal(t, 8, uses(1000, 1, 1, 1, 1, 1, 1, 1, 1))
	require.Equal(t, 9, uses(1000, 1, 250, 1, 1, 249, 1, 1, 1, 1, 1, 1)-1, "a use of a quarter begins anew")
	require.Equal(t, 9, uses(1000, 1, 1, 1, 0, 1, 1, 1, 1, 1), "a use of nothing does not count")
	require.Zero(t, uses(1000, make([]int, 100)...))
	require.Zero(t, uses(256, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), "a short one")
}

func TestReuse(t *testing.T) {
	var trim atom.Trimmer
	b := make([]int, 300, 1000)
	require.Equal(t, 1000, cap(atom.Reuse(&trim, b)))
	for range 7 {
		b = atom.Reuse(&trim, b[:1])
		require.Equal(t, []int{0, 1000}, []int{len(b), cap(b)})
	}
	require.Nil(t, atom.Reuse(&trim, b[:1]))
	require.Empty(t, atom.Reuse[int](&trim, nil))
}
