package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type scatter struct {
	To  array.Reader[int]
	Out array.PermutedWriter[int]
}

func (j *scatter) Execute(i int) { j.Out.Set(j.To.At(i), i) }

// permutation is i -> 7 i + 3 mod n, where n is not a multiple of 7.
func permutation(n int) *array.Array[int] {
	to := array.New[int](n)
	for i := range n {
		to.Set(i, (7*i+3)%n)
	}
	return to
}

func TestAPermutedViewWritesEachElementOnce(t *testing.T) {
	const n = 1000
	to := permutation(n)
	for _, batch := range []int{0, 1, 64, -1} {
		for _, workers := range []int{1, 2, 5} {
			out := array.New[int](n)
			for range 2 { // each job anew
				parallelfor.For(n, scatter{to.Reader(), array.Permuted(out.Writer())}, (*scatter).Execute, parallelfor.Batch(batch), parallelfor.Workers(workers))
			}
			for i := range n {
				require.Equal(t, i, out.At(to.At(i)))
			}
		}
	}
}

func TestAnElementThatIsPermutedTwiceIsReportedOnEveryRun(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	const n = 300
	to := permutation(n)
	to.Set(250, to.At(20))
	out := array.New[int](n, safety.Named("out"))
	for range 20 {
		for _, workers := range []int{1, 2, 4} {
			v := arraylaw.Breaks(t, safety.ErrTwice, func() {
				parallelfor.For(n, scatter{to.Reader(), array.Permuted(out.Writer())}, (*scatter).Execute, parallelfor.Workers(workers), parallelfor.Name("scatter"))
			})
			require.Equal(t, to.At(20), v.Index)
			require.Equal(t, n, v.Length)
			require.Equal(t, "scatter", v.Job)
			require.Equal(t, "Out", v.Field)
			require.Equal(t, `array.Array[int] "out"`, v.Container)
		}
	}
}

func TestAPermutedViewIsAView(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	a := array.New[int](10)
	p := array.Permuted(a.Writer())
	arraylaw.Breaks(t, safety.ErrStaleView, func() { p.Len() })
	kind := safety.ErrStaleView
	if !safety.Strict {
		kind = safety.ErrStaleView
	}
	arraylaw.Breaks(t, kind, func() { p.Set(0, 1) })
	for _, i := range []int{-1, 10} {
		v := arraylaw.Breaks(t, safety.ErrIndex, func() {
			parallelfor.For(1, p, func(p *array.PermutedWriter[int], _ int) { p.Set(i, 1) })
		})
		require.Equal(t, i, v.Index)
		require.Equal(t, 10, v.Length)
	}
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		parallelfor.For(1, array.PermutedWriter[int]{}, func(*array.PermutedWriter[int], int) {})
	})
	var none *array.Array[int]
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		parallelfor.For(1, array.Permuted(none.Writer()), func(*array.PermutedWriter[int], int) {})
	})
	h := parallelfor.Schedule(10, scatter{permutation(10).Reader(), p}, (*scatter).Execute)
	arraylaw.Breaks(t, safety.ErrInFlight, func() { a.At(0) })
	h.Complete()
	empty := array.New[int](0)
	parallelfor.For(5, array.Permuted(empty.Writer()), func(p *array.PermutedWriter[int], _ int) {
		if p.Len() != 0 {
			panic("not empty")
		}
	})
}

// Writes through a view that is passed on count for the job that passed it on.
func TestNestedJobsShareWhatIsTaken(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	a := array.New[int](10)
	inner := func(p *array.PermutedWriter[int], i int) { *p.Ptr(i)++ }
	parallelfor.For(2, array.Permuted(a.Writer()), func(p *array.PermutedWriter[int], i int) {
		if i == 0 {
			parallelfor.For(10, *p, inner)
		}
	})
	require.Equal(t, 1, a.At(9))
	arraylaw.Breaks(t, safety.ErrTwice, func() {
		parallelfor.For(2, array.Permuted(a.Writer()), func(p *array.PermutedWriter[int], i int) {
			parallelfor.For(10, *p, inner)
		})
	})
	// Over the window of a batch.
	parallelfor.ForBatch(10, a.Writer(), func(w *array.Writer[int], begin, end int) {
		p := array.Permuted(*w)
		for i := range p.Len() {
			p.Set(p.Len()-1-i, begin+i)
		}
		parallelfor.For(p.Len(), array.Permuted(*w), func(p *array.PermutedWriter[int], i int) { p.Set(p.Len()-1-i, begin+i) })
	}, parallelfor.Batch(5))
	require.Equal(t, []int{4, 3, 2, 1, 0, 9, 8, 7, 6, 5}, a.Slice())
}
