//go:build !custody_explore

package atom_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// In ordinary builds the types are the standard ones, so that they cost nothing: a pointer to one
// is assignable to a pointer to the other only when they are identical.
var (
	_ *atomic.Bool          = (*atom.Bool)(nil)
	_ *atomic.Int32         = (*atom.Int32)(nil)
	_ *atomic.Int64         = (*atom.Int64)(nil)
	_ *atomic.Uint32        = (*atom.Uint32)(nil)
	_ *atomic.Uint64        = (*atom.Uint64)(nil)
	_ *atomic.Pointer[int]  = (*atom.Pointer[int])(nil)
	_ *atomic.Pointer[word] = (*atom.Pointer[word])(nil)
	_ *sync.Mutex           = (*atom.Mutex)(nil)
	_ *sync.RWMutex         = (*atom.RWMutex)(nil)
	_ *sync.WaitGroup       = (*atom.WaitGroup)(nil)
	_ *sync.Once            = (*atom.Once)(nil)
	_ *sync.Cond            = (*atom.Cond)(nil)
	_ *sync.Map             = (*atom.Map)(nil)
	_ *sync.Locker          = (*atom.Locker)(nil)
)

type word [2]int

// A Parker is one pointer, and a Stamp one word that is never torn.
func TestSizes(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(uintptr(0)), unsafe.Sizeof(atom.Parker{}))
	require.Equal(t, unsafe.Sizeof(uintptr(0)), unsafe.Sizeof(atom.Stamp{}))
	require.EqualValues(t, 4, unsafe.Sizeof(atom.HiddenUint32{}))
	require.EqualValues(t, 8, unsafe.Sizeof(atom.HiddenUint64{}))
	require.EqualValues(t, 8, unsafe.Sizeof(atom.HiddenInt64{}))
	require.Equal(t, unsafe.Sizeof(sync.Mutex{}), unsafe.Sizeof(atom.HiddenMutex{}))
	require.Equal(t, unsafe.Sizeof(uintptr(0)), unsafe.Sizeof(atom.HiddenPointer[word]{}))
}
