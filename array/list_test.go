package array_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"weak"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// step does the same to a list and to a slice, which it returns.
var steps = []func(r *rand.Rand, l *array.List[int], s []int) []int{
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		v := r.Int()
		l.Append(v)
		return append(s, v)
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		vs := r.Perm(r.IntN(20))
		l.AppendAll(vs)
		return append(s, vs...)
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int { // of its own
		i, j := span(r, len(s))
		l.AppendAll(l.Slice()[i:j])
		return append(s, s[i:j]...)
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		i, vs := r.IntN(len(s)+1), r.Perm(r.IntN(4))
		l.Insert(i, vs...)
		return slices.Insert(s, i, vs...)
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		i, j := span(r, len(s))
		at := r.IntN(len(s) + 1)
		l.Insert(at, l.Slice()[i:j]...)
		return slices.Insert(s, at, slices.Clone(s[i:j])...)
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		if len(s) == 0 {
			return s
		}
		i := r.IntN(len(s))
		l.Remove(i)
		return slices.Delete(s, i, i+1)
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		i, j := span(r, len(s))
		l.RemoveRange(i, j)
		return slices.Delete(s, i, j)
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		if len(s) == 0 {
			return s
		}
		i := r.IntN(len(s))
		l.RemoveSwapBack(i)
		s[i] = s[len(s)-1]
		return s[:len(s)-1]
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		i, j := span(r, len(s))
		l.RemoveRangeSwapBack(i, j)
		tail := slices.Clone(s[max(j, len(s)-(j-i)):])
		copy(s[i:], tail)
		return s[:len(s)-(j-i)]
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		n := r.IntN(2*len(s) + 2)
		l.Resize(n)
		if n <= len(s) {
			return s[:n]
		}
		return append(s, make([]int, n-len(s))...)
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		n := r.IntN(100)
		l.Grow(n)
		if l.Cap()-l.Len() < n {
			panic("no room")
		}
		return s
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		l.Trim()
		if l.Cap() != l.Len() {
			panic("not trimmed")
		}
		return s
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int {
		if r.IntN(5) == 0 {
			l.Clear()
			return s[:0]
		}
		slices.Sort(l.Slice())
		slices.Sort(s)
		return s
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int { // a loop appends
		n, every := r.IntN(300), 1+r.IntN(5)
		parallelfor.For(n, l.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { some(w, i, every) }, parallelfor.Batch(r.IntN(9)), parallelfor.Workers(1+r.IntN(4)))
		for i := range n {
			s = plainly(s, i, every)
		}
		return s
	},
	func(r *rand.Rand, l *array.List[int], s []int) []int { // a loop changes all
		parallelfor.For(len(s), l.Writer(), func(w *array.Writer[int], i int) { w.Set(i, w.At(i)+i) })
		for i := range s {
			s[i] += i
		}
		return s
	},
}

// span returns a range within [0, n].
func span(r *rand.Rand, n int) (begin, end int) {
	i, j := r.IntN(n+1), r.IntN(n+1)
	return min(i, j), max(i, j)
}

// some appends none, one or two for i.
func some(w *array.ParallelWriter[int], i, every int) {
	if i%every == 0 {
		w.Append(i)
	}
	if i%7 == 3 {
		w.AppendAll([]int{-i, i * i})
	}
}

// plainly is some for a slice.
func plainly(s []int, i, every int) []int {
	if i%every == 0 {
		s = append(s, i)
	}
	if i%7 == 3 {
		s = append(s, -i, i*i)
	}
	return s
}

// A list does what a slice does, whatever is done to it.
func TestAListIsASlice(t *testing.T) {
	arraylaw.Property(t, 300, "steps", prop.ForAll(
		func(seed uint64, many int) string {
			r := rand.New(rand.NewPCG(seed, 2))
			stop := handout.Force(seed)
			defer stop()
			l, s := array.NewList[int](), []int(nil)
			if seed%3 == 0 {
				s = r.Perm(10)
				l = array.ListOf(slices.Clone(s))
			}
			for k := range many {
				which := r.IntN(len(steps))
				if len(s) > 5000 {
					l.Clear()
					s = s[:0]
				}
				if s = steps[which](r, l, s); !slices.Equal(s, l.Slice()) || l.Len() != len(s) || cap(l.Slice()) != len(s) {
					return fmt.Sprintf("after step %d, of kind %d, there are %v, not %v", k, which, l.Slice(), s)
				}
			}
			return ""
		},
		gen.UInt64(), gen.IntRange(1, 60),
	))
}

// What loops append is what sequential loops append, at any number of workers and any batch, onto what was there.
func TestAListIsAppendedToInTheOrderOfTheSequentialLoop(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 5000, lawtest.Rounds(300_000)} {
		want := []int{-1, -2}
		for range 2 {
			for i := range n {
				want = plainly(want, i, 2)
			}
		}
		for workers := 1; workers <= 4; workers++ {
			for _, batch := range []int{0, 1, 7, 1000} {
				if batch == 1 && n > 5000 {
					continue
				}
				l := array.ListOf([]int{-1, -2})
				stop := handout.Force(uint64(workers))
				for range 2 {
					parallelfor.For(n, l.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { some(w, i, 2) }, parallelfor.Batch(batch), parallelfor.Workers(workers))
				}
				stop()
				require.True(t, slices.Equal(want, l.Slice()), "%d indices, %d workers, batch %d", n, workers, batch)
			}
		}
	}
}

// Jobs whose lengths an earlier one decides.
func TestALoopOverAListThatAnEarlierJobFills(t *testing.T) {
	for _, n := range []int{0, 1, 777} {
		l := array.NewList[int](safety.Named("l"))
		sums := array.NewList[int]()
		first := parallelfor.Schedule(n, filling{l.ParallelWriter()}, parallelfor.Workers(3))
		second := parallelfor.ScheduleBatch(-1, twofold{l.Writer()}, parallelfor.LengthOf(l.Reader()), parallelfor.After(first))
		third := parallelfor.Schedule(-1, summing{l.Reader(), sums.ParallelWriter()}, parallelfor.LengthOf(l.Reader()), parallelfor.After(second), parallelfor.Batch(3))
		fourth := parallelfor.ScheduleSingle(closing{l.Writer()}, parallelfor.After(third))
		fourth.Complete()
		require.Equal(t, 2*n, l.Len())
		for i := range n {
			require.Equal(t, []int{2*i + 1, -2*i + 1}, []int{l.At(2 * i), l.At(2*i + 1)})
		}
		require.Equal(t, 2*n, sums.Len())
		for i, v := range sums.All() {
			require.Equal(t, l.At(i)-1+2*n, v)
		}
	}
}

type filling struct{ Out array.ParallelWriter[int] }

func (j *filling) Execute(i int) { j.Out.AppendAll([]int{i, -i}) }

type twofold struct{ All array.Writer[int] }

func (j *twofold) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.All.Set(i, 2*j.All.At(i))
	}
	if len(j.All.Slice()) != end-begin {
		panic("the window")
	}
}

