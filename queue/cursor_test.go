package queue

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// Positions count places for each capacity, across the end of a lap and where the word wraps
// around.
func TestPositionsCountPlaces(t *testing.T) {
	for capacity := 1; capacity <= 9; capacity++ {
		q := NewSPSC[int](capacity)
		c := &q.producer.cursor
		for _, lap := range []uint64{0, 1, ^uint64(0), ^uint64(1)} {
			for k := range capacity {
				p := lap*c.ahead + uint64(k)*spscUnit
				require.Equal(t, k, c.place(p))
				require.Zero(t, c.between(p, p))
				for n := range capacity + 1 {
					to := c.after(p, n)
					require.Equal(t, n, c.between(p, to), "%d places, from %d", capacity, k)
					require.Equal(t, (k+n)%capacity, c.place(to))
					require.Zero(t, c.between(to, p))
					require.Zero(t, to&spscFlags)
				}
			}
		}
	}
}

// One goroutine waits at an end. A second goroutine that is about to wait there panics, and so does
// a goroutine whose end is moved while it waits.
func TestWhoWaitsAtAnEndIsAlone(t *testing.T) {
	for name, disturb := range map[string]func(e *end[int]){
		"another one waits": func(e *end[int]) { e.claim() },
		"another one moves": func(e *end[int]) { e.mine = e.after(e.mine, 1) },
	} {
		if safety.Strict && name == "another one waits" {
			continue // operations find it out where they enter: TestMisuse has it
		}
		q := NewSPSC[int](2)
		e := &q.consumer.end
		disturb(e)
		v := lawtest.Violation(t, func() error {
			return e.await(context.Background(), func() outcome { return blocked }, func() int { return 0 })
		})
		require.ErrorIs(t, v, safety.ErrConflict, name)
		require.Contains(t, v.Error(), "two consumers at the same time")
	}
}
