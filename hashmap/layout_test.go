package hashmap

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/pad"
)

// Fields that many goroutines write lie on other cache lines than fields that they read all the
// time, and than fields that other operations write, wherever the allocator puts the block.
func TestWhatIsWrittenLiesOnLinesOfItsOwn(t *testing.T) {
	var h table // next and from are read; used is written with new keys, the next fields by moves
	used, taken, came := unsafe.Offsetof(h.used), unsafe.Offsetof(h.taken), unsafe.Offsetof(h.came)
	require.GreaterOrEqual(t, used, unsafe.Offsetof(h.from)+unsafe.Sizeof(h.from)+pad.Line)
	require.GreaterOrEqual(t, taken, used+unsafe.Sizeof(h.used)+pad.Line)
	for name, read := range map[string]uintptr{
		"inline": unsafe.Offsetof(h.inline), "buckets": unsafe.Offsetof(h.buckets), "homes": unsafe.Offsetof(h.homes), "per": unsafe.Offsetof(h.per), "places": unsafe.Offsetof(h.places), "sample": unsafe.Offsetof(h.sample),
		"limit": unsafe.Offsetof(h.limit), "order": unsafe.Offsetof(h.order), "of": unsafe.Offsetof(h.of), "seed": unsafe.Offsetof(h.seed), "shift": unsafe.Offsetof(h.shift),
	} {
		require.GreaterOrEqual(t, read, max(came, taken, unsafe.Offsetof(h.done))+8+pad.Line, name)
	}

	require.Zero(t, unsafe.Offsetof(tally{}.n), "the padding is behind the count")
	require.GreaterOrEqual(t, unsafe.Sizeof(tally{}), unsafe.Sizeof(tally{}.n)+pad.Line)

	var m multiCore // last is written with new keys, the fields around it are read with all changes
	require.GreaterOrEqual(t, unsafe.Offsetof(m.last), unsafe.Offsetof(m.row)+unsafe.Sizeof(m.row)+pad.Line)
	require.GreaterOrEqual(t, unsafe.Offsetof(m.spare), unsafe.Offsetof(m.last)+unsafe.Sizeof(m.last)+pad.Line)

	var s multiStripe
	require.GreaterOrEqual(t, unsafe.Sizeof(s), unsafe.Offsetof(s.gone)+unsafe.Sizeof(s.gone)+pad.Line)
}

// Neighbours in slices of padded structs are a cache line apart.
func TestCountersAndLocksAreALineApart(t *testing.T) {
	tallies := New[int, int]().in.root.Load().of.tally.Load().each
	require.Greater(t, len(tallies), 1)
	for i := range tallies[1:] {
		a, b := uintptr(unsafe.Pointer(&tallies[i].n)), uintptr(unsafe.Pointer(&tallies[i+1].n))
		require.NotEqual(t, a/pad.Line, b/pad.Line)
	}
	stripes := NewMulti[int, int]().in.stripes
	require.Greater(t, len(stripes), 1)
	for i := range stripes[1:] {
		a, b := uintptr(unsafe.Pointer(&stripes[i].gone)), uintptr(unsafe.Pointer(&stripes[i+1].mu))
		require.NotEqual(t, a/pad.Line, b/pad.Line)
	}
}