type summing struct {
	In  array.Reader[int]
	Out array.ParallelWriter[int]
}

func (j *summing) Execute(i int) { j.Out.Append(j.In.At(i) + j.In.Len()) }

type closing struct{ All array.Writer[int] }

func (j *closing) Execute() {
	for i := range j.All.Slice() {
		*j.All.Ptr(i)++
	}
}

// A loop over a list may append to it: its length is that of the beginning.
func TestALoopAppendsToTheListItRunsOver(t *testing.T) {
	l := array.ListOf([]int{1, 2, 3})
	for range 3 {
		parallelfor.For(-1, l.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(i) }, parallelfor.LengthOf(l.Reader()), parallelfor.Batch(1))
	}
	require.Equal(t, []int{1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, l.Slice())
}

// A body's nested loop appends where the body stands.
func TestANestedLoopAppendsWhereItsBodyStands(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		l := array.NewList[int]()
		parallelfor.For(20, l.ParallelWriter(), func(w *array.ParallelWriter[int], i int) {
			w.Append(1000 * i)
			parallelfor.For(i, *w, func(w *array.ParallelWriter[int], k int) { w.Append(1000*i + k + 1) }, parallelfor.Batch(2))
			w.Append(-i)
		}, parallelfor.Batch(3), parallelfor.Workers(workers))
		var want []int
		for i := range 20 {
			for k := range i + 1 {
				want = append(want, 1000*i+k)
			}
			want = append(want, -i)
		}
		require.Equal(t, want, l.Slice())
	}
}

// Rows, offsets and permutations of a list whose length an earlier job decides.
func TestViewsOfAListThatAnEarlierJobFills(t *testing.T) {
	l, offsets := array.NewList[int](), array.NewList[int]()
	fill := parallelfor.Schedule(10, filling{l.ParallelWriter()})
	parallelfor.For(5, offsets.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(5 * i) })
	rows := parallelfor.Schedule(10, rowing{l.Writer().Rows(2)}, parallelfor.After(fill))
	groups := parallelfor.Schedule(4, grouping{l.Writer().ByOffsets(offsets.Reader())}, parallelfor.After(rows))
	free := parallelfor.Schedule(20, anywhere{l.Writer().Unrestricted()}, parallelfor.After(groups))
	turned := parallelfor.Schedule(20, turning{l.Writer().Permuted()}, parallelfor.After(free))
	turned.Complete()
	for i, v := range l.All() {
		was := i / 2
		if i%2 == 1 {
			was = -was
		}
		require.Equal(t, 10*(was+i/2)+i/5+1+100*(19-i), v, i)
	}
}

