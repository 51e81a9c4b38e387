package array_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// DoubleSuite is what Double promises beyond what every array does.
type DoubleSuite struct{ suite.Suite }

func TestDouble(t *testing.T) { suite.Run(t, new(DoubleSuite)) }

// fill is a job that sets every element to By plus what is in the buffer times Keep.
type fill struct {
	To       writer
	By, Keep int
}

func (f *fill) Execute(i int) { f.To.Set(i, f.To.At(i)*f.Keep+f.By) }

// front returns the elements that the owner sees.
func front(d *array.Double[int]) []int {
	out := make([]int, d.Len())
	d.CopyTo(out)
	return out
}

// The buffers change places when custody returns, not when the job has finished: the verdict of time
// plays no part.
func (s *DoubleSuite) TestTheBuffersChangePlacesAtCompleteOnly() {
	d := array.NewDouble[int](3)
	h := parallelfor.Schedule(3, fill{To: d.Writer(), By: 1}, (*fill).Execute)
	s.Equal([]int{0, 0, 0}, front(d))
	for !h.Finished() {
	}
	s.Equal([]int{0, 0, 0}, front(d))
	parallelfor.Do(d.Reader(), func(r *reader) { s.Zero(r.At(0)) })
	h.Complete()
	s.Equal([]int{1, 1, 1}, front(d))
	h.Complete()
	s.Equal([]int{1, 1, 1}, front(d), "completing again gives nothing back")
}

// Of any number of goroutines that complete a job, one swaps.
func (s *DoubleSuite) TestCompletingFromManyGoroutinesSwapsOnce() {
	d := array.NewDouble[int](2)
	for k := range lawtest.Rounds(100) {
		h := parallelfor.Schedule(2, fill{To: d.Writer(), By: k}, (*fill).Execute)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(h.Complete)
		}
		wg.Wait()
		s.Require().Equal([]int{k, k}, front(d))
	}
}

// fail is a job that writes and then fails, in its own way.
type fail struct {
	To  writer
	How int
}

var errFail = errors.New("fail")

func (f *fail) Execute(i int) error {
	f.To.Set(i, -1)
	switch {
	case i < 2:
	case f.How == 0:
		return errFail
	case f.How == 1:
		panic("fail")
	case f.How == 2:
		f.To.Set(-1, 0)
	}
	return nil
}

// What a job that did not run to its end wrote is not shown: the front stays the last good frame, and
// the next job that runs to its end is shown again.
func (s *DoubleSuite) TestAFailedOrCancelledJobDoesNotSwap() {
	d := array.NewDouble[int](3)
	parallelfor.For(3, fill{To: d.Writer(), By: 7}, (*fill).Execute)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, f := range map[string]func(){
		"error":     func() { _ = parallelfor.ForErr(context.Background(), 3, fail{d.Writer(), 0}, (*fail).Execute) },
		"panic":     func() { _ = parallelfor.ForErr(context.Background(), 3, fail{d.Writer(), 1}, (*fail).Execute) },
		"violation": func() { _ = parallelfor.ForErr(context.Background(), 3, fail{d.Writer(), 2}, (*fail).Execute) },
		"cancelled": func() { _ = parallelfor.ForErr(ended, 3, fail{d.Writer(), 3}, (*fail).Execute) },
		"after a failed one": func() {
			h := parallelfor.ScheduleErr(context.Background(), 3, fail{d.Writer(), 0}, (*fail).Execute)
			parallelfor.Schedule(3, fill{To: d.Writer(), By: 9}, (*fill).Execute, parallelfor.After(h)).Complete()
		},
		"before a failed one": func() {
			h := parallelfor.Schedule(3, fill{To: d.Writer(), By: 9}, (*fill).Execute)
			parallelfor.ScheduleErr(context.Background(), 3, fail{d.Writer(), 0}, (*fail).Execute, parallelfor.After(h)).Complete()
		},
	} {
		func() {
			defer func() { _ = recover() }()
			f()
		}()
		s.Equal([]int{7, 7, 7}, front(d), name)
	}
	parallelfor.For(3, fill{To: d.Writer(), By: 8}, (*fill).Execute)
	s.Equal([]int{8, 8, 8}, front(d))
}

