package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// shadows reports whether Unrestricted views have shadows.
func shadows() bool { return safety.Strict && !atom.Race }

func shadowedOnly(t *testing.T) {
	if !shadows() {
		t.Skip("strict builds without the race detector only")
	}
}

func TestStrictBuildsFindBatchesThatOverlapUnrestricted(t *testing.T) {
	shadowedOnly(t)
	a := array.New[int](60, safety.Named("a"))
	type view = array.Writer[int]
	for name, body := range map[string]func(w *view, i int){
		"two write":             func(w *view, i int) { w.Set(i%40, i) },
		"one writes, one reads": func(w *view, i int) { w.Set(i, w.At((i+17)%60)) },
		"by pointer":            func(w *view, i int) { *w.Ptr(i % 40)++ },
		"one reads all": func(w *view, i int) {
			w.Set(i, i)
			if i == 30 {
				for range w.All() {
				}
			}
		},
		"two read, one of them writes": func(w *view, i int) {
			if w.At(50); i == 55 {
				w.Set(50, 1)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 5 {
				for _, o := range []parallelfor.Option{parallelfor.Sequential(), parallelfor.Workers(1), parallelfor.Workers(4)} {
					v := arraylaw.Breaks(t, safety.ErrOverlap, func() {
						parallelfor.For(60, array.Unrestricted(a.Writer()), body, o, parallelfor.Batch(10), parallelfor.Name("loop"))
					})
					require.Equal(t, "loop", v.Job)
					require.Equal(t, 60, v.Length)
					require.Equal(t, `array.Array[int] "a"`, v.Container)
				}
			}
		})
	}
	v := arraylaw.Breaks(t, safety.ErrOverlap, func() {
		parallelfor.For(20, array.Unrestricted(array.ByRows(a.Writer(), 3)), func(w *view, i int) { w.Row((i + 5) % 20)[0]++; w.Row(i) }, parallelfor.Batch(5), parallelfor.Sequential())
	})
	require.Contains(t, v.Error(), `batches 0 and 1 use element 15 of array.Array[int] "a"`)
}

func TestTheShadowAcceptsBatchesThatDoNotOverlap(t *testing.T) {
	a := array.New[int](60)
	for _, o := range []parallelfor.Option{parallelfor.Sequential(), parallelfor.Workers(4)} {
		parallelfor.For(60, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) {
			w.Set((i+30)%60, i)
			*w.Ptr((i + 30) % 60) += w.At((i + 30) % 60)
			w.Set(i/10*10+1+(30-60*(i/30)), 1) // of the batch's own ten
		}, o, parallelfor.Batch(10))
		parallelfor.For(60, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) { w.At(0) }, o)
		arraylaw.Breaks(t, safety.ErrIndex, func() {
			parallelfor.For(60, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) { w.Set(-1, 1) }, o)
		})
	}
	parallelfor.Do(whole{array.Unrestricted(a.Writer())}, (*whole).Execute)
}

type whole struct{ W array.Writer[int] }

func (j *whole) Execute() {
	for i := range j.W.Len() {
		j.W.Set(i, j.W.At(0))
	}
}

func TestTheShadowOfAJobSeesWhatItLentOn(t *testing.T) {
	shadowedOnly(t)
	a := array.New[int](60)
	inner := func(w *array.Writer[int], i int) { w.Set(i, i) }
	parallelfor.For(2, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) {
		if i == 0 {
			parallelfor.For(60, *w, inner, parallelfor.Batch(1))
			parallelfor.For(60, *w, inner, parallelfor.Batch(7)) // the outer batch's own again
		}
	}, parallelfor.Batch(1))
	v := arraylaw.Breaks(t, safety.ErrOverlap, func() {
		parallelfor.For(2, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) {
			parallelfor.For(60, *w, inner, parallelfor.Sequential())
		}, parallelfor.Batch(1), parallelfor.Sequential())
	})
	require.Contains(t, v.Error(), "batches 0 and 1 of a loop around use element 0 of")
}

// What is left behind the last row may be touched through an Unrestricted view, too.
func TestTheShadowCoversWhatBelongsToNoRow(t *testing.T) {
	shadowedOnly(t)
	a := array.New[int](10)
	v := arraylaw.Breaks(t, safety.ErrOverlap, func() {
		parallelfor.For(3, array.Unrestricted(array.ByRows(a.Writer(), 3)), func(w *array.Writer[int], i int) { w.Set(9, i) }, parallelfor.Batch(1))
	})
	require.Equal(t, 9, v.Index)
}

// Nested batches of one outer batch are that batch, also by offsets.
func TestNestedOffsetsAreTheOuterBatches(t *testing.T) {
	a, offsets := array.New[int](8), array.Of([]int{0, 2, 4, 6, 8})
	type view struct {
		W array.Writer[int]
		O array.Reader[int]
	}
	type inner struct{ W array.OffsetWriter[int] }
	body := func(v *view, i int) {
		parallelfor.For(4, inner{array.ByOffsets(v.W, v.O)}, func(in *inner, k int) { in.W.Set(2*k, k) }, parallelfor.Batch(1))
		v.W.Set(4, 1)
	}
	parallelfor.For(1, view{array.Unrestricted(a.Writer()), offsets.Reader()}, body)
	require.Equal(t, 3, a.At(6))
	if shadows() {
		arraylaw.Breaks(t, safety.ErrOverlap, func() {
			parallelfor.For(2, view{array.Unrestricted(a.Writer()), offsets.Reader()}, body, parallelfor.Batch(1))
		})
	}
}

// A window of a window has the marks of its own elements, not those of the first.
func TestWindowsOfWindowsHaveTheirOwnMarks(t *testing.T) {
	shadowedOnly(t)
	a, offsets := array.New[int](8), array.Of([]int{0, 4, 8})
	type view struct {
		W array.Writer[int]
		O array.Reader[int]
	}
	parallelfor.For(2, view{array.Unrestricted(a.Writer()), offsets.Reader()}, func(v *view, i int) {
		parallelfor.For(2, array.ByOffsets(v.W, v.O), func(w *array.OffsetWriter[int], k int) {
			if k == i {
				parallelfor.For(1, *w, func(w *array.OffsetWriter[int], _ int) { w.Set(0, i+1) })
			}
		}, parallelfor.Batch(1))
	}, parallelfor.Batch(1))
	require.Equal(t, []int{1, 0, 0, 0, 2, 0, 0, 0}, a.Slice())
}
