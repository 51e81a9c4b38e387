package tagged

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

type pair struct {
	a string
	b int
}

func TestATagIsCarriedBesideThePointer(t *testing.T) {
	var c Cell[pair]
	require.True(t, c.Load().Nil())
	p := &pair{"x", 7}
	for tag := range Most + 1 {
		r := To(p, tag)
		require.False(t, r.Nil())
		require.Equal(t, tag, r.Tag())
		require.Same(t, p, r.Ptr())
		require.False(t, c.CompareAndSwap(To(new(pair), tag), r))
		require.True(t, c.CompareAndSwap(c.Load(), r))
		require.Equal(t, r, c.Load())
	}
	c.Store(To(p, 1))
	require.NotEqual(t, To(p, 0), c.Load())
}

// What a tagged pointer points to stays alive, and is whole.
func TestWhatIsPointedToIsKept(t *testing.T) {
	var cells [100]Cell[pair]
	for i := range cells {
		cells[i].Store(To(&pair{string(rune('a' + i%26)), i}, i%(Most+1)))
	}
	runtime.GC()
	runtime.GC()
	for i := range cells {
		require.Equal(t, pair{string(rune('a' + i%26)), i}, *cells[i].Load().Ptr())
	}
}
