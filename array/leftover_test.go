package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/custodytest"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/safety"
)

// What is refused leaves nothing behind: no container that cannot be disposed.
func TestWhatIsRefusedLeavesNothing(t *testing.T) {
	custodytest.NoLeaks(t)
	arraylaw.Breaks(t, safety.ErrLength, func() { array.New[int](-1) })
	arraylaw.Breaks(t, safety.ErrLength, func() { array.NewDouble[int](-1) })
	a := array.New[int](10)
	arraylaw.Breaks(t, safety.ErrLength, func() { a.Split(0) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { a.SplitAt(11) })
	if safety.Enabled {
		parts := a.Split(2)
		_ = arraylaw.Caught(func() { a.Split(3) })
		parts.Join()
		h := scheduled(a.Reader(), func(*array.Reader[int]) {})()
		require.NotNil(t, arraylaw.Caught(func() { a.Split(3) }))
		h.Complete()
	}
	a.Dispose()
	if safety.Enabled {
		arraylaw.Breaks(t, safety.ErrDisposed, func() { a.Split(2) })
	}
}
