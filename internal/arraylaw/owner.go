package arraylaw

import (
	"errors"
	"math"
	"strconv"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// outside returns indices that are out of range for n elements.
func outside(n int) []int { return []int{-1, n, n + 1, math.MinInt, math.MaxInt} }

// TestElementsStartAsZero covers several lengths, including 0.
func (s *Suite[R, W, PR, PW]) TestElementsStartAsZero() {
	for _, n := range []int{0, 1, 7, 1000} {
		c := s.New(n)
		s.Equal(n, c.Len())
		s.Len(c.Slice(), n)
		s.Equal(n, cap(c.Slice()), "what lies beyond the length is not the container's")
		seen := 0
		for i, v := range c.All() {
			s.Equal(seen, i)
			s.Zero(v)
			seen++
		}
		s.Equal(n, seen)
	}
}

// TestANegativeLengthIsRefused checks that the violation has the length.
func (s *Suite[R, W, PR, PW]) TestANegativeLengthIsRefused() {
	for _, n := range []int{-1, math.MinInt} {
		v := Breaks(s.T(), safety.ErrLength, func() { s.New(n) })
		s.Equal(n, v.N)
		s.ErrorContains(v, strconv.Itoa(n))
	}
}

// TestAllWaysToReadAndWriteAgree checks that At, Slice, All and CopyTo read what Set, Slice and
// CopyFrom write.
func (s *Suite[R, W, PR, PW]) TestAllWaysToReadAndWriteAgree() {
	c := s.New(3)
	expect := func(want ...int) {
		dst := make([]int, 3)
		c.CopyTo(dst)
		s.Equal(want, dst)
		s.Equal(want, c.Slice())
		for i, v := range c.All() {
			s.Equal(want[i], v)
			s.Equal(want[i], c.At(i))
		}
	}
	c.Set(1, 5)
	expect(0, 5, 0)
	c.Slice()[2] = 6
	expect(0, 5, 6)
	src := []int{7, 8, 9}
	c.CopyFrom(src)
	src[0] = 0
	expect(7, 8, 9)
	c.Clear()
	if s.Empties {
		s.Zero(c.Len())
		return
	}
	expect(0, 0, 0)
}

// TestAllEndsWhenTheLoopIsLeft checks that an iterator can be ranged over again.
func (s *Suite[R, W, PR, PW]) TestAllEndsWhenTheLoopIsLeft() {
	all := s.filled(5).All()
	for range 2 {
		var seen []int
		for i, v := range all {
			if i == 2 {
				break
			}
			seen = append(seen, v)
		}
		s.Equal([]int{100, 101}, seen)
	}
}

// TestIndicesOutsideAreRefused checks that the violation has the index and the valid range, and
// that no element changes.
func (s *Suite[R, W, PR, PW]) TestIndicesOutsideAreRefused() {
	for _, n := range []int{0, 1, 5} {
		c := s.filled(n, safety.Named("xs"))
		for _, i := range outside(n) {
			for name, f := range map[string]func(){"At": func() { c.At(i) }, "Set": func() { c.Set(i, -1) }} {
				if !safety.Enabled {
					s.Panics(f, "as a slice does")
					continue
				}
				v := Breaks(s.T(), safety.ErrIndex, f, name, i)
				s.Equal([]int{i, 0, n, n}, []int{v.Index, v.Min, v.Max, v.Length}, name)
				s.Equal(s.Type+` "xs"`, v.Container)
				s.ErrorContains(v, "index "+strconv.Itoa(i))
				s.ErrorContains(v, "length "+strconv.Itoa(n))
			}
		}
		for i, v := range c.All() {
			s.Equal(100+i, v)
		}
	}
}

// TestCopiesOfUnequalLengthAreRefused checks that the violation has both lengths, and that no
// element changes.
func (s *Suite[R, W, PR, PW]) TestCopiesOfUnequalLengthAreRefused() {
	c := s.filled(4)
	for _, n := range []int{0, 3, 5, 400} {
		other := make([]int, n)
		for name, f := range map[string]func(){"CopyFrom": func() { c.CopyFrom(other) }, "CopyTo": func() { c.CopyTo(other) }} {
			v := Breaks(s.T(), safety.ErrLength, f, name)
			s.Equal(n, v.N, name)
			s.Equal(4, v.Length, name)
			s.ErrorContains(v, "length 4")
			s.ErrorContains(v, "length "+strconv.Itoa(n))
		}
		s.Equal(make([]int, n), other)
		s.Equal([]int{100, 101, 102, 103}, c.Slice())
	}
}

// TestNothingWorksAfterDispose covers the owner's operations, and views taken before and after.
func (s *Suite[R, W, PR, PW]) TestNothingWorksAfterDispose() {
	lawtest.CheckedOnly(s.T())
	c := s.filled(3, safety.Named("gone"))
	r, w := c.Reader(), c.Writer()
	all := c.All()
	s.False(c.Disposed())
	c.Dispose()
	s.True(c.Disposed())
	for _, u := range uses[R, W]() {
		v := Breaks(s.T(), safety.ErrDisposed, func() { u.do(c) }, u.name)
		s.Equal(s.Type+` "gone"`, v.Container)
		s.NotEmpty(v.Made)
	}
	Breaks(s.T(), safety.ErrDisposed, func() {
		for range all {
		}
	})
	for _, r := range []R{r, c.Reader()} {
		Breaks(s.T(), safety.ErrDisposed, func() { s.Readers.Hold(r) })
		Breaks(s.T(), safety.ErrDisposed, func() { s.Readers.Once(r, func(*R) {}) })
	}
	for _, w := range []W{w, c.Writer()} {
		Breaks(s.T(), safety.ErrDisposed, func() { s.Writers.Hold(w) })
		Breaks(s.T(), safety.ErrDisposed, func() { s.Writers.Each(0, 0, 1, w, func(*W, int) {}) })
	}
	s.True(c.Disposed())
}

// TestDisposeEndsAnIteration checks that All checks custody at every step.
func (s *Suite[R, W, PR, PW]) TestDisposeEndsAnIteration() {
	lawtest.CheckedOnly(s.T())
	c := s.filled(3)
	Breaks(s.T(), safety.ErrDisposed, func() {
		for i := range c.All() {
			s.Zero(i)
			c.Dispose()
		}
	})
}

// TestNothingWorksBeforeItIsMade covers the zero value and its views.
func (s *Suite[R, W, PR, PW]) TestNothingWorksBeforeItIsMade() {
	lawtest.CheckedOnly(s.T())
	for _, u := range uses[R, W]() {
		c := s.Unmade()
		Breaks(s.T(), safety.ErrUnassigned, func() { u.do(c) }, u.name)
		s.False(c.Disposed())
	}
	c := s.Unmade()
	v := Breaks(s.T(), safety.ErrUnassigned, func() { s.Readers.Hold(c.Reader()) })
	s.ErrorContains(v, "job holder")
	Breaks(s.T(), safety.ErrUnassigned, func() { s.Writers.Hold(c.Writer()) })
}

// judge tries every operation of the owner while a job holds c. A refused operation must not change
// anything.
func (s *Suite[R, W, PR, PW]) judge(c Container[R, W], verb string, allowed func(u use[R, W]) bool) {
	for _, u := range uses[R, W]() {
		v := Caught(func() { u.do(c) })
		if allowed(u) {
			s.Nil(v, u.name)
			continue
		}
		s.Require().NotNil(v, u.name)
		s.True(errors.Is(v, safety.ErrInFlight), "%s: %v", u.name, v)
		s.Equal("holder", v.OtherJob)
		s.Equal("View", v.OtherField)
		s.NotEmpty(v.Scheduled)
		s.Equal(s.Type+` "lent"`, v.Container)
		s.ErrorContains(v, verb)
		s.False(c.Disposed())
	}
}

// TestTheOwnerMayReadBesideReaders checks that the owner may read but not write until the job is
// completed, even after it has finished.
func (s *Suite[R, W, PR, PW]) TestTheOwnerMayReadBesideReaders() {
	lawtest.CheckedOnly(s.T())
	c := s.filled(3, safety.Named("lent"))
	h := s.Readers.Hold(c.Reader())
	reads := func(u use[R, W]) bool { return !u.writes }
	s.judge(c, "reads", reads)
	for !h.Finished() {
	}
	s.judge(c, "has finished but was not completed", reads)
	other := s.Readers.Hold(c.Reader())
	h.Complete()
	s.judge(c, "reads", reads)
	other.Complete()
	s.Equal([]int{100, 101, 102}, c.Slice())
	s.judge(c, "", func(use[R, W]) bool { return true })
	s.True(c.Disposed())
}

// TestTheOwnerMayDoNothingBesideAWriter checks that the owner may only ask for the length until the
// job is completed.
func (s *Suite[R, W, PR, PW]) TestTheOwnerMayDoNothingBesideAWriter() {
	lawtest.CheckedOnly(s.T())
	c := s.filled(3, safety.Named("lent"))
	h := s.Writers.Hold(c.Writer())
	allowed := func(u use[R, W]) bool {
		return u.name == "Len" && !s.Grows
	}
	s.judge(c, "writes", allowed)
	for !h.Finished() {
	}
	s.judge(c, "has finished but was not completed", allowed)
	h.Complete()
	h.Complete()
	s.judge(c, "", func(use[R, W]) bool { return true })
	s.True(c.Disposed())
}

// TestAnIterationEndsWhenAJobWrites checks that All checks custody at every step.
func (s *Suite[R, W, PR, PW]) TestAnIterationEndsWhenAJobWrites() {
	lawtest.CheckedOnly(s.T())
	c := s.filled(3)
	var h Handle
	Breaks(s.T(), safety.ErrInFlight, func() {
		for range c.All() {
			if h == nil {
				h = s.Writers.Hold(c.Writer())
			}
		}
	})
	h.Complete()
}
