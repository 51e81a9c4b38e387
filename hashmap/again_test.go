package hashmap

import (
	"maps"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A deleted key that comes back takes its own place again. A new key takes no place back from it.
func TestPlacesAreUsedAgain(t *testing.T) {
	smalls, bigs := New[string, int](), New[string, string]()
	for i := range 10_000 {
		k := strconv.Itoa(i % 5)
		smalls.Store(k, i)
		bigs.Store(k, k)
		smalls.Delete(k)
		bigs.Delete(k)
	}
	require.EqualValues(t, 5, smalls.in.root.Load().used.Load())
	require.EqualValues(t, 5, bigs.in.root.Load().used.Load())
	meet := initialised[string, int](usual, bad{1})
	for i := range 1000 {
		for j := range 3 {
			meet.Store(strconv.Itoa((i+j)%7), i)
		}
		meet.Delete(strconv.Itoa(i % 7))
		require.LessOrEqual(t, meet.Len(), 7)
		require.Equal(t, meet.Len(), len(maps.Collect(meet.All())))
	}
}
