package array_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strconv"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A loop that is longer than the list turns out to be fails where the sequential loop would, and
// says what to do.
func TestALoopLongerThanItsListTurnsOutToBe(t *testing.T) {
	lawtest.CheckedOnly(t)
	l := array.NewList[int](safety.Named("l"))
	first := parallelfor.Schedule(5, filling{l.ParallelWriter()}, (*filling).Execute)
	h := parallelfor.Schedule(12, rising{l.Writer()}, (*rising).Execute, parallelfor.After(first), parallelfor.Batch(4), parallelfor.Name("late"))
	v := arraylaw.Breaks(t, safety.ErrLength, h.Complete)
	if !safety.Strict { // where each index is a batch's
		require.Equal(t, []int{12, 10}, []int{v.N, v.Length})
		require.ErrorContains(t, v, "8 <= i < 12")
	}
	require.Equal(t, "late", v.Job)
	require.Equal(t, "Out", v.Field)
	require.ErrorContains(t, v, `array.List[int] "l"`)
	require.ErrorContains(t, v, "LengthOf")
	v = arraylaw.Breaks(t, safety.ErrLength, func() { parallelfor.For(11, rising{l.Writer()}, (*rising).Execute) })
	require.Equal(t, []int{11, 10}, []int{v.N, v.Length}, "now it is known before")
	v = arraylaw.Breaks(t, safety.ErrLength, func() { parallelfor.For(6, rowing{array.ByRows(l.Writer(), 2)}, (*rowing).Execute) })
	require.Equal(t, []int{6, 5}, []int{v.N, v.Length})
	second := parallelfor.Schedule(5, filling{l.ParallelWriter()}, (*filling).Execute)
	h = parallelfor.Schedule(11, rowing{array.ByRows(l.Writer(), 2)}, (*rowing).Execute, parallelfor.After(second), parallelfor.Batch(11))
	v = arraylaw.Breaks(t, safety.ErrLength, h.Complete)
	require.Equal(t, 10, v.Length)
}

type rising struct{ Out array.Writer[int] }

func (j *rising) Execute(i int) { j.Out.Set(i, i) }