type rowing struct{ Rows array.Writer[int] }

func (j *rowing) Execute(i int) {
	for k := range j.Rows.Row(i) {
		j.Rows.Row(i)[k] += i
	}
}

type grouping struct{ Groups array.OffsetWriter[int] }

func (j *grouping) Execute(i int) {
	for k := range j.Groups.Row(i) {
		j.Groups.Row(i)[k] = 10*j.Groups.Row(i)[k] + i
	}
}

type anywhere struct{ All array.Writer[int] }

func (j *anywhere) Execute(i int) { j.All.Set(19-i, j.All.At(19-i)+1) }

type turning struct{ All array.PermutedWriter[int] }

func (j *turning) Execute(i int) { *j.All.Ptr(19 - i) += 100 * i }

// A loop that is longer than the list turns out to be fails where the sequential loop would, and says what to do.
func TestALoopLongerThanItsListTurnsOutToBe(t *testing.T) {
	lawtest.CheckedOnly(t)
	l := array.NewList[int](safety.Named("l"))
	first := parallelfor.Schedule(5, filling{l.ParallelWriter()})
	h := parallelfor.Schedule(12, rising{l.Writer()}, parallelfor.After(first), parallelfor.Batch(4), parallelfor.Name("late"))
	v := arraylaw.Breaks(t, safety.ErrLength, h.Complete)
	if !safety.Strict { // where each index is a cell's
		require.Equal(t, []int{12, 10}, []int{v.N, v.Length})
		require.ErrorContains(t, v, "8 <= i < 12")
	}
	require.Equal(t, "late", v.Job)
	require.Equal(t, "Out", v.Field)
	require.ErrorContains(t, v, `array.List[int] "l"`)
	require.ErrorContains(t, v, "LengthOf")
	v = arraylaw.Breaks(t, safety.ErrLength, func() { parallelfor.Run(11, rising{l.Writer()}) })
	require.Equal(t, []int{11, 10}, []int{v.N, v.Length}, "now it is known before")
	v = arraylaw.Breaks(t, safety.ErrLength, func() { parallelfor.Run(6, rowing{l.Writer().Rows(2)}) })
	require.Equal(t, []int{6, 5}, []int{v.N, v.Length})
	second := parallelfor.Schedule(5, filling{l.ParallelWriter()})
	h = parallelfor.Schedule(11, rowing{l.Writer().Rows(2)}, parallelfor.After(second), parallelfor.Batch(11))
	v = arraylaw.Breaks(t, safety.ErrLength, h.Complete)
	require.Equal(t, 10, v.Length)
}

type rising struct{ Out array.Writer[int] }

func (j *rising) Execute(i int) { j.Out.Set(i, i) }

// What the cells below one that fails have appended, and that one until then, is there.
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
		"Insert -1":                  func() { l.Insert(-1, 5) },
		"Insert 4":                   func() { l.Insert(4, 5) },
		"Insert none":                func() { l.Insert(4) },
		"Remove -1":                  func() { l.Remove(-1) },
		"Remove 3":                   func() { l.Remove(3) },
		"RemoveSwapBack -1":          func() { l.RemoveSwapBack(-1) },
		"RemoveSwapBack 3":           func() { l.RemoveSwapBack(3) },
		"RemoveRange -1 1":           func() { l.RemoveRange(-1, 1) },
		"RemoveRange 1 4":            func() { l.RemoveRange(1, 4) },
		"RemoveRange 2 1":            func() { l.RemoveRange(2, 1) },
		"RemoveRangeSwapBack 0 4":    func() { l.RemoveRangeSwapBack(0, 4) },
		"RemoveRangeSwapBack 2 1":    func() { l.RemoveRangeSwapBack(2, 1) },
		"RemoveRangeSwapBack 4 4":    func() { l.RemoveRangeSwapBack(4, 4) },
		"RemoveRangeSwapBack huge 1": func() { l.RemoveRangeSwapBack(0, 1<<62) },
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
	l.RemoveRangeSwapBack(3, 3)
	l.Insert(3)
	l.AppendAll(nil)
	l.Resize(3)
	l.Grow(0)
	same()
}

