package elem_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/elem"
)

// Memory that cannot be had leaves what there is.
func TestMemoryThatCannotGrowStaysAsItIs(t *testing.T) {
	of := elem.TypeOf[int]()
	var m elem.Memory
	*elem.Nth[int](m.Grow(of, 1), 0) = 7
	m.N++
	p, room := m.P, m.Room
	require.Panics(t, func() { m.Grow(of, math.MaxInt/2) })
	require.Equal(t, []any{p, 1, room}, []any{m.P, m.N, m.Room})
	require.Equal(t, 7, *elem.Nth[int](m.P, 0))
}