// What the batches below one that fails have appended, and that one until then, is there.
func TestAListOfALoopThatFails(t *testing.T) {
	failed := errors.New("failed")
	for workers := 1; workers <= 4; workers++ {
		for _, end := range []string{"error", "panic"} {
			l := array.ListOf([]int{-1})
			stop := handout.Force(uint64(workers))
			body := func(w *array.ParallelWriter[int], i int) error {
				w.Append(i)
				if i == 60 || i == 90 {
					if end == "panic" {
						panic(failed)
					}
					return failed
				}
				return nil
			}
			func() {
				defer func() { recover() }()
				require.ErrorIs(t, parallelfor.ForErr(context.Background(), 100, l.ParallelWriter(), body, parallelfor.Batch(8), parallelfor.Workers(workers)), failed)
			}()
			stop()
			require.Equal(t, 62, l.Len())
			for i, v := range l.All() {
				require.Equal(t, i-1, v)
			}
		}
	}
	l := array.ListOf([]int{-1})
	ctx, cancel := context.WithCancel(context.Background())
	err := parallelfor.ForErr(ctx, 100, l.ParallelWriter(), func(w *array.ParallelWriter[int], i int) error {
		w.Append(i)
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, l.Len(), "what a cancelled loop has appended is dropped whole")
}

func TestMisuseOfAList(t *testing.T) {
	lawtest.CheckedOnly(t)
	l := array.ListOf([]int{1, 2, 3}, safety.Named("l"))
	same := func() { require.Equal(t, []int{1, 2, 3}, l.Slice()) }
	for name, f := range map[string]func(){
		"Insert -1":                      func() { l.Insert(-1, 5) },
		"Insert 4":                       func() { l.Insert(4, 5) },
		"Insert none":                    func() { l.Insert(4) },
		"Remove -1":                      func() { l.Remove(-1) },
		"Remove 3":                       func() { l.Remove(3) },
		"RemoveSwapBack -1":              func() { l.RemoveSwapBack(-1) },
		"RemoveSwapBack 3":               func() { l.RemoveSwapBack(3) },
		"RemoveRange -1 1":               func() { l.RemoveRange(-1, 1) },
		"RemoveRange 1 4":                func() { l.RemoveRange(1, 4) },
		"RemoveRange 2 1":                func() { l.RemoveRange(2, 1) },
		"RemoveRange 4 4":                func() { l.RemoveRange(4, 4) },
		"RemoveRange to the largest int": func() { l.RemoveRange(0, math.MaxInt) },
	} {
		v := arraylaw.Breaks(t, safety.ErrIndex, f, name)
		require.Equal(t, 3, v.Length, name)
		require.ErrorContains(t, v, `array.List[int] "l"`, name)
		require.ErrorContains(t, v, "length 3", name)
		same()
	}
	for _, f := range []func(int){l.Resize, l.Grow} {
		v := arraylaw.Breaks(t, safety.ErrLength, func() { f(-2) })
		require.Equal(t, -2, v.N)
		require.ErrorContains(t, v, "-2")
		same()
	}
	l.RemoveRange(3, 3)
	l.Insert(3)
	l.AppendAll(nil)
	l.Resize(3)
	l.Grow(0)
	same()
}

// While a job appends, every use of the list is a violation: not even its length is known.
func TestAListIsNobodysWhileAJobAppends(t *testing.T) {
	lawtest.CheckedOnly(t)
	l := array.ListOf([]int{1, 2, 3}, safety.Named("l"))
	uses := map[string]func(){
		"Len": func() { l.Len() }, "Cap": func() { l.Cap() }, "At": func() { l.At(0) }, "Set": func() { l.Set(0, 1) }, "Slice": func() { l.Slice() },
		"Append": func() { l.Append(1) }, "AppendAll": func() { l.AppendAll(nil) }, "Insert": func() { l.Insert(0) }, "Remove": func() { l.Remove(0) },
		"RemoveRange": func() { l.RemoveRange(0, 0) }, "RemoveSwapBack": func() { l.RemoveSwapBack(0) },
		"Resize": func() { l.Resize(3) }, "Grow": func() { l.Grow(0) }, "Reserve": func() { l.Reserve(0) }, "Trim": l.Trim, "Clear": l.Clear, "Dispose": l.Dispose,
		"CopyTo": func() { l.CopyTo(make([]int, 3)) }, "CopyFrom": func() { l.CopyFrom(make([]int, 3)) },
	}
	h := parallelfor.Schedule(10, filling{l.ParallelWriter()}, (*filling).Execute, parallelfor.Name("fills"))
	for name, f := range uses {
		v := arraylaw.Breaks(t, safety.ErrInFlight, f, name)
		require.Equal(t, "fills", v.OtherJob, name)
		require.Equal(t, "Out", v.OtherField, name)
	}
	for _, f := range []func(){
		func() { parallelfor.For(1, filling{l.ParallelWriter()}, (*filling).Execute) },
		func() { parallelfor.For(1, rising{l.Writer()}, (*rising).Execute) },
		func() {
			parallelfor.For(1, summing{l.Reader(), array.NewList[int]().ParallelWriter()}, (*summing).Execute)
		},
	} {
		arraylaw.Breaks(t, safety.ErrConflict, f)
	}
	h.Complete()
	require.Equal(t, 23, l.Len())

	r := hold(l.Reader())
	for name, f := range uses {
		switch name {
		case "Len", "Cap", "At":
			f()
		case "CopyTo":
			l.CopyTo(make([]int, 23))
		default:
			arraylaw.Breaks(t, safety.ErrInFlight, f, name)
		}
	}
	r.Complete()
	require.Equal(t, 23, l.Len())
	l.Dispose()
	for name, f := range uses {
		arraylaw.Breaks(t, safety.ErrDisposed, f, name)
	}
	for name, f := range map[string]func(){
		"ParallelWriter": func() { parallelfor.For(1, filling{l.ParallelWriter()}, (*filling).Execute) },
		"zero":           func() { parallelfor.For(1, filling{}, (*filling).Execute) },
		"nil":            func() { parallelfor.For(1, filling{(*array.List[int])(nil).ParallelWriter()}, (*filling).Execute) },
		"nil Writer":     func() { parallelfor.For(1, rising{(*array.List[int])(nil).Writer()}, (*rising).Execute) },
		"nil Reader":     func() { parallelfor.For(1, holding{(*array.List[int])(nil).Reader()}, (*holding).Execute) },
		"not made":       func() { parallelfor.For(1, filling{new(array.List[int]).ParallelWriter()}, (*filling).Execute) },
		"not made, used": func() { new(array.List[int]).Append(1) },
	} {
		require.NotNil(t, arraylaw.Caught(f), name)
	}
	w := l.ParallelWriter()
	require.Equal(t, safety.Append, lawtest.ClaimOf(&w).Mode)
	w = array.ParallelWriter[int]{}
	arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Append(1) })
	arraylaw.Breaks(t, safety.ErrStaleView, func() { w.AppendAll([]int{1}) })
}

