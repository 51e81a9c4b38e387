package array_test

import (
	"testing"

	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// NestedSuite tests the views that a body passes on to jobs of its own.
type NestedSuite struct {
	suite.Suite
	fresh func(n int, opts ...safety.Option) container
}

func TestNested(t *testing.T) {
	each(t, func(t *testing.T, fresh func(n int, opts ...safety.Option) container) {
		suite.Run(t, &NestedSuite{fresh: fresh})
	})
}

// A writer that is passed on is an array of its own: the batch's window, whose first element is 0.
func (s *NestedSuite) TestIndicesAreTheWindows() {
	const n = 20
	c := s.fresh(n)
	var bad faults
	parallelfor.ForBatch(n, c.Writer(), func(w *writer, b, e int) {
		parallelfor.ForBatch(e-b, *w, func(in *writer, lo, hi int) {
			for _, i := range []int{lo - 1, hi, e - b, -1} {
				bad.add(arraylaw.Refused(i, lo, hi, e-b, func() { in.Set(i, -1) }))
			}
			for i := lo; i < hi; i++ {
				in.Set(i, b+i)
			}
			if len(in.Slice()) != hi-lo || cap(in.Slice()) != hi-lo {
				bad.add("the nested window")
			}
		}, parallelfor.Batch(2), parallelfor.Workers(2))
	}, parallelfor.Batch(6), parallelfor.Workers(3))
	s.Empty(bad.first())
	for i, v := range c.All() {
		s.Equal(i, v)
	}
}

// The window is what there is: a longer loop is refused, and the body goes on with its view
// afterwards.
func (s *NestedSuite) TestALoopLongerThanTheWindowIsRefused() {
	lawtest.CheckedOnly(s.T())
	c := s.fresh(9)
	var bad faults
	parallelfor.ForBatch(9, c.Writer(), func(w *writer, b, e int) {
		v := arraylaw.Caught(func() { parallelfor.For(4, *w, func(*writer, int) { bad.add("ran") }) })
		if v == nil || v.Kind != safety.ErrLength || v.N != 4 || v.Length != 3 {
			bad.add("a longer loop")
		}
		rows := arraylaw.Caught(func() { parallelfor.For(2, array.ByRows(*w, 2), func(*writer, int) { bad.add("ran") }) })
		if rows == nil || rows.Kind != safety.ErrLength || rows.N != 2 || rows.Length != 1 {
			bad.add("a loop longer than the window's rows")
		}
		w.Set(b, 1)
	}, parallelfor.Batch(3))
	s.Empty(bad.first())
	s.Equal(1, c.At(6))
}

// Rows of a window, whether the view had rows before or gets them from the body.
func (s *NestedSuite) TestRowsOfAWindow() {
	c := s.fresh(24)
	parallelfor.ForBatch(6, array.ByRows(c.Writer(), 4), func(w *writer, b, e int) {
		parallelfor.For(e-b, *w, func(in *writer, i int) { in.Row(i)[0] = 10 + b + i })
		parallelfor.For(2*(e-b), array.ByRows(*w, 2), func(in *writer, i int) { in.Row(i)[1] = i })
	}, parallelfor.Batch(3), parallelfor.Workers(2))
	s.Equal([]int{
		10, 0, 0, 1, 11, 2, 0, 3, 12, 4, 0, 5,
		13, 0, 0, 1, 14, 2, 0, 3, 15, 4, 0, 5,
	}, c.Slice())
}

// A body may answer for collisions in its window, and in no other.
func (s *NestedSuite) TestUnrestrictedMeansTheWindow() {
	c := s.fresh(8)
	var bad faults
	parallelfor.ForBatch(8, c.Writer(), func(w *writer, b, e int) {
		u := array.Unrestricted(*w)
		if arraylaw.Caught(func() { u.Set((b+4)%8, 1) }) == nil {
			bad.add("a copy that is not passed on reaches beyond the batch")
		}
		parallelfor.For(e-b, array.Unrestricted(*w), func(in *writer, i int) {
			in.Set(e-b-1-i, b+i)
			bad.add(arraylaw.Refused(e-b, 0, e-b, e-b, func() { in.At(e - b) }))
		})
	}, parallelfor.Batch(4))
	s.Empty(bad.first())
	s.Equal([]int{3, 2, 1, 0, 7, 6, 5, 4}, c.Slice())
}

// Offsets of a window are the window's.
func (s *NestedSuite) TestOffsetsOfAWindow() {
	type views struct {
		Offsets reader
		To      writer
	}
	o := array.Of([]int{0, 1, 1, 3})
	c := s.fresh(8)
	parallelfor.ForBatch(8, views{o.Reader(), c.Writer()}, func(v *views, b, e int) {
		parallelfor.For(3, array.ByOffsets(v.To, v.Offsets), func(in *offsetWriter, i int) {
			for k := range in.Row(i) {
				in.Row(i)[k] = 10*b + i + 1
			}
		})
	}, parallelfor.Batch(4))
	s.Equal([]int{1, 3, 3, 0, 41, 43, 43, 0}, c.Slice())
}

// An offset writer that is passed on is its window with the same offsets, which must fit it.
func (s *NestedSuite) TestAnOffsetWriterIsLentOn() {
	o := array.Of([]int{0, 2, 3})
	c := s.fresh(4)
	parallelfor.Do(array.ByOffsets(c.Writer(), o.Reader()), func(w *offsetWriter) {
		parallelfor.For(2, *w, func(in *offsetWriter, i int) { in.Row(i)[0] = i + 1 })
		arraylaw.Breaks(s.T(), safety.ErrIndex, func() {
			parallelfor.Do(*w, func(in *offsetWriter) { in.At(3) })
		})
	})
	s.Equal([]int{1, 0, 2, 0}, c.Slice())
}

// Readers and values are passed on as they are.
func (s *NestedSuite) TestReadersAndValuesAreLentOn() {
	type views struct {
		In   reader
		Best array.ValueReader[int]
		Sum  array.ValueWriter[int]
	}
	c, best, sum := s.fresh(5), array.NewValue(3), array.NewValue(0)
	c.CopyFrom([]int{1, 2, 3, 4, 5})
	parallelfor.Do(views{c.Reader(), best.Reader(), sum.Writer()}, func(v *views) {
		parallelfor.Do(*v, func(in *views) {
			for _, x := range in.In.Slice() {
				in.Sum.Store(in.Sum.Load() + x*in.Best.Load())
			}
			s.Equal(5, in.In.Len())
			s.Empty(arraylaw.Refused(5, 0, 5, 5, func() { in.In.At(5) }))
		})
		s.Equal(45, v.Sum.Load())
	})
	s.Equal(45, sum.Load())
}

// A view that is passed on is the nested job's until that is completed.
func (s *NestedSuite) TestAViewThatIsLentOnIsNotTheBodys() {
	lawtest.CheckedOnly(s.T())
	c := s.fresh(4)
	parallelfor.Do(c.Writer(), func(w *writer) {
		h := hold(*w)
		arraylaw.Breaks(s.T(), safety.ErrInFlight, func() { w.Slice() })
		arraylaw.Breaks(s.T(), safety.ErrInFlight, func() { w.Row(0) })
		arraylaw.Breaks(s.T(), safety.ErrConflict, func() { hold(*w) })
		h.Complete()
		w.Slice()[0] = 1
	})
	s.Equal(1, c.At(0))
}

// A body may use what it made, and nothing else that it does not hold.
func (s *NestedSuite) TestABodyLendsWhatItHoldsOrMade() {
	lawtest.CheckedOnly(s.T())
	c := s.fresh(4)
	parallelfor.Do(struct{}{}, func(*struct{}) {
		own := s.fresh(4)
		parallelfor.For(4, own.Writer(), func(w *writer, i int) { w.Set(i, i) })
		s.Equal(3, own.At(3))
		arraylaw.Breaks(s.T(), safety.ErrNotLent, func() { hold(c.Reader()) })
		arraylaw.Breaks(s.T(), safety.ErrNotLent, func() { hold(c.Writer()) })
	})
}
