package array_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// DoubleSuite is what Double promises.
type DoubleSuite struct{ suite.Suite }

func TestDouble(t *testing.T) { suite.Run(t, new(DoubleSuite)) }

// fill is a job that sets every element to By plus what is in the buffer times Keep.
type fill struct {
	To       writer
	By, Keep int
}

func (f *fill) Execute(i int) { f.To.Set(i, f.To.At(i)*f.Keep+f.By) }

// The halves change places at Swap, and at nothing else.
func (s *DoubleSuite) TestTheHalvesChangePlacesAtSwapOnly() {
	d := array.NewDouble[int](3)
	front, back := d.Front(), d.Back()
	s.NotSame(front, back)
	h := parallelfor.Schedule(3, fill{To: d.Back().Writer(), By: 1}, (*fill).Execute)
	s.Equal([]int{0, 0, 0}, d.Front().Slice())
	h.Complete()
	s.Same(front, d.Front())
	s.Equal([]int{0, 0, 0}, d.Front().Slice())
	for range 3 {
		d.Swap()
		s.Same(back, d.Front())
		s.Same(front, d.Back())
		s.Equal([]int{1, 1, 1}, d.Front().Slice())
		d.Swap()
		s.Same(front, d.Front())
		s.Same(back, d.Back())
	}
}

// Swap is refused while a job writes either half, whether it has finished or not, and names the
// job.
func (s *DoubleSuite) TestSwapIsRefusedWhileAJobWritesAHalf() {
	lawtest.CheckedOnly(s.T())
	for _, half := range []func(*array.Double[int]) *array.Array[int]{(*array.Double[int]).Front, (*array.Double[int]).Back} {
		d := array.NewDouble[int](2, safety.Named("frames"))
		front := d.Front()
		h := hold(half(d).Writer())
		for _, state := range []string{"", " has finished but was not completed"} {
			v := arraylaw.Breaks(s.T(), safety.ErrInFlight, func() { d.Swap() })
			s.ErrorContains(v, `Double.Swap was called on array.Array[int] "frames" while job holder (field View), scheduled at `)
			s.ErrorContains(v, "writes it and"+state)
			s.Equal([]string{"holder", "View"}, []string{v.OtherJob, v.OtherField})
			s.Same(front, d.Front(), "nothing has changed")
			for !h.Finished() {
				runtime.Gosched()
			}
		}
		h.Complete()
		d.Swap()
		s.NotSame(front, d.Front())
	}
}

// Jobs that read a half may be in flight when the halves change places, and go on with what they
// hold.
func (s *DoubleSuite) TestSwapBesideReaders() {
	d := array.NewDouble[int](2)
	d.Front().Set(0, 1)
	d.Back().Set(0, 2)
	var bad faults
	old := parallelfor.Schedule(1, watch{d.Front().Reader(), 1, &bad}, (*watch).Execute)
	next := parallelfor.Schedule(1, watch{d.Back().Reader(), 2, &bad}, (*watch).Execute)
	d.Swap()
	s.Equal(2, d.Front().At(0))
	old.Complete()
	next.Complete()
	s.Empty(bad.first())
}

// A half that is split, and a body in strict builds, are refused as by every method of the owner.
func (s *DoubleSuite) TestSwapIsTheOwners() {
	lawtest.CheckedOnly(s.T())
	d := array.NewDouble[int](4)
	parts := d.Back().Split(2)
	arraylaw.Breaks(s.T(), safety.ErrSplit, d.Swap)
	parts.Join()
	if safety.Strict {
		arraylaw.Breaks(s.T(), safety.ErrOwnerInJob, func() { parallelfor.Do(struct{}{}, func(*struct{}) { d.Swap() }) })
	}
	arraylaw.Breaks(s.T(), safety.ErrUnassigned, new(array.Double[int]).Swap)
	d.Dispose()
	arraylaw.Breaks(s.T(), safety.ErrDisposed, d.Swap)
}

