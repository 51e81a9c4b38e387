package array_test

import (
	"math"
	"strconv"
	"sync"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// each runs a test over all containers that have the views.
func each(t *testing.T, f func(t *testing.T, fresh func(n int, opts ...safety.Option) container)) {
	t.Run("Array", func(t *testing.T) { f(t, newArray) })
	t.Run("List", func(t *testing.T) { f(t, newList) })
}

// faults collects what is wrong in bodies, which must not end by a failed assertion.
type faults struct {
	mu   sync.Mutex
	list []string
}

func (f *faults) add(s string) {
	if s != "" {
		f.mu.Lock()
		f.list = append(f.list, s)
		f.mu.Unlock()
	}
}

func (f *faults) first() string {
	if len(f.list) == 0 {
		return ""
	}
	return f.list[0]
}

// RowsSuite is what ByRows promises.
type RowsSuite struct {
	suite.Suite
	fresh func(n int, opts ...safety.Option) container
}

func TestRows(t *testing.T) {
	each(t, func(t *testing.T, fresh func(n int, opts ...safety.Option) container) {
		suite.Run(t, &RowsSuite{fresh: fresh})
	})
}

// Every element of a batch's rows belongs to the batch, and its neighbours do not; every row is
// capped.
func (s *RowsSuite) TestABatchOwnsTheRowsOfItsIndices() {
	arraylaw.Property(s.T(), 200, "rows", prop.ForAll(
		func(rows, k, spare, batch, workers int) string {
			batch, spare = min(batch, rows), min(spare, k-1)
			n := rows*k + spare
			c := s.fresh(n)
			var bad faults
			parallelfor.ForBatch(rows, array.ByRows(c.Writer(), k), func(w *writer, begin, end int) {
				lo, hi := begin*k, end*k
				if w.Begin() != lo || len(w.Slice()) != hi-lo || cap(w.Slice()) != hi-lo {
					bad.add("the window of batch " + strconv.Itoa(begin))
				}
				for _, i := range []int{lo - 1, hi, -1, n, math.MinInt, math.MaxInt} {
					bad.add(arraylaw.Refused(i, lo, hi, n, func() { w.Set(i, -1) }))
				}
				bad.add(arraylaw.Refused(begin-1, begin, end, rows, func() { w.Row(begin - 1) }))
				bad.add(arraylaw.Refused(end, begin, end, rows, func() { w.Row(end) }))
				for i := begin; i < end; i++ {
					row := w.Row(i)
					if len(row) != k || cap(row) != k || &row[0] != w.Ptr(i*k) {
						bad.add("row " + strconv.Itoa(i))
					}
					_ = append(row, -1)
					for j := range row {
						row[j] += i*k + j + 1
					}
				}
			}, parallelfor.Batch(batch), parallelfor.Workers(workers))
			for i, v := range c.All() {
				if i < rows*k && v != i+1 || i >= rows*k && v != 0 {
					bad.add("element " + strconv.Itoa(i) + " is " + strconv.Itoa(v))
				}
			}
			return bad.first()
		},
		gen.IntRange(1, 24), gen.IntRange(1, 6), gen.IntRange(0, 5), gen.IntRange(1, 24), gen.IntRange(1, 8),
	))
}

func (s *RowsSuite) TestARowIsOneElementOrMore() {
	for _, k := range []int{0, -1, math.MinInt} {
		v := arraylaw.Breaks(s.T(), safety.ErrArgument, func() { array.ByRows(s.fresh(3).Writer(), k) })
		s.Equal(k, v.N)
		s.ErrorContains(v, strconv.Itoa(k))
	}
}

func (s *RowsSuite) TestALoopLongerThanTheRowsIsRefused() {
	lawtest.CheckedOnly(s.T())
	c := s.fresh(11)
	for k, rows := range map[int]int{1: 11, 2: 5, 3: 3, 11: 1, 12: 0, math.MaxInt: 0} {
		v := arraylaw.Breaks(s.T(), safety.ErrLength, func() {
			parallelfor.For(rows+1, array.ByRows(c.Writer(), k), func(*writer, int) { s.Fail("ran") })
		})
		s.Equal([]int{rows + 1, rows}, []int{v.N, v.Length})
		parallelfor.For(rows, array.ByRows(c.Writer(), k), func(w *writer, i int) { clear(w.Row(i)) })
	}
}

// What is left at the end belongs to no row, in a single job too.
func (s *RowsSuite) TestASingleJobOwnsAllRows() {
	c := s.fresh(11)
	parallelfor.Do(array.ByRows(c.Writer(), 3), func(w *writer) {
		s.Len(w.Slice(), 9)
		s.Len(w.Row(2), 3)
		s.Empty(arraylaw.Refused(9, 0, 9, 11, func() { w.Set(9, 1) }))
		for _, i := range []int{-1, 3, 4, 1000} {
			s.NotNil(arraylaw.Caught(func() { w.Row(i) }), i)
		}
	})
	parallelfor.Do(array.ByRows(c.Writer(), math.MaxInt), func(w *writer) {
		s.Empty(w.Slice())
		for _, i := range []int{-1, 0, 1, 2, math.MaxInt, math.MinInt} {
			s.NotNil(arraylaw.Caught(func() { w.Row(i) }), i)
		}
	})
}

func (s *RowsSuite) TestARowIsStaleOutsideJobs() {
	w := array.ByRows(s.fresh(4).Writer(), 2)
	for _, i := range []int{-1, 0, 2} {
		s.Empty(arraylaw.Breaks(s.T(), safety.ErrStaleView, func() { w.Row(i) }).Job)
	}
	if !safety.Enabled {
		return
	}
	parallelfor.Do(w, func(v *writer) { w = *v })
	arraylaw.Breaks(s.T(), safety.ErrStaleView, func() { w.Row(0) })
}

// Without rows, a row is one element.
func (s *RowsSuite) TestARowOfAPlainWriterIsOneElement() {
	c := s.fresh(4)
	parallelfor.For(4, c.Writer(), func(w *writer, i int) { w.Row(i)[0] = i + 1 })
	s.Equal([]int{1, 2, 3, 4}, c.Slice())
}

// UnrestrictedSuite is what Unrestricted promises.
type UnrestrictedSuite struct {
	suite.Suite
	fresh func(n int, opts ...safety.Option) container
}

func TestUnrestricted(t *testing.T) {
	each(t, func(t *testing.T, fresh func(n int, opts ...safety.Option) container) {
		suite.Run(t, &UnrestrictedSuite{fresh: fresh})
	})
}

// Every batch may touch everything, and nothing else: here each writes the element opposite.
func (s *UnrestrictedSuite) TestEveryBatchMayTouchEverything() {
	const n = 40
	c := s.fresh(n)
	var bad faults
	parallelfor.For(n, array.Unrestricted(c.Writer()), func(w *writer, i int) {
		w.Set(n-1-i, i)
		if w.At(n-1-i) != i || w.Begin() != 0 || len(w.Slice()) != n || cap(w.Slice()) != n {
			bad.add("index " + strconv.Itoa(i))
		}
		for _, k := range []int{-1, n, math.MinInt, math.MaxInt} {
			bad.add(arraylaw.Refused(k, 0, n, n, func() { w.Ptr(k) }))
		}
	}, parallelfor.Batch(3), parallelfor.Workers(4))
	s.Empty(bad.first())
	for i, v := range c.All() {
		s.Equal(n-1-i, v)
	}
}

// The loop may be longer than the container: indices own nothing.
func (s *UnrestrictedSuite) TestTheLoopMayHaveAnyLength() {
	c := s.fresh(2)
	parallelfor.For(50, array.Unrestricted(c.Writer()), func(w *writer, i int) {
		if i == 49 {
			w.Set(0, i)
		}
	})
	s.Equal([]int{49, 0}, c.Slice())
}

func (s *UnrestrictedSuite) TestOtherJobsAreKeptAwayAsEver() {
	lawtest.CheckedOnly(s.T())
	c := s.fresh(2)
	h := hold(array.Unrestricted(c.Writer()))
	arraylaw.Breaks(s.T(), safety.ErrConflict, func() { hold(array.Unrestricted(c.Writer())) })
	h.Complete()
}

// Rows stay rows.
func (s *UnrestrictedSuite) TestRowsAreUnrestrictedToo() {
	c := s.fresh(6)
	parallelfor.For(3, array.Unrestricted(array.ByRows(c.Writer(), 2)), func(w *writer, i int) { w.Row(2 - i)[0] = i + 1 })
	s.Equal([]int{3, 0, 2, 0, 1, 0}, c.Slice())
}

// A view of no container, and of a container that is nil, is refused when it is scheduled.
func TestAViewOfNothingIsRefusedWhenScheduled(t *testing.T) {
	lawtest.CheckedOnly(t)
	var (
		noArray *array.Array[int]
		noValue *array.Value[int]
		offsets = array.New[int](3)
	)
	for name, f := range map[string]func(){
		"Reader":             func() { hold(reader{}) },
		"Reader of Array":    func() { hold(noArray.Reader()) },
		"Writer":             func() { hold(writer{}) },
		"Writer of Array":    func() { hold(noArray.Writer()) },
		"Rows":               func() { hold(array.ByRows(writer{}, 3)) },
		"Unrestricted":       func() { hold(array.Unrestricted(writer{})) },
		"OffsetWriter":       func() { hold(array.OffsetWriter[int]{}) },
		"ByOffsets":          func() { hold(array.ByOffsets(noArray.Writer(), offsets.Reader())) },
		"offsets":            func() { hold(array.ByOffsets(array.New[int](3).Writer(), reader{})) },
		"ValueReader":        func() { hold(array.ValueReader[int]{}) },
		"ValueReader of nil": func() { hold(noValue.Reader()) },
		"ValueWriter":        func() { hold(array.ValueWriter[int]{}) },
		"ValueWriter of nil": func() { hold(noValue.Writer()) },
	} {
		v := arraylaw.Breaks(t, safety.ErrUnassigned, f, name)
		if v.Job != "holder" || len(v.Field) < 4 || v.Field[:4] != "View" {
			t.Errorf("%s: job %q, field %q", name, v.Job, v.Field)
		}
	}
}

// A copy of a container's struct is not the container.
func TestACopiedContainerIsRefusedWhenScheduled(t *testing.T) {
	lawtest.CheckedOnly(t)
	a, x := *array.New[int](3), *array.NewValue(1)
	arraylaw.Breaks(t, safety.ErrCopied, func() { hold(a.Reader()) })
	arraylaw.Breaks(t, safety.ErrCopied, func() { hold(a.Writer()) })
	arraylaw.Breaks(t, safety.ErrCopied, func() { hold(x.Reader()) })
}

// One job may read a container through two views and not write it through one of them.
func TestOneJobMayReadTwiceAndWriteOnce(t *testing.T) {
	lawtest.CheckedOnly(t)
	type two struct{ A, B reader }
	type mixed struct {
		A reader
		B writer
	}
	type writers struct{ A, B writer }
	a := array.New[int](3)
	hold(two{a.Reader(), a.Reader()}).Complete()
	arraylaw.Breaks(t, safety.ErrAliased, func() { hold(mixed{a.Reader(), a.Writer()}) })
	arraylaw.Breaks(t, safety.ErrAliased, func() { hold(writers{a.Writer(), a.Writer()}) })
	arraylaw.Breaks(t, safety.ErrAliased, func() { hold(array.ByOffsets(a.Writer(), a.Reader())) })
	d := array.NewDouble[int](3)
	hold(mixed{d.Front().Reader(), d.Back().Writer()}).Complete()
	arraylaw.Breaks(t, safety.ErrAliased, func() { hold(writers{d.Back().Writer(), d.Back().Writer()}) })
}

// A Reader has no length outside jobs. After its job it is stale, which only strict builds ask at
// every use.
func TestAReaderHasALengthInsideItsJob(t *testing.T) {
	each(t, func(t *testing.T, fresh func(n int, opts ...safety.Option) container) {
		r := fresh(3).Reader()
		require.Empty(t, arraylaw.Breaks(t, safety.ErrStaleView, func() { r.Len() }).Job)
		length := 0
		parallelfor.Do(r, func(v *reader) { length, r = v.Len(), *v })
		require.Equal(t, 3, length)
		if safety.Strict {
			arraylaw.Breaks(t, safety.ErrStaleView, func() { r.Len() })
		}
		r = reader{}
		arraylaw.Breaks(t, safety.ErrStaleView, func() { r.Len() })
	})
}

// Rows of nothing are of an array, if it is known which.
func TestRowsOfNothingNameTheArray(t *testing.T) {
	w := array.New[int](3, safety.Named("a")).Writer()
	v := arraylaw.Breaks(t, safety.ErrArgument, func() { array.ByRows(w, 0) })
	require.Contains(t, v.Container, `"a"`)
	require.Regexp(t, `^views_test\.go:`, v.Made)
	require.Empty(t, arraylaw.Breaks(t, safety.ErrArgument, func() { array.ByRows(writer{}, 0) }).Container)
}

// The advice for an index that another batch owns is one that the view can follow.
func TestAdviceFitsTheView(t *testing.T) {
	a, offsets := array.New[int](10), array.Of([]int{0, 2, 4, 6, 8, 10})
	batch := parallelfor.Batch(1)
	v := arraylaw.Breaks(t, safety.ErrWriteRange, func() {
		parallelfor.For(5, array.ByOffsets(a.Writer(), offsets.Reader()), func(w *array.OffsetWriter[int], i int) { w.Set(2*i^2, 1) }, batch)
	})
	require.Contains(t, v.Error(), "array.Unrestricted without ByOffsets")
	v = arraylaw.Breaks(t, safety.ErrWriteRange, func() {
		parallelfor.For(5, array.ByRows(a.Writer(), 2), func(w *writer, i int) { w.Row(i ^ 1) }, batch, parallelfor.Name("rows"))
	})
	require.Contains(t, v.Error(), "in job rows: row 1 of")
	require.Contains(t, v.Error(), "cut the rows from its Slice()")
}

// The slice of a batch of rows ends where its capacity does, so an append makes another slice.
func TestASliceOfRowsDoesNotGrowIntoTheNextBatch(t *testing.T) {
	a := array.New[int](12)
	parallelfor.ForBatch(4, array.ByRows(a.Writer(), 3), func(w *array.Writer[int], begin, end int) {
		_ = append(w.Slice(), 1)
	}, parallelfor.Batch(1))
	require.Equal(t, make([]int, 12), a.Slice())
}

// The layout is that of slide.Window.
func TestTheWindowHasTheLayoutThatDriversMove(t *testing.T) {
	require.Equal(t, []uintptr{3, 4, 5, 6, 9}, array.WindowWords())
}
