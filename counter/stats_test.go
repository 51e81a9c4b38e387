package counter

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/stripe"
	"example.com/custody/safety"
)

// What a counter has follows what came to it: Adds that meet, Locals, and jobs.
func TestStatsOfCounters(t *testing.T) {
	c := New()
	s := c.Stats()
	alone := s.Bytes
	require.Equal(t, Stats{Bytes: alone}, s)
	require.Greater(t, alone, 256, "the base has lines of its own")
	c.Add(1)
	require.Equal(t, s, c.Stats())

	c.collided(1)
	n := stripe.Count(runtime.GOMAXPROCS(0))
	s = c.Stats()
	require.Equal(t, n, s.Stripes)
	require.GreaterOrEqual(t, s.Bytes, alone+(n+1)*size[padded]())
	c.collided(1)
	require.Equal(t, s, c.Stats(), "stripes are made once")

	a, b := c.Local(), c.Local()
	require.Equal(t, Stats{Stripes: n, Locals: 2, Bytes: s.Bytes + 2*size[localCount]()}, c.Stats())
	a.Close()
	b.Close()
	b.Close()
	require.Equal(t, s, c.Stats())

	lanes := 0
	for _, workers := range []int{1, 3, 2} {
		p := safety.Phase{Mode: safety.Append, Workers: workers}
		(*counterPhases)(c).OpenPhase(&p)
		(*counterPhases)(c).SealPhase(&p)
		lanes = max(lanes, workers)
		require.Equal(t, lanes, c.Stats().Lanes)
	}
	require.Equal(t, Stats{Stripes: n, Lanes: lanes, Bytes: s.Bytes + lanes*size[lane[int64]]()}, c.Stats())
	require.Equal(t, int64(3), c.Value(), "to ask changes nothing")
}

// Stats is refused where Value is: while a job changes the counter, after the end, and of a counter
// that was never made.
func TestStatsAreRefusedWhereTheValueIs(t *testing.T) {
	checked(t)
	c := New()
	refused := func(c *Counter, kind error) {
		t.Helper()
		require.ErrorIs(t, violation(t, func() { c.Stats() }), kind)
	}
	holding(copies(c.Reader()), func() { require.Zero(t, c.Stats().Stripes) })()
	holding(copies(c.ParallelWriter()), func() { refused(c, safety.ErrInFlight) })()
	c.Dispose()
	refused(c, safety.ErrDisposed)
	refused(new(Counter), safety.ErrUnassigned)
}

// Any goroutine may ask, while others add and Locals come and go.
func TestStatsBesideAdds(t *testing.T) {
	c := New()
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for i := range rounds(200) {
				c.Inc()
				l := c.Local()
				l.Inc()
				if l.Close(); i%7 == 0 {
					c.collided(1)
				}
			}
		})
	}
	group.Go(func() {
		stripes := 0
		for range rounds(500) {
			s := c.Stats()
			if s.Locals < 0 || s.Locals > 3 || s.Stripes < stripes || s.Lanes != 0 {
				t.Errorf("%+v after %d stripes", s, stripes)
			}
			stripes = s.Stripes
		}
	})
	group.Wait()
	require.Zero(t, c.Stats().Locals)
}
