package word

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

type cell struct{ x, y int32 }

func TestAValueComesBack(t *testing.T) {
	back(t, int64(-1), uint64(math.MaxUint64))
	back(t, math.Pi, math.Float64bits(math.Pi))
	back(t, int32(-1), uint64(math.MaxUint32))
	back(t, uint16(7), 7)
	back(t, true, 1)
	back(t, struct{}{}, 0)
	back(t, [3]struct{}{}, 0)
	require.Equal(t, cell{-3, 4}, To[cell](Of(cell{-3, 4})))
}

func back[T comparable](t *testing.T, v T, w uint64) {
	t.Helper()
	require.Equal(t, w, Of(v))
	require.Equal(t, v, To[T](w))
}

func TestWhatFitsAndWhatItsWordIdentifies(t *testing.T) {
	type named uint8
	for v, want := range map[any][2]bool{
		1: {true, true}, named(1): {true, true}, cell{}: {true, true}, [4]uint16{}: {true, true}, false: {true, true},
		1.5: {true, false}, float32(1): {true, false}, struct{}{}: {true, false}, complex64(1): {true, false},
		struct {
			a int8
			b int32
		}{}: {true, false},
		struct {
			a int32
			_ int32
		}{}: {true, false},
		[3]byte{}: {false, false}, "": {false, false}, [2]int64{}: {false, false}, new(int): {false, false}, [1]*int{}: {false, false},
	} {
		k := reflect.TypeOf(v)
		require.Equal(t, want, [2]bool{Fits(k), Identifies(k)}, "%T", v)
	}
}
