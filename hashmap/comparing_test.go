package hashmap

import (
	"fmt"
	"hash/maphash"
	"testing"

	"github.com/stretchr/testify/require"
)

// prints hashes and compares keys by what they print, also those that == cannot compare.
type prints struct{}

func (prints) Hash(h *maphash.Hash, k any) { h.WriteString(fmt.Sprint(k)) }
func (prints) Equal(a, b any) bool         { return fmt.Sprint(a) == fmt.Sprint(b) }

// Where there is a Hasher it is what compares keys, and nothing else does.
func TestAHasherComparesWhatCannotBeCompared(t *testing.T) {
	large, small := NewWith[any, any](prints{}), NewWith[any, int](prints{})
	for round := range 3 {
		for i := range 50 {
			large.Store([]int{i}, round)
			small.Store([]int{i}, round)
		}
		for i := range 50 {
			v, ok := large.Load([]int{i})
			require.Equal(t, []any{round, true}, []any{v, ok})
			n, ok := small.Load([]int{i})
			require.Equal(t, []any{round, true}, []any{n, ok})
		}
	}
	require.Equal(t, []int{50, 50}, []int{large.Len(), small.Len()})
	for i := range 50 {
		_, ok := large.LoadAndDelete([]int{i})
		require.True(t, ok)
		_, ok = small.LoadAndDelete([]int{i})
		require.True(t, ok)
	}
	require.Equal(t, []int{0, 0}, []int{large.Len(), small.Len()})
}
