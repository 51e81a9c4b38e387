package counter

import (
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/stripe"
	"example.com/custody/safety"
)

// memory is the numbers of parts that a Counter counts in, and the bytes of the counter with them.
type memory struct{ stripes, locals, lanes, bytes int }

func memoryOf(c *Counter) memory {
	m := memory{locals: int(c.locals.open.Load()), lanes: c.lanes.workers()}
	m.bytes = size[Counter]() + m.locals*size[localCount]() + m.lanes*size[lane[int64]]()
	if t := c.stripes.Load(); t != nil {
		m.stripes = len(t.counts)
		m.bytes += size[stripes]() + (m.stripes+1)*size[padded]() // with the padding in front
	}
	return m
}

func size[T any]() int { return int(reflect.TypeFor[T]().Size()) }

// workers returns the number of workers for which there are lanes.
func (ls *lanes[P]) workers() int { return len(ls.list) }

// What a counter has follows what came to it: Adds that meet, Locals, and jobs.
func TestTheMemoryOfCounters(t *testing.T) {
	c := New()
	s := memoryOf(c)
	alone := s.bytes
	require.Equal(t, memory{bytes: alone}, s)
	require.Greater(t, alone, 256, "the base has lines of its own")
	c.Add(1)
	require.Equal(t, s, memoryOf(c))

	c.collided(1)
	n := stripe.Count(runtime.GOMAXPROCS(0))
	s = memoryOf(c)
	require.Equal(t, n, s.stripes)
	require.GreaterOrEqual(t, s.bytes, alone+(n+1)*size[padded]())
	c.collided(1)
	require.Equal(t, s, memoryOf(c), "stripes are made once")

	a, b := c.Local(), c.Local()
	require.Equal(t, memory{stripes: n, locals: 2, bytes: s.bytes + 2*size[localCount]()}, memoryOf(c))
	a.Close()
	b.Close()
	b.Close()
	require.Equal(t, s, memoryOf(c))

	lanes := 0
	for _, workers := range []int{1, 3, 2} {
		p := safety.Phase{Mode: safety.Append, Workers: workers}
		(*counterPhases)(c).OpenPhase(&p)
		(*counterPhases)(c).SealPhase(&p)
		lanes = max(lanes, workers)
		require.Equal(t, lanes, memoryOf(c).lanes)
	}
	require.Equal(t, memory{stripes: n, lanes: lanes, bytes: s.bytes + lanes*size[lane[int64]]()}, memoryOf(c))
	require.Equal(t, int64(3), c.Value(), "to ask changes nothing")
}

// Stripes are not given back, while goroutines add and Locals come and go.
func TestTheMemoryBesideAdds(t *testing.T) {
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
			s := memoryOf(c)
			if s.locals < 0 || s.locals > 3 || s.stripes < stripes || s.lanes != 0 {
				t.Errorf("%+v after %d stripes", s, stripes)
			}
			stripes = s.stripes
		}
	})
	group.Wait()
	require.Zero(t, memoryOf(c).locals)
}
