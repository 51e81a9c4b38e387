package slide_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/slide"
)

type view[T any] struct {
	elements         []T
	min, first, last int
	base             []T
	stride           int
}

// A window that was moved is the slice of base, with its capacity cut.
func TestMoveCutsTheSliceOfBase(t *testing.T) {
	moves(t, []byte("abcdefgh"))
	moves(t, []string{"a", "b", "c", "d", "e"})
	moves(t, []struct{}{{}, {}, {}, {}})
	moves(t, [][3]uint16{{1}, {2}, {3}})
}

// A window of another kind, or one that ends too early, stays as it is.
func TestMoveLeavesWhatItDoesNotServe(t *testing.T) {
	for _, v := range []view[int]{
		{base: make([]int, 4), stride: 2},
		{base: make([]int, 4)},
		{base: make([]int, 3), stride: 1},
		{stride: 1},
	} {
		was := v
		w, size := slide.Over(&v.elements)
		require.False(t, w.Move(2, 4, size))
		require.Equal(t, was, v)
	}
}

func moves[T any](t *testing.T, base []T) {
	for lo := range base {
		for hi := lo + 1; hi <= len(base); hi++ {
			v := view[T]{base: base, stride: 1}
			w, size := slide.Over(&v.elements)
			require.True(t, w.Move(lo, hi, size))
			want := base[lo:hi:hi]
			require.Equal(t, want, v.elements)
			require.Same(t, &want[0], &v.elements[0])
			require.Equal(t, hi-lo, cap(v.elements))
			require.Equal(t, []int{lo, lo, hi}, []int{v.min, v.first, v.last})
		}
	}
}
