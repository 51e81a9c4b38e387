package counter

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/pad"
)

// What different goroutines write has at least a cache line between its first bytes and whatever
// another writes, wherever the allocator puts the block (I2).
func TestNoTwoCellsShareACacheLine(t *testing.T) {
	require.GreaterOrEqual(t, unsafe.Sizeof(padded{}), uintptr(pad.Line+8), "stripes")
	require.Zero(t, unsafe.Offsetof(padded{}.n), "the padding is behind the count")

	var c Counter
	require.GreaterOrEqual(t, unsafe.Offsetof(c.base), unsafe.Offsetof(c.guard)+unsafe.Sizeof(c.guard)+pad.Line)
	require.GreaterOrEqual(t, unsafe.Offsetof(c.locals), unsafe.Offsetof(c.base)+8+pad.Line)

	var l localCount
	require.GreaterOrEqual(t, unsafe.Offsetof(l.n), uintptr(pad.Line))
	require.GreaterOrEqual(t, unsafe.Offsetof(l.at), unsafe.Offsetof(l.n)+8+pad.Line)

	var w lane[int64]
	require.GreaterOrEqual(t, unsafe.Offsetof(w.part), uintptr(pad.Line))
	require.GreaterOrEqual(t, unsafe.Sizeof(w), unsafe.Offsetof(w.spans)+unsafe.Sizeof(w.spans)+pad.Line)

	var s Sum[float64]
	require.GreaterOrEqual(t, unsafe.Offsetof(s.word), unsafe.Offsetof(s.guard)+unsafe.Sizeof(s.guard)+pad.Line)
	require.GreaterOrEqual(t, unsafe.Offsetof(s.parts), unsafe.Offsetof(s.word)+8+pad.Line)

	var m Min[float64]
	require.GreaterOrEqual(t, unsafe.Offsetof(m.state), unsafe.Offsetof(m.mu)+unsafe.Sizeof(m.mu)+pad.Line)
	require.GreaterOrEqual(t, unsafe.Offsetof(m.lanes), unsafe.Offsetof(m.word)+8+pad.Line)
}

func TestStripesHaveALineInFrontAndBehind(t *testing.T) {
	tab := newStripes(4)
	require.Len(t, tab.counts, 4)
	for i := 1; i < len(tab.counts); i++ {
		a, b := uintptr(unsafe.Pointer(&tab.counts[i-1].n)), uintptr(unsafe.Pointer(&tab.counts[i].n))
		require.NotEqual(t, a/pad.Line, b/pad.Line)
	}
	b := block(5)
	require.Len(t, b, 5)
	require.Equal(t, 5, cap(b))
}
