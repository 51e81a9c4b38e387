package queue

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/pad"
)

// span is where something lies in a struct.
type span struct{ at, end uintptr }

// of returns the span of a field.
func of[T any](offset uintptr, _ *T) span {
	var v T
	return span{offset, offset + unsafe.Sizeof(v)}
}

// apart asserts that there is a cache line between each of the words, which goroutines write, and
// the next, and between them and the ends of a block of the given size.
func apart(t *testing.T, size uintptr, words ...span) {
	t.Helper()
	end := uintptr(0)
	for i, w := range append(words, span{at: size}) {
		require.GreaterOrEqual(t, w.at, end+pad.Line, "word %d", i)
		end = w.end
	}
}

// The two ends of a queue, the fields that both read, and the waiters lie on different cache lines,
// at whatever address the allocator puts the queue.
func TestEndsShareNoCacheLine(t *testing.T) {
	var r Ring[int]
	apart(t, unsafe.Offsetof(r.notEmpty), of(unsafe.Offsetof(r.tail), &r.tail), of(unsafe.Offsetof(r.head), &r.head))
	require.GreaterOrEqual(t, unsafe.Offsetof(r.tail), unsafe.Offsetof(r.observer)+unsafe.Sizeof(r.observer)+pad.Line, "what every operation reads")

	var q Queue[int]
	apart(t, unsafe.Offsetof(q.notEmpty), of(unsafe.Offsetof(q.tail), &q.tail), of(unsafe.Offsetof(q.head), &q.head))
	require.GreaterOrEqual(t, unsafe.Offsetof(q.tail), unsafe.Offsetof(q.observer)+unsafe.Sizeof(q.observer)+pad.Line, "what every operation reads")

	var s segment[int]
	apart(t, unsafe.Sizeof(s), of(unsafe.Offsetof(s.tail), &s.tail), of(unsafe.Offsetof(s.head), &s.head))
	require.GreaterOrEqual(t, unsafe.Offsetof(s.tail), unsafe.Offsetof(s.next)+unsafe.Sizeof(s.next)+pad.Line, "what every operation reads")

	var p SPSC[int]
	apart(t, unsafe.Sizeof(p), of(unsafe.Offsetof(p.tail), &p.tail), of(unsafe.Offsetof(p.head), &p.head),
		of(unsafe.Offsetof(p.producer), &p.producer), of(unsafe.Offsetof(p.consumer), &p.consumer))
	require.GreaterOrEqual(t, unsafe.Offsetof(p.tail), unsafe.Offsetof(p.guard)+unsafe.Sizeof(p.guard)+pad.Line, "what every operation reads")
}

// The positions of an end of an SPSC, its places and the pointers to the two counts lie in its
// first two cache lines.
func TestWhatAnOperationNeedsLiesTogether(t *testing.T) {
	var e end[int]
	require.Zero(t, unsafe.Offsetof(e.cursor))
	require.LessOrEqual(t, unsafe.Offsetof(e.others)+unsafe.Sizeof(e.others), uintptr(2*pad.Line))
	require.LessOrEqual(t, unsafe.Offsetof(e.items)+unsafe.Sizeof(e.items), uintptr(2*pad.Line))
}
