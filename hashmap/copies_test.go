package hashmap

import (
	"testing"

	"example.com/custody/internal/lawtest"
)

func TestEveryMethodOfACopyReportsIt(t *testing.T) {
	args := func(fold any) map[string][]any { return map[string][]any{"ParallelMerger": {fold}} }
	words := New[int, int]()
	words.Store(1, 1)
	lawtest.Copies(t, words, args(sum), nil)
	lawtest.Copies(t, NewWith[int, int](same{}), args(sum), nil)
	lawtest.Copies(t, New[string, int](), args(sum), nil)
	lawtest.Copies(t, New[string, string](), args(func(old, _ string) string { return old }), nil)
	multi := NewMulti[int, int]()
	multi.Add(1, 1)
	lawtest.Copies(t, multi, nil, nil)
	lawtest.Copies(t, NewMultiWith[int, int](same{}), nil, nil)
}
