package array_test

import (
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
)

func TestEveryMethodOfACopyReportsIt(t *testing.T) {
	lawtest.Copies(t, array.New[int](3), map[string][]any{"Split": {2}}, nil)
	list := array.NewList[int]()
	list.AppendAll([]int{1, 2, 3})
	lawtest.Copies(t, list, nil, nil)
	lawtest.Copies(t, array.StreamOf([][]int{{1, 2}, {3}}), map[string][]any{"SetCounts": {[]int{1, 2}}}, nil)
	lawtest.Copies(t, array.NewValue(1), nil, nil)
	const half = "the methods of what it returns report the copy"
	halves := map[string]string{"Front": half, "Back": half}
	lawtest.Copies(t, array.NewDouble[int](3), nil, halves)
	lawtest.Copies(t, array.NewDouble[int](3).Back(), map[string][]any{"Split": {2}}, nil)
	lawtest.Copies(t, array.NewDoubleList[int](), nil, halves)
	const same = "a copy has the same parts, and the methods of the parts report copies of them"
	lawtest.Copies(t, array.New[int](3).Split(2), nil, map[string]string{"Len": same, "Part": same, "Range": same, "All": same})
}
