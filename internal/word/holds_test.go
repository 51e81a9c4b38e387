package word_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/word"
)

func TestWhatMayHoldPointers(t *testing.T) {
	for v, want := range map[any]bool{
		0: false, uint8(1): false, 1.5: false, 1i: false, true: false, uintptr(1): false, struct{}{}: false,
		[2]int{}: false, struct {
			a int
			b [3]float32
		}{}: false, [0]*int{}: false,
		"": true, [1]string{}: true, struct {
			a int
			b *int
		}{}: true, any(new(int)): true, make(chan int): true, unsafe.Pointer(nil): true,
	} {
		require.Equal(t, want, word.Holds(reflect.TypeOf(v)), "%T", v)
	}
	for _, p := range []reflect.Type{reflect.TypeFor[any](), reflect.TypeFor[[]int](), reflect.TypeFor[map[int]int](), reflect.TypeFor[func()]()} {
		require.True(t, word.Holds(p), p)
	}
}

func TestBytesOfSlices(t *testing.T) {
	require.Equal(t, 80, word.Bytes(make([]int64, 3, 10)))
	require.Equal(t, 3, word.Bytes([]bool{true, false, true}))
	require.Zero(t, word.Bytes([]string(nil)))
	require.Zero(t, word.Bytes(make([]struct{}, 5)))
}
