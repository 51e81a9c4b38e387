package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// doubling writes, and reading reads.
type doubling struct{ W array.Writer[int] }

func (j *doubling) Execute(i int) { j.W.Set(i, 2*j.W.At(i)) }

type reading struct{ R array.Reader[int] }

func (j *reading) Execute(i int) { j.R.At(i) }

func counted(n int) *array.Array[int] {
	a := array.New[int](n)
	for i := range n {
		a.Set(i, i)
	}
	return a
}

func TestSplitCutsAnArrayIntoPartsOfNearlyOneLength(t *testing.T) {
	for n := range 12 {
		for k := 1; k < 8; k++ {
			a := array.New[int](n)
			p := a.Split(k)
			require.Equal(t, k, p.Len())
			at, most, least := 0, 0, n
			for i, part := range p.All() {
				lo, hi := p.Range(i)
				require.Equal(t, at, lo)
				require.Equal(t, hi-lo, part.Len())
				require.Same(t, part, p.Part(i))
				at, most, least = hi, max(most, hi-lo), min(least, hi-lo)
				for j := range part.Len() {
					part.Set(j, lo+j)
				}
			}
			require.Equal(t, n, at)
			require.LessOrEqual(t, most-least, 1)
			require.Equal(t, n, a.Len(), "allowed while it is split")
			p.Join()
			for i, v := range a.All() {
				require.Equal(t, i, v)
			}
		}
	}
}

func TestSplitAtCutsWhereItIsTold(t *testing.T) {
	a := counted(10)
	p := a.SplitAt(0, 3, 3, 10)
	lengths := []int{}
	for _, part := range p.All() {
		lengths = append(lengths, part.Len())
	}
	require.Equal(t, []int{0, 3, 0, 7, 0}, lengths)
	require.Equal(t, 3, p.Part(3).At(0))
	for range p.All() {
		break
	}
	p.Join()
	p = a.SplitAt()
	require.Equal(t, 10, p.Part(0).Len())
	p.Join()
}

func TestJobsOnDifferentPartsNeedNoOrder(t *testing.T) {
	a := counted(1000)
	p := a.SplitAt(400)
	left := parallelfor.Schedule(400, doubling{p.Part(0).Writer()}, (*doubling).Execute)
	right := parallelfor.Schedule(600, doubling{p.Part(1).Writer()}, (*doubling).Execute)
	sum := 0
	left.Complete()
	for _, v := range p.Part(0).All() { // while right holds the other
		sum += v
	}
	require.Equal(t, 400*399, sum)
	right.Complete()
	p.Join()
	for i, v := range a.All() {
		require.Equal(t, 2*i, v)
	}
}

