package array_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

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

// steps do the same to a list and to a slice, which they return.
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

// What loops append is what sequential loops append, at any number of workers and any batch, onto
// what was there.
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
		first := parallelfor.Schedule(n, filling{l.ParallelWriter()}, (*filling).Execute, parallelfor.Workers(3))
		second := parallelfor.ScheduleBatch(-1, twofold{l.Writer()}, (*twofold).ExecuteBatch, parallelfor.LengthOf(l.Reader()), parallelfor.After(first))
		third := parallelfor.Schedule(-1, summing{l.Reader(), sums.ParallelWriter()}, (*summing).Execute, parallelfor.LengthOf(l.Reader()), parallelfor.After(second), parallelfor.Batch(3))
		fourth := parallelfor.ScheduleDo(closing{l.Writer()}, (*closing).Execute, parallelfor.After(third))
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
	fill := parallelfor.Schedule(10, filling{l.ParallelWriter()}, (*filling).Execute)
	parallelfor.For(5, offsets.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(5 * i) })
	rows := parallelfor.Schedule(10, rowing{array.ByRows(l.Writer(), 2)}, (*rowing).Execute, parallelfor.After(fill))
	groups := parallelfor.Schedule(4, grouping{array.ByOffsets(l.Writer(), offsets.Reader())}, (*grouping).Execute, parallelfor.After(rows))
	free := parallelfor.Schedule(20, anywhere{array.Unrestricted(l.Writer())}, (*anywhere).Execute, parallelfor.After(groups))
	turned := parallelfor.Schedule(20, turning{array.Permuted(l.Writer())}, (*turning).Execute, parallelfor.After(free))
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

func TestReserveMakesRoomForSoManyAndNoMore(t *testing.T) {
	l := array.ListOf([]string{"a", "b"})
	l.Reserve(100)
	require.Equal(t, 100, l.Cap())
	require.Equal(t, []string{"a", "b"}, l.Slice())
	l.Reserve(50)
	require.Equal(t, 100, l.Cap())
	require.Zero(t, testing.AllocsPerRun(1, func() { l.Resize(100); l.Resize(2) }))
}
