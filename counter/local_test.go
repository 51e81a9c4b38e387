package counter

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

type LocalSuite struct{ suite.Suite }

func TestLocal(t *testing.T) { suite.Run(t, new(LocalSuite)) }

func (s *LocalSuite) TestValueSeesWhatALocalAdded() {
	c := New()
	a, b := c.Local(), c.Local()
	a.Inc()
	b.Add(10)
	b.Add(-1)
	s.Equal(int64(10), c.Value())
	a.Close()
	s.Equal(int64(10), c.Value())
	b.Close()
	s.Equal(int64(10), c.Value())
}

func (s *LocalSuite) TestCloseFreesTheCellAndMayBeRepeated() {
	c := New()
	var all []*Local
	for range 5 {
		all = append(all, c.Local())
	}
	for _, i := range []int{2, 4, 0, 1, 3} {
		all[i].Inc()
		all[i].Close()
		all[i].Close()
		for at, count := range c.locals.list {
			s.Equal(at, count.at)
		}
	}
	s.Empty(c.locals.list)
	s.Equal(int64(5), c.Value())
}

func (s *LocalSuite) TestUseAfterCloseIsAViolation() {
	c := New(safety.Named("hits"))
	l := c.Local()
	l.Close()
	expect(s.T(), []misuse{{"Inc", l.Inc, safety.ErrClosed, safety.Violation{Container: `counter.Counter "hits"`}}})
}

// A Local that was never closed loses nothing, and its count is not kept.
func (s *LocalSuite) TestGarbageIsFolded() {
	c := New()
	func() {
		for range 10 {
			c.Local().Add(7)
		}
	}()
	lawtest.Happens(s.T(), "all are folded", func() bool {
		s.Equal(int64(70), c.Value())
		return c.locals.open.Load() == 0
	})
	s.Equal(int64(70), c.Value())
}

// What a Local leaves behind is nothing: not in the list, nor in the memory behind its end.
func (s *LocalSuite) TestAClosedLocalLeavesNoCellBehind() {
	c := New()
	a, b := c.Local(), c.Local()
	all := c.locals.list[:2]
	a.Close()
	s.Equal([]*localCount{b.count, nil}, all)
	b.Close()
	s.Equal([]*localCount{nil, nil}, all)
}

// A Local counts in 64 bits, also where an int has 32 bits. Single additions and their sum may pass
// the range of 32 bits.
func TestALocalCountsBeyond32Bits(t *testing.T) {
	c := New()
	l := c.Local()
	for range 3 {
		l.Add(math.MaxInt32)
		l.Add(1 << 40)
	}
	l.Add(-1 << 35)
	const want int64 = 3*(math.MaxInt32+1<<40) - 1<<35
	require.Equal(t, want, c.Value())
	l.Close()
	require.Equal(t, want, c.Value())
	m := c.Local()
	m.Add(1 << 33)
	require.Equal(t, want+1<<33, c.Swap(0))
	require.Zero(t, c.Value())
}