type holding struct{ In array.Reader[int] }

func (*holding) Execute(int) {}

func TestDisposeAfterOfAList(t *testing.T) {
	lawtest.CheckedOnly(t)
	l := array.ListOf([]int{1})
	var n int
	h := parallelfor.Schedule(3, filling{l.ParallelWriter()}, (*filling).Execute)
	last := parallelfor.Go(l.Reader(), func(r *array.Reader[int]) { n = r.Len() }, parallelfor.After(h))
	l.DisposeAfter(last)
	require.True(t, l.Disposed())
	arraylaw.Breaks(t, safety.ErrDisposed, func() { l.Append(1) })
	last.Complete()
	require.Equal(t, 7, n)
}

// What is taken out is garbage, also where the list keeps its capacity.
func TestAListKeepsNothingAlive(t *testing.T) {
	for name, out := range map[string]func(l *array.List[*[4]int]){
		"Remove":         func(l *array.List[*[4]int]) { l.Remove(0) },
		"RemoveRange":    func(l *array.List[*[4]int]) { l.RemoveRange(0, 2) },
		"RemoveSwapBack": func(l *array.List[*[4]int]) { l.RemoveSwapBack(0) },
		"Resize":         func(l *array.List[*[4]int]) { l.Resize(0) },
		"Clear":          func(l *array.List[*[4]int]) { l.Clear() },
		"Set":            func(l *array.List[*[4]int]) { l.Set(0, nil) },
	} {
		for _, jobs := range []bool{false, true} {
			l := array.NewList[*[4]int]()
			p := new([4]int)
			was := weak.Make(p)
			if jobs {
				parallelfor.For(3, l.ParallelWriter(), func(w *array.ParallelWriter[*[4]int], i int) {
					if i == 0 {
						w.Append(was.Value())
					} else {
						w.Append(new([4]int))
					}
				})
			} else {
				l.AppendAll([]*[4]int{p, new([4]int), new([4]int)})
			}
			p = nil
			require.NotNil(t, was.Value())
			capacity := l.Cap()
			out(l)
			require.Equal(t, capacity, l.Cap())
			for k := 0; was.Value() != nil; k++ {
				require.Less(t, k, 20, name)
				runtime.GC()
			}
			runtime.KeepAlive(l)
		}
	}
}

// A list of a frame allocates nothing once it has been large enough.
func TestAListThatIsFilledAgainAllocatesNothing(t *testing.T) {
	if safety.Strict {
		t.Skip("strict builds allocate")
	}
	l := array.NewList[int]()
	job := filling{l.ParallelWriter()}
	frame := func() {
		l.Clear()
		parallelfor.For(10_000, job, (*filling).Execute, parallelfor.Batch(500))
	}
	for range 20 {
		frame()
	}
	require.Less(t, testing.AllocsPerRun(20, frame), 1.0)
	require.Equal(t, 20_000, l.Len())
}

func TestAListOfNothing(t *testing.T) {
	l := array.NewList[struct{}]()
	parallelfor.For(1000, l.ParallelWriter(), func(w *array.ParallelWriter[struct{}], i int) { w.Append(struct{}{}) }, parallelfor.Workers(3))
	l.Append(struct{}{})
	l.RemoveSwapBack(3)
	l.Insert(0, struct{}{}, struct{}{})
	require.Equal(t, 1002, l.Len())
}

// All follows a list that its loop changes.
func TestAListThatItsLoopChanges(t *testing.T) {
	l := array.ListOf([]int{1, 2, 3, 4})
	var seen []string
	for i, v := range l.All() {
		seen = append(seen, strconv.Itoa(i)+"="+strconv.Itoa(v))
		switch v {
		case 1:
			l.Append(5)
		case 3:
			l.Remove(3)
		}
	}
	require.Equal(t, []string{"0=1", "1=2", "2=3", "3=5"}, seen)
}

// What was put into a buffer and not passed on is garbage once the loop has ended.
func TestABufferKeepsNothingAlive(t *testing.T) {
	l := array.NewList[*[4]int]()
	var left weak.Pointer[[4]int]
	parallelfor.Do(l.ParallelWriter(), func(w *array.ParallelWriter[*[4]int]) {
		p := new([4]int)
		left = weak.Make(p)
		w.AppendAll(append(w.AvailableBuffer(), new([4]int), p)[:1])
	})
	for k := 0; left.Value() != nil; k++ {
		require.Less(t, k, 20)
		runtime.GC()
	}
	require.Equal(t, 1, l.Len())
	runtime.KeepAlive(l)
}