func TestPartsAreSplitAndJoinedOnlyWhenNobodyHoldsThem(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	a := array.New[int](10, safety.Named("a"))
	h := parallelfor.Schedule(10, reading{a.Reader()}, (*reading).Execute, parallelfor.Name("reads"))
	v := arraylaw.Breaks(t, safety.ErrInFlight, func() { a.Split(2) })
	require.Equal(t, "reads", v.OtherJob)
	h.Complete()

	p := a.Split(2)
	require.Equal(t, `array.Array[int] "a[5:10]"`, arraylaw.Breaks(t, safety.ErrIndex, func() { p.Part(1).At(5) }).Container)
	for _, f := range []func(){
		func() { a.At(0) }, func() { a.Set(0, 1) }, func() { a.Slice() }, a.Clear, a.Dispose, func() { a.Split(2) },
		func() { parallelfor.For(1, a.Reader(), func(*array.Reader[int], int) {}) },
	} {
		v := arraylaw.Breaks(t, safety.ErrSplit, f)
		require.Equal(t, `array.Array[int] "a"`, v.Container)
		require.Contains(t, v.Error(), "while it is split, into 2 parts at parts_test.go:")
	}
	require.False(t, a.Disposed())
	h = parallelfor.Schedule(5, reading{p.Part(1).Reader()}, (*reading).Execute, parallelfor.Name("reads"))
	v = arraylaw.Breaks(t, safety.ErrInFlight, p.Join)
	require.Equal(t, `array.Array[int] "a[5:10]"`, v.Container)
	p.Part(0).Set(0, 7) // a refused join changes nothing
	h.Complete()

	half := p.Part(0).Split(5)
	v = arraylaw.Breaks(t, safety.ErrSplit, p.Join)
	require.Equal(t, `array.Array[int] "a[0:5]"`, v.Container)
	require.Contains(t, v.Error(), "Join its own parts first.")
	half.Join()
	p.Part(1).Dispose()
	p.Join()
	require.Equal(t, 7, a.At(0))
	v = arraylaw.Breaks(t, safety.ErrDisposed, func() { p.Part(0).At(0) })
	require.Contains(t, v.Error(), `Array.At was called on array.Array[int] "a[0:5]" after it was joined with the other parts of array.Array[int] "a"`)
	require.True(t, p.Part(0).Disposed())
	arraylaw.Breaks(t, safety.ErrDisposed, p.Join)
	arraylaw.Breaks(t, safety.ErrUnassigned, new(array.Parts[int]).Join)
	a.Split(3).Join()
	a.Dispose()
	arraylaw.Breaks(t, safety.ErrDisposed, func() { a.Split(3) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { new(array.Array[int]).Split(1) })
}

// A copy of the parts could join them a second time, and end what the array was split into since.
func TestPartsAreNotJoinedThroughACopy(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	a := array.New[int](10, safety.Named("a"))
	p := a.Split(2)
	c := *p
	v := arraylaw.Breaks(t, safety.ErrCopied, c.Join)
	require.Equal(t, `array.Array[int] "a"`, v.Container)
	p.Join()
	p = a.Split(2)
	arraylaw.Breaks(t, safety.ErrCopied, c.Join)
	p.Part(0).Set(0, 1)
	p.Join()
}

// A part that is left to a job is in the way until the job is completed, and then no more.
func TestPartsThatAreLeftToJobs(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	a := counted(10)
	p := a.Split(2)
	h := parallelfor.Schedule(5, doubling{p.Part(1).Writer()}, (*doubling).Execute)
	p.Part(1).DisposeAfter(h)
	v := arraylaw.Breaks(t, safety.ErrInFlight, p.Join)
	require.Equal(t, "doubling", v.OtherJob)
	h.Complete()
	p.Join()
	require.Equal(t, 18, a.At(9))
}

// In strict builds, too, a body that joins what its job holds is told of that.
func TestABodyDoesNotJoinWhatItHolds(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	p := array.New[int](10).Split(2)
	v := arraylaw.Breaks(t, safety.ErrInFlight, func() {
		parallelfor.Do(p.Part(0).Writer(), func(*array.Writer[int]) { p.Join() }, parallelfor.Name("joins"))
	})
	require.Equal(t, "joins", v.OtherJob)
	require.Contains(t, v.Error(), "Split and join outside")
	p.Join()
}

func TestPartsThatCannotBe(t *testing.T) {
	a := array.New[int](10)
	require.Equal(t, -1, arraylaw.Breaks(t, safety.ErrLength, func() { a.Split(-1) }).N)
	arraylaw.Breaks(t, safety.ErrLength, func() { a.Split(0) })
	for _, at := range [][]int{{11}, {-1}, {5, 4}, {3, 12, 4}} {
		v := arraylaw.Breaks(t, safety.ErrArgument, func() { a.SplitAt(at...) })
		require.Contains(t, at, v.Index)
		require.Regexp(t, `was to be split at -?\d+, (which is outside|after 5)\.`, v.Error())
		require.Equal(t, 10, v.Length)
	}
	p := a.Split(2)
	v := arraylaw.Breaks(t, safety.ErrIndex, func() { p.Part(2) })
	require.Equal(t, 2, v.Index)
	require.Contains(t, v.Error(), "part 2 of array.Array[int] was asked for, which is split into 2.")
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { new(array.Parts[int]).Part(0) })
	arraylaw.Breaks(t, safety.ErrIndex, func() { p.Range(-1) })
	p.Join()
}

func TestABodySplitsOnlyWhatItMade(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	outer := array.New[int](10)
	parallelfor.For(4, struct{}{}, func(_ *struct{}, i int) {
		own := array.New[int](10)
		p := own.Split(2)
		left := parallelfor.Schedule(5, doubling{p.Part(0).Writer()}, (*doubling).Execute)
		parallelfor.For(5, p.Part(1).Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) })
		left.Complete()
		p.Join()
		if own.At(9) != 4 || own.At(4) != 0 {
			panic("not written")
		}
	})
	kind := safety.ErrNotLent
	if safety.Strict {
		kind = safety.ErrOwnerInJob
	}
	arraylaw.Breaks(t, kind, func() {
		parallelfor.For(1, struct{}{}, func(*struct{}, int) {
			parallelfor.For(5, outer.Split(2).Part(0).Writer(), func(*array.Writer[int], int) {})
		})
	})
}
