package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// However often the ticket of a handle is asked for, the handle knows its job.
func TestTicketAskedForVeryOften(t *testing.T) {
	a := array.New[int](1)
	pool := parallelfor.NewPool(1)
	busy, release := held(pool)
	h := parallelfor.Schedule(1, counting{a.Writer()}, (*counting).Execute, parallelfor.On(pool), parallelfor.After(busy))
	ticket := h.Ticket()
	for range 1 << 24 {
		if h.Ticket() != ticket {
			break
		}
	}
	fin := h.Finished()
	tk := h.Ticket()
	close(release)
	h.Complete()
	require.False(t, fin, "it waits for another one")
	require.Same(t, ticket, tk)
	require.Equal(t, 1, a.At(0))
	busy.Complete()
	pool.Close()
}
