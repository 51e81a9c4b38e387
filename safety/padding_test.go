package safety

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/pad"
)

// The words that different workers write have at least a cache line between them, wherever the
// allocator puts them.
func TestWhatWorkersWriteSharesNoCacheLine(t *testing.T) {
	const line = uintptr(pad.Line)
	var l Scope
	require.GreaterOrEqual(t, unsafe.Offsetof(l.epoch), line, "a scope, and what lies before it")
	require.GreaterOrEqual(t, unsafe.Sizeof(l), unsafe.Offsetof(l.passed)+unsafe.Sizeof(l.passed)+line, "a scope, and what follows it")
	var r roll
	require.GreaterOrEqual(t, unsafe.Sizeof(r), unsafe.Offsetof(r.n)+unsafe.Sizeof(r.n)+line, "two rolls")
}