// While a job writes, the owner and the jobs that read see the last frame.
func (s *DoubleSuite) TestReadersSeeTheLastFrameWhileAJobWrites() {
	const n = 64
	d := array.NewDouble[int](n)
	for frame := 1; frame < 20; frame++ {
		h := parallelfor.Schedule(n, fill{To: d.Back().Writer(), By: frame}, (*fill).Execute, parallelfor.Workers(2))
		var bad faults
		look := parallelfor.Schedule(n, watch{d.Front().Reader(), frame - 1, &bad}, (*watch).Execute, parallelfor.Workers(2))
		for _, v := range d.Front().All() {
			s.Require().Equal(frame-1, v)
		}
		look.Complete()
		h.Complete()
		d.Swap()
		s.Require().Empty(bad.first())
		s.Require().Equal(frame, d.Front().At(n-1))
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

// A reader of the old front holds what is the back now: the next writer of that needs an order.
func (s *DoubleSuite) TestAReaderKeepsTheNextButOneWriterAway() {
	lawtest.CheckedOnly(s.T())
	d := array.NewDouble[int](2, safety.Named("frames"))
	look := hold(d.Front().Reader())
	parallelfor.For(2, fill{To: d.Back().Writer(), By: 1}, (*fill).Execute)
	d.Swap()
	v := arraylaw.Breaks(s.T(), safety.ErrConflict, func() { parallelfor.For(2, fill{To: d.Back().Writer(), By: 2}, (*fill).Execute) })
	s.Equal([]string{"fill", "To", "holder", "View", `array.Array[int] "frames"`}, []string{v.Job, v.Field, v.OtherJob, v.OtherField, v.Container})
	d.Front().Set(0, 5) // no job holds the front
	arraylaw.Breaks(s.T(), safety.ErrInFlight, d.Dispose)
	parallelfor.For(2, fill{To: d.Back().Writer(), By: 2}, (*fill).Execute, parallelfor.After(look))
	d.Swap()
	s.Equal([]int{2, 2}, d.Front().Slice())
	look.Complete()
	d.Dispose()
}

// What a job finds in the half that it writes is what was written there two frames ago.
func (s *DoubleSuite) TestTheBackIsTheLastFrameButOne() {
	d := array.NewDouble[int](1)
	d.Front().Set(0, 1)
	for _, f := range []struct{ by, want int }{{100, 100}, {1000, 1001}} {
		parallelfor.For(1, fill{To: d.Back().Writer(), By: f.by, Keep: 1}, (*fill).Execute)
		d.Swap()
		s.Equal([]int{f.want}, d.Front().Slice())
	}
}

// Dispose ends both halves or neither.
func (s *DoubleSuite) TestDisposeIsRefusedWhileEitherHalfIsHeld() {
	lawtest.CheckedOnly(s.T())
	d, l := array.NewDouble[int](2), array.NewDoubleList[int]()
	for range 2 {
		for _, h := range []parallelfor.Handle{hold(d.Front().Reader()), hold(d.Front().Writer(), parallelfor.AutoOrder()), hold(d.Back().Reader())} {
			arraylaw.Breaks(s.T(), safety.ErrInFlight, d.Dispose)
			s.False(d.Front().Disposed() || d.Back().Disposed())
			h.Complete()
		}
		h := parallelfor.Schedule(1, filling{l.Back().ParallelWriter()}, (*filling).Execute)
		arraylaw.Breaks(s.T(), safety.ErrInFlight, l.Dispose)
		s.False(l.Front().Disposed() || l.Back().Disposed())
		h.Complete()
		d.Swap()
		l.Swap()
	}
	d.Dispose()
	l.Dispose()
	s.True(d.Front().Disposed() && d.Back().Disposed() && l.Front().Disposed() && l.Back().Disposed())
	arraylaw.Breaks(s.T(), safety.ErrDisposed, d.Dispose)
	arraylaw.Breaks(s.T(), safety.ErrDisposed, l.Dispose)
}

// While a job appends to the back all others read the front, and Swap is refused. A back that was
// not cleared has what was left there two frames ago.
func TestADoubleList(t *testing.T) {
	d := array.NewDoubleList[int](safety.Named("d"))
	d.Front().AppendAll([]int{7, 8})
	d.Back().Append(9)
	want := [2][]int{{9}, {7, 8}} // the backs of the next two frames
	for frame := range 6 {
		if frame >= 2 {
			d.Back().Clear()
			want[frame%2] = nil
		}
		h := parallelfor.ScheduleDo(appendOne{d.Back().ParallelWriter()}, (*appendOne).Execute)
		require.Equal(t, want[(frame+1)%2], d.Front().Slice())
		if safety.Enabled {
			v := arraylaw.Breaks(t, safety.ErrInFlight, func() { d.Swap() })
			require.ErrorContains(t, v, `DoubleList.Swap was called on array.List[int] "d" while job appendOne (field Out), scheduled at `)
			require.ErrorContains(t, v, "appends to it")
		}
		h.Complete()
		d.Swap()
		want[frame%2] = append(want[frame%2], 1)
		require.Equal(t, want[frame%2], d.Front().Slice())
	}
}

type appendOne struct{ Out array.ParallelWriter[int] }

func (j *appendOne) Execute() { j.Out.Append(1) }

// What both halves have had keeps nothing alive once it is gone.
func TestADoubleListKeepsNothingAlive(t *testing.T) {
	d := array.NewDoubleList[*[4]int]()
	fill := func() weak.Pointer[[4]int] {
		p := new([4]int)
		d.Back().Clear()
		parallelfor.Do(d.Back().ParallelWriter(), func(w *array.ParallelWriter[*[4]int]) { w.Append(p) })
		d.Swap()
		return weak.Make(p)
	}
	first := fill()
	fill()
	require.Equal(t, 1, d.Front().Len())
	last := fill()
	for range 3 {
		runtime.GC()
	}
	require.Nil(t, first.Value())
	require.NotNil(t, last.Value())
	d.Dispose()
	for range 3 {
		runtime.GC()
	}
	require.Nil(t, last.Value())
	runtime.KeepAlive(d)
}
