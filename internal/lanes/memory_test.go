package lanes

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/pad"
)

func lanesOf[T any]() *Lanes { return &Lanes{Elem: elem.TypeOf[T]()} }

func TestChunksGrowUpToALimit(t *testing.T) {
	lens := func(next func(int) int) (list []int) {
		n := 0
		for range 12 {
			n = next(n)
			list = append(list, n)
		}
		return list
	}
	require.Equal(t, []int{128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 32768, 32768, 32768}, lens(lanesOf[uint64]().chunkLen))
	require.Equal(t, []int{86, 172, 344, 688, 1376, 2752, 5504, 11008, 21846, 21846, 21846, 21846}, lens(lanesOf[[3]int32]().chunkLen))
	require.Equal(t, []int{2, 4, 8, 16, 32, 64, 128, 256, 437, 437, 437, 437}, lens(lanesOf[[600]byte]().chunkLen))
	require.Equal(t, slices.Repeat([]int{1}, 12), lens(lanesOf[[mostBytes + 1]byte]().chunkLen))
	require.Equal(t, 1<<20, lanesOf[struct{}]().chunkLen(0))
	for n, want := range map[int]int{0: 128, 1: 128, 128: 128, 129: 256, 5000: 8192, 30_000: 32768, 1 << 30: 32768} {
		require.Equal(t, want, lanesOf[uint64]().chunkFor(n), n)
	}
	require.Equal(t, 1, lanesOf[[mostBytes + 1]byte]().chunkFor(5))
}

// In a chunk of 1 KiB or more no allocation shares a line with another one.
func TestLanesAndChunksHaveLinesOfTheirOwn(t *testing.T) {
	var l Lane
	require.GreaterOrEqual(t, unsafe.Offsetof(l.buf), uintptr(pad.Line))
	require.GreaterOrEqual(t, unsafe.Sizeof(l)-unsafe.Offsetof(l.witness)-unsafe.Sizeof(l.witness), uintptr(pad.Line))
	require.Zero(t, firstBytes%pad.Line)
}
