package array_test

import (
	"maps"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
)

// unaware are the methods of containers that do not report a copy.
var unaware = map[string]string{
	"Disposed": "it uses nothing of the container's contents",
	"String":   "its text tells that it is a copy",
}

// and returns unaware with the named methods added. A driver calls these for a container whose use
// it has admitted.
func and(drivers ...string) map[string]string {
	all := maps.Clone(unaware)
	for _, name := range drivers {
		all[name] = "a driver calls it"
	}
	return all
}

func TestEveryMethodOfACopyReportsIt(t *testing.T) {
	lawtest.Copies(t, array.New[int](3), map[string][]any{"Split": {2}}, unaware)
	list := array.NewList[int]()
	list.AppendAll([]int{1, 2, 3})
	lawtest.Copies(t, list, nil, and("OpenPhase", "SealPhase"))
	lawtest.Copies(t, array.StreamOf([][]int{{1, 2}, {3}}), nil, and("OpenPhase", "SealPhase"))
	lawtest.Copies(t, array.NewValue(1), nil, unaware)
	lawtest.Copies(t, array.NewDouble[int](3), nil, and("ReturnPhase"))
	lawtest.Copies(t, array.NewDoubleList[int](), map[string][]any{"Both": {func(*array.List[int]) {}}}, and("OpenPhase", "SealPhase", "ReturnPhase"))
	const same = "a copy has the same parts, and the methods of the parts report copies of them"
	lawtest.Copies(t, array.New[int](3).Split(2), nil, map[string]string{"Len": same, "Part": same, "Range": same, "All": same, "String": same})
}
