package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// Two Hashers that call each other's maps without end are told which of them called which map,
// wherever the stack is looked at.
func TestARecursionThroughTwoMapsNamesTheRightOne(t *testing.T) {
	lawtest.CheckedOnly(t)
	ofA, ofB := newPrying(), newPrying()
	a, b := NewWith[int, int](ofA, safety.Named("a")), NewWith[int, int](ofB, safety.Named("b"))
	b.Store(1, 1)
	*ofA.hash = func() { b.Compute(2, func(v int, _ bool) (int, Op) { return v, Keep }) }
	*ofB.equal = func() { a.Load(1) }
	for range 2 {
		v := endsWith(t, "a recursion", func() { a.Load(1) })
		err, _ := v.(error)
		require.ErrorIs(t, err, safety.ErrWaitCycle)
		require.Regexp(t, `Hash of a Hasher, which Map.Load had called, called Map.Compute of hashmap.Map[^"]* "b"|`+
			`Equal of a Hasher, which Map.Compute had called, called Map.Load of hashmap.Map[^"]* "a"`, err.Error())
		for i := range asking.counters { // so that the other Hasher looks at the stack
			n := &asking.counters[i]
			n.enter()
			defer n.leave()
		}
	}
}
