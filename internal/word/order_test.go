package word_test

import (
	"cmp"
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/word"
)

// ascend says that values of a type have an order, and are in it.
func ascend[K any](t *testing.T, all ...K) {
	compare := word.ComparerOf(reflect.TypeFor[K]())
	for i := range all {
		for j := range all {
			require.Equal(t, cmp.Compare(i, j), compare(unsafe.Pointer(&all[i]), unsafe.Pointer(&all[j])), "%v and %v", all[i], all[j])
		}
	}
}

func TestTypesThatHaveAnOrder(t *testing.T) {
	type name string
	type point struct {
		x int8
		_ int8
		y uint16
	}
	type line [2]point
	ascend(t, 1, 2, 3)
	ascend[int8](t, -1, 2, 3)
	ascend[int16](t, -300, 2, 3)
	ascend[int32](t, -7, 2, 9)
	ascend[int64](t, -7, 2, 9)
	ascend[uint](t, 2, 3, 1<<31)
	ascend[uint8](t, 2, 3, 255)
	ascend[uint16](t, 2, 3, 1<<15)
	ascend[uint32](t, 2, 9, 1<<31)
	ascend[uint64](t, 2, 3, 1<<63)
	ascend[uintptr](t, 2, 3)
	ascend[name](t, "", "a", "b")
	ascend(t, "", "a", "b")
	ascend(t, false, true)
	ascend(t, math.NaN(), math.Inf(-1), 0, 1.5)
	ascend[float32](t, -2, 0, 1.5)
	ascend(t, point{-1, 0, 7}, point{1, 0, 1}, point{1, 0, 2})
	ascend(t, line{{-1, 0, 1}}, line{{1, 0, 1}, {2, 0, 1}}, line{{1, 0, 1}, {2, 0, 2}})
	ascend(t, [0]int{})
	a, b := [2]any{1, point{1, 0, 2}}, point{1, 0, 2}
	other := a[1].(point)
	require.Zero(t, word.ComparerOf(reflect.TypeFor[point]())(unsafe.Pointer(&other), unsafe.Pointer(&b)))
	for _, typ := range []reflect.Type{reflect.TypeFor[*int](), reflect.TypeFor[any](), reflect.TypeFor[complex128](), reflect.TypeFor[struct{ p *int }](), reflect.TypeFor[[2]any]()} {
		require.Nil(t, word.ComparerOf(typ), typ)
	}
}
