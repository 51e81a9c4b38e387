package array_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// rowsOf returns what is in the stream, and looks whether its parts agree.
func rowsOf[T any](t testing.TB, s *array.Stream[T]) [][]T {
	t.Helper()
	var rows [][]T
	total := 0
	for i, r := range s.All() {
		require.Equal(t, len(rows), i)
		require.Equal(t, len(r), s.Count(i))
		require.Equal(t, total, s.Offsets()[i])
		require.Equal(t, r, s.Items()[total:total+len(r)])
		total += len(r)
		rows = append(rows, append([]T{}, r...))
	}
	require.Equal(t, len(rows), s.Len())
	require.Equal(t, total, s.Total())
	require.Len(t, s.Offsets(), len(rows)+1)
	return rows
}

// filler appends to the rows of its indices through two views, one item at a time and many, by
// nested loops over one row, and over rows.
type filler struct {
	A, B  array.StreamParallelWriter[int]
	Round int
	Fail  int
}

var errIndex = errors.New("this index fails")

func (j *filler) Execute(i int) error {
	x := i*7919 + j.Round
	for k := range x % 4 {
		j.A.Append(i, x+k)
	}
	if x%5 == 0 {
		j.B.AppendAll(i, []int{-x, -x - 1})
	}
	if x%11 == 3 {
		parallelfor.For(x%40, j.B.Row(i), func(w *array.StreamRow[int], k int) { w.Append(1000*i + k) }, parallelfor.Batch(1+i%5))
		j.A.Append(i, 5)
	}
	if i == j.Fail {
		return errIndex
	}
	if x%13 == 5 {
		j.A.AppendAll(i, nil)
		j.B.Append(i, i)
	}
	return nil
}

// want is what the sequential loop leaves of filler's.
func want(rows [][]int, n, round, fail int) [][]int {
	for i := range n {
		if i == len(rows) {
			rows = append(rows, []int{})
		}
	}
	for i := range n {
		x := i*7919 + round
		r := rows[i]
		for k := range x % 4 {
			r = append(r, x+k)
		}
		if x%5 == 0 {
			r = append(r, -x, -x-1)
		}
		if x%11 == 3 {
			for k := range x % 40 {
				r = append(r, 1000*i+k)
			}
			r = append(r, 5)
		}
		if i == fail {
			rows[i] = r
			break
		}
		if x%13 == 5 {
			r = append(r, i)
		}
		rows[i] = r
	}
	return rows
}

// A loop leaves in each row what the sequential loop appends to it, behind what was there, with any
// number of workers and any batch, and when an index fails.
func TestAStreamHasWhatTheSequentialLoopAppends(t *testing.T) {
	lawtest.Check(t, lawtest.Parameters(t, 120), "streams", prop.ForAll(
		func(lengths []int, batch, workers, fail int, seed uint64) string {
			s := array.NewStream[int]()
			var rows [][]int
			for round, n := range lengths {
				if seed%4 > 0 {
					defer handout.Force(seed)()
				}
				err := parallelfor.ForErr(context.Background(), n, filler{s.ParallelWriter(), s.ParallelWriter(), round, fail}, (*filler).Execute,
					parallelfor.Workers(workers), parallelfor.Batch(batch))
				if errors.Is(err, errIndex) != (fail < n) {
					return "another failure"
				}
				rows = want(rows, n, round, fail)
				if got := rowsOf(t, s); !slices.EqualFunc(got, rows, slices.Equal) {
					return "other rows"
				}
				if seed%3 == 0 && round == 0 {
					s.Clear()
					rows = nil
				}
			}
			return ""
		},
		gen.SliceOfN(3, gen.IntRange(0, 120)), gen.IntRange(-1, 30), gen.IntRange(1, 8), gen.IntRange(0, 200), gen.UInt64(),
	))
}

// The same with so many rows and items that all is done in parallel.
func TestLongStreams(t *testing.T) {
	const n = 80_000 // some parts of rows, and of items
	s := array.NewStream[int]()
	var rows [][]int
	for round := range 3 {
		stop := handout.Force(uint64(round))
		require.NoError(t, parallelfor.ForErr(context.Background(), n-round*1000, filler{s.ParallelWriter(), s.ParallelWriter(), round, n}, (*filler).Execute, parallelfor.Workers(4)))
		stop()
		rows = want(rows, n-round*1000, round, n)
		require.True(t, slices.EqualFunc(rows, slices.Collect(second(s)), slices.Equal))
	}
}

func second(s *array.Stream[int]) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		for _, r := range s.All() {
			if !yield(r) {
				return
			}
		}
	}
}

// A batch passes its rows on: index 0 of the nested loop is the first of them.
func TestABatchLendsItsRowsOn(t *testing.T) {
	for _, n := range []int{1, 20, 77} {
		var rows [][]int
		for i := range n {
			rows = append(rows, []int{})
			for k := range i%3 + 1 {
				if k == 0 && i%10 == 0 {
					rows[i] = append(rows[i], -i)
				}
				rows[i] = append(rows[i], 10*i+k)
			}
			if i%10 == 9 || i == n-1 {
				rows[i] = append(rows[i], i)
			}
		}
		for workers := 1; workers <= 8; workers *= 2 {
			s := array.NewStream[int]()
			stop := handout.Force(uint64(n))
			parallelfor.ForBatch(n, s.ParallelWriter(), func(w *array.StreamParallelWriter[int], begin, end int) {
				w.Append(begin, -begin)
				parallelfor.For(end-begin, *w, func(w *array.StreamParallelWriter[int], k int) {
					for j := range (begin+k)%3 + 1 {
						w.Append(k, 10*(begin+k)+j)
					}
				}, parallelfor.Workers(workers), parallelfor.Batch(2))
				w.Append(end-1, end-1)
			}, parallelfor.Workers(workers), parallelfor.Batch(10))
			stop()
			require.Equal(t, rows, rowsOf(t, s))
		}
	}
}