// A job of no indices that runs to its end is a frame, too: the buffers change places.
func (s *DoubleSuite) TestAJobOfNoIndicesSwaps() {
	lawtest.CheckedOnly(s.T())
	d := array.NewDouble[int](2)
	parallelfor.For(2, fill{To: d.Writer(), By: 1}, (*fill).Execute)
	parallelfor.For(0, fill{To: d.Writer()}, (*fill).Execute)
	s.Equal([]int{0, 0}, front(d))
}

// Whoever reads while a job writes, the owner or a job, sees the last frame that was completed.
func (s *DoubleSuite) TestReadersSeeTheLastFrameWhileAJobWrites() {
	const n = 64
	d := array.NewDouble[int](n)
	for frame := 1; frame < 20; frame++ {
		h := parallelfor.Schedule(n, fill{To: d.Writer(), By: frame}, (*fill).Execute, parallelfor.Workers(2))
		var bad faults
		look := parallelfor.Schedule(n, watch{d.Reader(), frame - 1, &bad}, (*watch).Execute, parallelfor.Workers(2))
		for _, v := range d.All() {
			s.Require().Equal(frame-1, v)
		}
		look.Complete()
		h.Complete()
		s.Require().Empty(bad.first())
		s.Require().Equal(frame, d.At(n-1))
	}
}

// watch is a job that expects every element to have one value.
type watch struct {
	See  reader
	Want int
	Bad  *faults `custody:"unguarded"`
}

func (w *watch) Execute(i int) {
	if w.See.At(i) != w.Want {
		w.Bad.add("a reader saw another frame")
	}
}

// Jobs that run after each other and are completed by one Complete write the same buffer, which is
// shown once.
func (s *DoubleSuite) TestChainedWritersBeforeOneCompleteSwapOnce() {
	d := array.NewDouble[int](2)
	first := parallelfor.Schedule(2, fill{To: d.Writer(), By: 1}, (*fill).Execute)
	second := parallelfor.Schedule(2, fill{To: d.Writer(), By: 10, Keep: 1}, (*fill).Execute, parallelfor.After(first))
	second.Complete()
	s.Equal([]int{11, 11}, front(d))
	if safety.Enabled {
		first.Complete()
		s.Equal([]int{11, 11}, front(d), "the first was completed by the second")
	}
}

// While one of the chain is not completed the buffer is not the owner's.
func (s *DoubleSuite) TestTheFirstOfAChainDoesNotSwap() {
	lawtest.CheckedOnly(s.T())
	d := array.NewDouble[int](2)
	first := parallelfor.Schedule(2, fill{To: d.Writer(), By: 1}, (*fill).Execute)
	second := parallelfor.Schedule(2, fill{To: d.Writer(), By: 10, Keep: 1}, (*fill).Execute, parallelfor.After(first))
	first.Complete()
	s.Equal([]int{0, 0}, front(d))
	second.Complete()
	s.Equal([]int{11, 11}, front(d))
}

// A reader of a frame holds that buffer: the job after next, which would write it, needs an order.
func (s *DoubleSuite) TestAReaderKeepsTheNextButOneWriterAway() {
	lawtest.CheckedOnly(s.T())
	d := array.NewDouble[int](2, safety.Named("frames"))
	look := hold(d.Reader())
	parallelfor.For(2, fill{To: d.Writer(), By: 1}, (*fill).Execute)
	v := arraylaw.Breaks(s.T(), safety.ErrConflict, func() { parallelfor.For(2, fill{To: d.Writer(), By: 2}, (*fill).Execute) })
	s.Equal([]string{"fill", "To", "holder", "View", `array.Double[int] "frames"`}, []string{v.Job, v.Field, v.OtherJob, v.OtherField, v.Container})
	s.Equal([]int{1, 1}, front(d))
	d.Set(0, 5) // the front is nobody's
	arraylaw.Breaks(s.T(), safety.ErrInFlight, d.Dispose)
	parallelfor.For(2, fill{To: d.Writer(), By: 2}, (*fill).Execute, parallelfor.After(look))
	s.Equal([]int{2, 2}, front(d))
	look.Complete()
	d.Dispose()
}