// While a job appends, the list is nobody else's: not even its length is known.
func TestAListIsNobodysWhileAJobAppends(t *testing.T) {
	lawtest.CheckedOnly(t)
	l := array.ListOf([]int{1, 2, 3}, safety.Named("l"))
	uses := map[string]func(){
		"Len": func() { l.Len() }, "Cap": func() { l.Cap() }, "At": func() { l.At(0) }, "Set": func() { l.Set(0, 1) }, "Slice": func() { l.Slice() },
		"Append": func() { l.Append(1) }, "AppendAll": func() { l.AppendAll(nil) }, "Insert": func() { l.Insert(0) }, "Remove": func() { l.Remove(0) },
		"RemoveRange": func() { l.RemoveRange(0, 0) }, "RemoveSwapBack": func() { l.RemoveSwapBack(0) }, "RemoveRangeSwapBack": func() { l.RemoveRangeSwapBack(0, 0) },
		"Resize": func() { l.Resize(3) }, "Grow": func() { l.Grow(0) }, "Trim": l.Trim, "Clear": l.Clear, "Dispose": l.Dispose,
		"CopyTo": func() { l.CopyTo(make([]int, 3)) }, "CopyFrom": func() { l.CopyFrom(make([]int, 3)) },
	}
	h := parallelfor.Schedule(10, filling{l.ParallelWriter()}, parallelfor.Name("fills"))
	for name, f := range uses {
		v := arraylaw.Breaks(t, safety.ErrInFlight, f, name)
		require.Equal(t, "fills", v.OtherJob, name)
		require.Equal(t, "Out", v.OtherField, name)
	}
	for _, f := range []func(){
		func() { parallelfor.Run(1, filling{l.ParallelWriter()}) },
		func() { parallelfor.Run(1, rising{l.Writer()}) },
		func() { parallelfor.Run(1, summing{l.Reader(), array.NewList[int]().ParallelWriter()}) },
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
		"ParallelWriter": func() { parallelfor.Run(1, filling{l.ParallelWriter()}) },
		"zero":           func() { parallelfor.Run(1, filling{}) },
		"nil":            func() { parallelfor.Run(1, filling{(*array.List[int])(nil).ParallelWriter()}) },
		"nil Writer":     func() { parallelfor.Run(1, rising{(*array.List[int])(nil).Writer()}) },
		"nil Reader":     func() { parallelfor.Run(1, holding{(*array.List[int])(nil).Reader()}) },
		"not made":       func() { parallelfor.Run(1, filling{new(array.List[int]).ParallelWriter()}) },
		"not made, used": func() { new(array.List[int]).Append(1) },
	} {
		require.NotNil(t, arraylaw.Caught(f), name)
	}
	var w array.ParallelWriter[int]
	arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Append(1) })
	arraylaw.Breaks(t, safety.ErrStaleView, func() { w.AppendAll([]int{1}) })
}

type holding struct{ In array.Reader[int] }

func (*holding) Execute(int) {}

func TestDisposeAfterOfAList(t *testing.T) {
	lawtest.CheckedOnly(t)
	l := array.ListOf([]int{1})
	var n int
	h := parallelfor.Schedule(3, filling{l.ParallelWriter()})
	last := parallelfor.Go(l.Reader(), func(r *array.Reader[int]) { n = r.Len() }, parallelfor.After(h))
	l.DisposeAfter(last)
	require.True(t, l.Disposed())
	arraylaw.Breaks(t, safety.ErrDisposed, func() { l.Append(1) })
	last.Complete()
	require.Equal(t, 7, n)
}

// What is taken out is garbage, also where the list keeps its capacity.
func TestAListKeepsNothingAlive(t *testing.T) {
	for name, out := range map[string]func(l *array.List[*[100]int]){
		"Remove":              func(l *array.List[*[100]int]) { l.Remove(0) },
		"RemoveRange":         func(l *array.List[*[100]int]) { l.RemoveRange(0, 2) },
		"RemoveSwapBack":      func(l *array.List[*[100]int]) { l.RemoveSwapBack(0) },
		"RemoveRangeSwapBack": func(l *array.List[*[100]int]) { l.RemoveRangeSwapBack(0, 2) },
		"Resize":              func(l *array.List[*[100]int]) { l.Resize(0) },
		"Clear":               func(l *array.List[*[100]int]) { l.Clear() },
		"Set":                 func(l *array.List[*[100]int]) { l.Set(0, nil) },
	} {
		for _, jobs := range []bool{false, true} {
			l := array.NewList[*[100]int]()
			p := new([100]int)
			was := weak.Make(p)
			if jobs {
				parallelfor.For(3, l.ParallelWriter(), func(w *array.ParallelWriter[*[100]int], i int) {
					if i == 0 {
						w.Append(was.Value())
					} else {
						w.Append(new([100]int))
					}
				})
			} else {
				l.AppendAll([]*[100]int{p, new([100]int), new([100]int)})
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
		parallelfor.Run(10_000, job, parallelfor.Batch(500))
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
