package hashmap

import (
	"testing"

	"example.com/custody/internal/lawtest"
)

func TestEveryMethodOfACopyReportsIt(t *testing.T) {
	silent := map[string]string{
		"Disposed":  "it asks for nothing that is the container's",
		"String":    "it says that it is a copy",
		"OpenPhase": "a driver calls it", "SealPhase": "a driver calls it",
	}
	args := func(fold any) map[string][]any { return map[string][]any{"ParallelMerger": {fold}} }
	words := New[int, int]()
	words.Store(1, 1)
	lawtest.Copies(t, words, args(sum), silent)
	lawtest.Copies(t, NewWith[int, int](same{}), args(sum), silent)
	lawtest.Copies(t, New[string, int](), args(sum), silent)
	lawtest.Copies(t, New[string, string](), args(func(old, _ string) string { return old }), silent)
	multi := NewMulti[int, int]()
	multi.Add(1, 1)
	lawtest.Copies(t, multi, nil, silent)
	lawtest.Copies(t, NewMultiWith[int, int](same{}), nil, silent)
}
