//go:build !race && !custody_explore

package atom_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// Without the race detector the hidden types are the plain ones.
var (
	_ *atomic.Uint32       = (*atom.HiddenUint32)(nil)
	_ *atomic.Uint64       = (*atom.HiddenUint64)(nil)
	_ *atomic.Int64        = (*atom.HiddenInt64)(nil)
	_ *atomic.Pointer[int] = (*atom.HiddenPointer[int])(nil)
	_ *sync.Mutex          = (*atom.HiddenMutex)(nil)
)

func TestRaceIsKnown(t *testing.T) { require.False(t, atom.Race) }
