package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// The ticket of a completed job can be asked, in every build.
func TestTicketOfCompletedJobCanBeAsked(t *testing.T) {
	a := array.New[int](1)
	h := parallelfor.Schedule(1, counting{a.Writer()}, (*counting).Execute)
	h.Complete()
	require.NotPanics(t, func() { require.True(t, h.Ticket().Returned()) })
}