// A view that is kept outside jobs follows the swaps: each job reads the last frame and writes the next.
func (s *DoubleSuite) TestKeptViewsFollowTheSwaps() {
	type step struct {
		From reader
		To   writer
	}
	d := array.NewDouble[int](5)
	job := step{d.Reader(), d.Writer()}
	for frame := 1; frame <= 9; frame++ {
		parallelfor.For(5, job, func(j *step, i int) { j.To.Set(i, j.From.At(i)+i) }, parallelfor.Batch(1), parallelfor.Workers(1+frame%3))
		s.Equal([]int{0, frame, 2 * frame, 3 * frame, 4 * frame}, front(d))
	}
}

// What a job finds in the buffer that it writes is what the last job but one wrote.
func (s *DoubleSuite) TestTheBackIsTheLastFrameButOne() {
	d := array.NewDouble[int](1)
	d.Set(0, 1)
	parallelfor.For(1, fill{To: d.Writer(), By: 100, Keep: 1}, (*fill).Execute)
	s.Equal([]int{100}, front(d))
	parallelfor.For(1, fill{To: d.Writer(), By: 1000, Keep: 1}, (*fill).Execute)
	s.Equal([]int{1001}, front(d))
}

// A job that runs after the writer, scheduled before it is completed, still reads the frame before: the
// front when it was scheduled.
func (s *DoubleSuite) TestAReaderIsBoundToTheFrontWhenItIsScheduled() {
	d := array.NewDouble[int](4)
	var bad faults
	h := parallelfor.Schedule(4, fill{To: d.Writer(), By: 1}, (*fill).Execute)
	look := parallelfor.Schedule(4, watch{d.Reader(), 0, &bad}, (*watch).Execute, parallelfor.After(h))
	h.Complete()
	look.Complete()
	s.Empty(bad.first())
	parallelfor.For(4, watch{d.Reader(), 1, &bad}, (*watch).Execute)
	s.Empty(bad.first())
}

// A refused schedule changes nothing: not even which buffer is the front.
func (s *DoubleSuite) TestARefusedScheduleDoesNotSwap() {
	lawtest.CheckedOnly(s.T())
	d := array.NewDouble[int](2)
	d.Set(0, 3)
	arraylaw.Breaks(s.T(), safety.ErrLength, func() { parallelfor.For(3, fill{To: d.Writer(), By: 1}, (*fill).Execute) })
	s.Equal([]int{3, 0}, front(d))
}

func (s *DoubleSuite) TestDisposeIsRefusedWhileEitherBufferIsHeld() {
	lawtest.CheckedOnly(s.T())
	d := array.NewDouble[int](2)
	for _, h := range []parallelfor.Handle{hold(d.Reader()), hold(d.Writer())} {
		arraylaw.Breaks(s.T(), safety.ErrInFlight, d.Dispose)
		s.False(d.Disposed())
		h.Complete()
	}
	d.Dispose()
	arraylaw.Breaks(s.T(), safety.ErrDisposed, d.Dispose)
}

// lender lends its window of a Double on to a loop of its own.
type lender struct{ A array.Writer[int] }

func (j *lender) ExecuteBatch(begin, end int) {
	parallelfor.ForBatch(end-begin, j.A, func(w *array.Writer[int], lo, hi int) {
		for i := lo; i < hi; i++ {
			w.Set(i, 1)
		}
	})
}

// A back buffer that bodies lend on changes places with the front when the outer loop is completed, each time.
func TestADoubleThatIsLentOnSwaps(t *testing.T) {
	d := array.NewDouble[int](4)
	for round := range 3 {
		d.Set(0, 0)
		parallelfor.ForBatch(4, lender{d.Writer()}, (*lender).ExecuteBatch, parallelfor.Batch(2))
		require.Equal(t, 1, d.At(0), "round %d", round)
	}
}

// A copy of a Double is no Double: to dispose it is refused, and the original stays.
func TestDisposingACopyOfADoubleIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	d := array.NewDouble[int](1)
	c := reflect.New(reflect.TypeFor[array.Double[int]]())
	c.Elem().Set(reflect.ValueOf(d).Elem())
	v := lawtest.Violation(t, func() error { c.Interface().(*array.Double[int]).Dispose(); return nil })
	require.ErrorIs(t, v, safety.ErrCopied)
	require.False(t, d.Disposed())
	d.Dispose()
}
