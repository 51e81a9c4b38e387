package array_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type offsetWriter = array.OffsetWriter[int]

// OffsetsSuite is what ByOffsets promises, over containers that hold the elements and containers
// that hold the offsets.
type OffsetsSuite struct {
	suite.Suite
	fresh   func(n int, opts ...safety.Option) container
	offsets func(n int, opts ...safety.Option) container
}

func TestByOffsets(t *testing.T) {
	each(t, func(t *testing.T, fresh func(n int, opts ...safety.Option) container) {
		each(t, func(t *testing.T, offsets func(n int, opts ...safety.Option) container) {
			suite.Run(t, &OffsetsSuite{fresh: fresh, offsets: offsets})
		})
	})
}

// byOffsets makes a container of n elements and a view of it that has those offsets.
func (s *OffsetsSuite) byOffsets(n int, offsets ...int) (container, offsetWriter) {
	o := s.offsets(len(offsets))
	o.CopyFrom(offsets)
	c := s.fresh(n, safety.Named("xs"))
	return c, array.ByOffsets(c.Writer(), o.Reader())
}

// A batch owns what lies between its offsets and nothing else; every row is what lies between two.
func (s *OffsetsSuite) TestABatchOwnsWhatLiesBetweenItsOffsets() {
	arraylaw.Property(s.T(), 150, "offsets", prop.ForAll(
		func(lengths []int, head, tail, batch, workers int) string {
			offsets := []int{head}
			for i, k := range lengths {
				offsets = append(offsets, offsets[i]+k)
			}
			n, end := offsets[len(lengths)]+tail, offsets[len(lengths)]
			c, view := s.byOffsets(n, offsets...)
			var bad faults
			parallelfor.ForBatch(len(lengths), view, func(w *offsetWriter, b, e int) {
				lo, hi := offsets[b], offsets[e]
				if lo < hi && (w.Begin() != lo || len(w.Slice()) != hi-lo || cap(w.Slice()) != hi-lo) {
					bad.add("the window of batch " + strconv.Itoa(b))
				}
				for _, i := range []int{lo - 1, hi, -1, n, math.MinInt, math.MaxInt} {
					bad.add(arraylaw.Refused(i, lo, hi, n, func() { w.At(i) }))
				}
				for i := b; i < e; i++ {
					row := w.Row(i)
					if len(row) != lengths[i] || cap(row) != lengths[i] {
						bad.add("row " + strconv.Itoa(i))
					}
					_ = append(row, -1)
					for j := range row {
						row[j] += offsets[i] + j + 1
					}
				}
				if b > 0 && lengths[b-1] > 0 && arraylaw.Caught(func() { w.Row(b - 1) }) == nil {
					bad.add("the row before")
				}
				if e < len(lengths) && lengths[e] > 0 && arraylaw.Caught(func() { w.Row(e) }) == nil {
					bad.add("the row after")
				}
				for _, i := range []int{-1, len(lengths), math.MinInt, math.MaxInt} {
					if arraylaw.Caught(func() { w.Row(i) }) == nil {
						bad.add("row " + strconv.Itoa(i))
					}
				}
			}, parallelfor.Batch(min(batch, len(lengths))), parallelfor.Workers(workers))
			for i, v := range c.All() {
				if owned := i >= head && i < end; owned && v != i+1 || !owned && v != 0 {
					bad.add("element " + strconv.Itoa(i) + " is " + strconv.Itoa(v))
				}
			}
			return bad.first()
		},
		gen.SliceOfN(20, gen.IntRange(0, 4)).Map(func(l []int) []int { return l[:1+len(l)*l[0]/5] }),
		gen.IntRange(0, 3), gen.IntRange(0, 3), gen.IntRange(1, 20), gen.IntRange(1, 8),
	))
}

// The batch whose borders are no range of the container is refused, with the offsets.
func (s *OffsetsSuite) TestBadOffsetsAreRefused() {
	for name, bad := range map[string]struct {
		offsets []int
		at      int
	}{
		"falling":           {[]int{0, 3, 4, 2}, 2},
		"negative":          {[]int{-1, 3, 4, 6}, 0},
		"beyond":            {[]int{0, 3, 4, 7}, 2},
		"far beyond":        {[]int{0, 3, 4, math.MaxInt}, 2},
		"far below":         {[]int{math.MinInt, 3, 4, 6}, 0},
		"falling to below":  {[]int{0, 1, 2, math.MinInt}, 2},
		"beyond from start": {[]int{7, 7, 7, 7}, 0},
	} {
		for _, workers := range []int{1, 3} {
			_, view := s.byOffsets(6, bad.offsets...)
			v := arraylaw.Breaks(s.T(), safety.ErrArgument, func() {
				parallelfor.For(3, view, func(*offsetWriter, int) {}, parallelfor.Batch(1), parallelfor.Workers(workers))
			}, name)
			lo, hi := bad.offsets[bad.at], bad.offsets[bad.at+1]
			s.Equal([]int{lo, hi, 6}, []int{v.Min, v.Max, v.Length}, name)
			s.ErrorContains(v, "offsets "+strconv.Itoa(bad.at)+" and "+strconv.Itoa(bad.at+1)+" are "+strconv.Itoa(lo)+" and "+strconv.Itoa(hi))
			s.Contains(v.Container, `"xs"`)
			s.NotEmpty(v.Job)
		}
	}
}

