package parallelfor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// What a worker that shares a short loop takes does not raise the cost of an index. It would be
// that of sharing, and the loop would be shared for ever.
func TestSharingDoesNotRaiseTheCostOfAnIndex(t *testing.T) {
	var s sample
	var c cost
	c.perIndex.Store(10 << 10)
	s.end(&c, now()-5*time.Microsecond, 50, 100)
	require.EqualValues(t, 10<<10, c.perIndex.Load())
	require.Equal(t, s.every, s.wait)
	s.end(&c, now()-5*time.Microsecond, 100, 100) // alone
	require.Greater(t, c.perIndex.Load(), int64(50<<10-1))
	c.perIndex.Store(1 << 30)
	s.end(&c, now()-5*time.Microsecond, 50, 100) // less than was known
	require.Less(t, c.perIndex.Load(), int64(1<<30))
	c.perIndex.Store(10 << 10)
	s.end(&c, now()-mostSharing-time.Microsecond, 50, 100) // no short loop
	require.Greater(t, c.perIndex.Load(), int64(10<<10))
}

// One in four short loops that are timed is not shared, and loops that are shared are timed often.
func TestOneInFourTimedLoopsIsNotShared(t *testing.T) {
	if atom.Exploring() {
		t.Skip("nothing is timed")
	}
	var s sample
	var c cost
	alone := 0
	for range 100 * sharedSeldom {
		if s.alone() {
			require.LessOrEqual(t, s.wait, 0)
			alone++
		}
		if s.begin() != 0 {
			s.end(&c, now()-time.Microsecond, 100, 100)
		}
	}
	require.Greater(t, alone, 20)
	require.Less(t, alone, 60)
}