// Offsets that fall inside a batch are found by the row that they belong to.
func (s *OffsetsSuite) TestOffsetsThatFallInsideABatchAreRefusedByRow() {
	_, view := s.byOffsets(6, 0, 4, 2, 6)
	s.NotNil(arraylaw.Caught(func() {
		parallelfor.ForBatch(3, view, func(w *offsetWriter, b, e int) {
			for i := b; i < e; i++ {
				w.Row(i)
			}
		}, parallelfor.Batch(3))
	}))
	_, view = s.byOffsets(6, 0, 400, -400, 6)
	s.NotNil(arraylaw.Caught(func() { parallelfor.Do(view, func(w *offsetWriter) { w.Row(1) }) }))
}

func (s *OffsetsSuite) TestALoopLongerThanTheOffsetsIsRefused() {
	lawtest.CheckedOnly(s.T())
	for _, offsets := range [][]int{{}, {2}, {2, 2}, {0, 1, 3}} {
		_, view := s.byOffsets(6, offsets...)
		n := max(len(offsets)-1, 0)
		v := arraylaw.Breaks(s.T(), safety.ErrLength, func() { parallelfor.For(n+1, view, func(*offsetWriter, int) { s.Fail("ran") }) })
		s.Equal([]int{n + 1, n}, []int{v.N, v.Length})
		parallelfor.For(n, view, func(w *offsetWriter, i int) { clear(w.Row(i)) })
	}
}

// A single job owns what lies between the first offset and the last.
func (s *OffsetsSuite) TestASingleJobOwnsAllRows() {
	c, view := s.byOffsets(8, 1, 3, 3, 7)
	parallelfor.Do(view, func(w *offsetWriter) {
		s.Equal(1, w.Begin())
		s.Len(w.Slice(), 6)
		s.Empty(arraylaw.Refused(7, 1, 7, 8, func() { w.Set(7, 1) }))
		s.Empty(arraylaw.Refused(0, 1, 7, 8, func() { w.Set(0, 1) }))
		s.Empty(w.Row(1))
		w.Row(2)[0] = 5
	})
	s.Equal([]int{0, 0, 0, 5, 0, 0, 0, 0}, c.Slice())
	_, view = s.byOffsets(8)
	parallelfor.Do(view, func(w *offsetWriter) { s.Empty(w.Slice()) })
}

// The view claims the offsets, too: no other job may write them meanwhile.
func (s *OffsetsSuite) TestTheOffsetsAreReadMeanwhile() {
	lawtest.CheckedOnly(s.T())
	o := s.offsets(3)
	h := hold(array.ByOffsets(s.fresh(6).Writer(), o.Reader()))
	v := arraylaw.Breaks(s.T(), safety.ErrInFlight, func() { o.Set(0, 1) })
	s.Equal("View.offsets", v.OtherField)
	h.Complete()
	o.Set(0, 1)
}

func (s *OffsetsSuite) TestItIsStaleOutsideJobs() {
	lawtest.CheckedOnly(s.T())
	_, w := s.byOffsets(6, 0, 3, 6)
	uses := func() map[string]func() {
		return map[string]func(){
			"At": func() { w.At(0) }, "Set": func() { w.Set(0, 1) }, "Ptr": func() { w.Ptr(0) }, "Row": func() { w.Row(0) }, "Slice": func() { w.Slice() },
			"All": func() {
				for range w.All() {
				}
			},
		}
	}
	for name, f := range uses() {
		arraylaw.Breaks(s.T(), safety.ErrStaleView, f, name)
	}
	parallelfor.Do(w, func(v *offsetWriter) { w = *v })
	for name, f := range uses() {
		if safety.Strict || name == "Slice" || name == "All" || name == "Row" {
			arraylaw.Breaks(s.T(), safety.ErrStaleView, f, name)
		}
	}
	arraylaw.Breaks(s.T(), safety.ErrStaleView, func() { hold(w) })
}
