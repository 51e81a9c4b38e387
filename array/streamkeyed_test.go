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
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type keyedWriter = array.StreamKeyedWriter[int]

// rowsFor returns a stream of n rows without items.
func rowsFor[T any](n int, opts ...safety.Option) *array.Stream[T] {
	s := array.NewStream[T](opts...)
	s.Resize(n)
	return s
}

// adder adds items by key through two views and by nested loops, and fails at an index.
type adder struct {
	A, B              keyedWriter
	Keys, Round, Fail int
}

func (j *adder) Execute(i int) error {
	j.each(i, func(key, v int, nested bool) {
		if nested {
			parallelfor.For(3, j.B, func(w *keyedWriter, k int) { w.Add((key+k)%j.Keys, v+k) }, parallelfor.Batch(1))
			return
		}
		j.A.Add(key, v)
		j.B.Add(key, -v)
	})
	if i == j.Fail {
		return errIndex
	}
	if i%13 == 5 {
		j.A.Add(j.Keys-1, i)
	}
	return nil
}

// each calls add with what index i adds before it may fail.
func (j *adder) each(i int, add func(key, v int, nested bool)) {
	x := i*7919 + j.Round
	for k := range x % 4 {
		add((x+k*k)%j.Keys, x+k, false)
	}
	if x%11 == 3 {
		add(x%j.Keys, 1000*i, true)
		add(0, 5, false)
	}
}

// into adds to rows what the sequential loop over n indices adds.
func (j *adder) into(rows [][]int, n int) {
	for i := range n {
		j.each(i, func(key, v int, nested bool) {
			if nested {
				for k := range 3 {
					rows[(key+k)%j.Keys] = append(rows[(key+k)%j.Keys], v+k)
				}
				return
			}
			rows[key] = append(rows[key], v, -v)
		})
		if i == j.Fail {
			return
		}
		if i%13 == 5 {
			rows[j.Keys-1] = append(rows[j.Keys-1], i)
		}
	}
}

// A loop leaves in each row what the sequential loop adds to it, behind what was there, with any
// number of workers and any batch, and when an index fails.
func TestRowsHaveWhatTheSequentialLoopAddsByKey(t *testing.T) {
	lawtest.Check(t, lawtest.Parameters(t, 120), "keyed rows", prop.ForAll(
		func(lengths []int, keys, batch, workers, fail int, seed uint64) string {
			g, rows := rowsFor[int](keys), make([][]int, keys)
			for round, n := range lengths {
				if seed%4 > 0 {
					defer handout.Force(seed)()
				}
				j := adder{g.KeyedWriter(), g.KeyedWriter(), keys, round, fail}
				err := parallelfor.ForErr(context.Background(), n, j, (*adder).Execute, parallelfor.Workers(workers), parallelfor.Batch(batch))
				if errors.Is(err, errIndex) != (fail < n) {
					return "another failure"
				}
				if j.into(rows, n); !slices.EqualFunc(rowsOf(t, g), rows, slices.Equal) {
					return "other rows"
				}
				if seed%3 == 0 && round == 0 {
					g.Clear()
					g.Resize(keys)
					clear(rows)
				}
			}
			return ""
		},
		gen.SliceOfN(3, gen.IntRange(0, 120)), gen.OneGenOf(gen.IntRange(1, 9), gen.IntRange(1, 3000)), gen.IntRange(-1, 30), gen.IntRange(1, 8), gen.IntRange(0, 200), gen.UInt64(),
	))
}

// The same with so many items that they are counted and copied in parallel.
func TestManyItemsByKey(t *testing.T) {
	for _, keys := range []int{1, 500, 100_000} {
		g, rows := rowsFor[int](keys), make([][]int, keys)
		for round := range 2 {
			stop := handout.Force(uint64(round))
			j := adder{g.KeyedWriter(), g.KeyedWriter(), keys, round, 20_000}
			require.NoError(t, parallelfor.ForErr(context.Background(), 20_000, j, (*adder).Execute, parallelfor.Workers(4)))
			stop()
			j.into(rows, 20_000)
			require.True(t, slices.EqualFunc(rows, rowsOf(t, g), slices.Equal), "%d keys, round %d", keys, round)
		}
	}
}

// byKeys adds items by keys in arrays, or the indices, and leaves some batches out.
type byKeys[K ~int | ~int8 | ~uint8 | ~int32 | ~int64 | ~uint64] struct {
	Keys, Others  array.Reader[K]
	Values        array.Reader[int]
	Out           keyedWriter
	Indices, Each bool // Each: by Add
	Fail          int
}

func (j *byKeys[K]) ExecuteBatch(begin, end int) error {
	mid := begin + (end-begin)/3
	if begin%5 != 4 {
		j.add(&j.Keys, begin, mid)
		j.add(&j.Keys, mid, end-begin%2)
		j.add(&j.Others, end-begin%2, end)
	}
	if begin <= j.Fail && j.Fail < end {
		return errIndex
	}
	return nil
}

func (j *byKeys[K]) add(keys *array.Reader[K], begin, end int) {
	switch {
	case j.Each && j.Indices:
		for i := begin; i < end; i++ {
			j.Out.Add(int(keys.At(i)), i)
		}
	case j.Each:
		for i := begin; i < end; i++ {
			j.Out.Add(int(keys.At(i)), j.Values.At(i))
		}
	case j.Indices:
		array.GroupIndices(&j.Out, keys, begin, end)
	default:
		array.GroupValues(&j.Out, keys, &j.Values, begin, end)
	}
}

// sameRows compares a loop of some workers with one that calls Add.
func sameRows[K ~int | ~int8 | ~uint8 | ~int32 | ~int64 | ~uint64](t testing.TB, n, keys, batch, workers, fail int, seed uint64, nested bool) bool {
	list, others, values := make([]K, n), make([]K, n), make([]int, n)
	for i := range n {
		x := uint64(i)*0x9E3779B97F4A7C15 + seed
		list[i], others[i], values[i] = K(int(x>>40)%keys), K(int(x>>33)%keys), i*i
	}
	run := func(each bool, opts ...parallelfor.Option) [][]int {
		g := rowsFor[int](keys)
		for round := range 2 {
			j := byKeys[K]{array.Of(list).Reader(), array.Of(others).Reader(), array.Of(values).Reader(), g.KeyedWriter(), (int(seed%2)+round)%2 == 0, each, fail}
			body := (*byKeys[K]).ExecuteBatch
			if nested {
				body = func(j *byKeys[K], begin, end int) error {
					return parallelfor.ForBatchErr(context.Background(), end, *j, (*byKeys[K]).ExecuteBatch, parallelfor.Batch(batch))
				}
			}
			err := parallelfor.ForBatchErr(context.Background(), n, j, body, append(opts, parallelfor.Batch(batch))...)
			require.Equal(t, fail < n, errors.Is(err, errIndex))
		}
		return rowsOf(t, g)
	}
	want := run(true, parallelfor.Sequential())
	if seed%4 > 0 {
		defer handout.Force(seed)()
	}
	return slices.EqualFunc(want, run(false, parallelfor.Workers(workers)), slices.Equal)
}

// Keys of any type may lie in arrays; a nested job adds items by them, too.
func TestItemsByKeysInArrays(t *testing.T) {
	lawtest.Check(t, lawtest.Parameters(t, 60), "keys in arrays", prop.ForAll(
		func(n, keys, batch, workers, fail int, seed uint64) string {
			small, nested := min(keys, 127), seed%5 == 0 && n < 100
			if !sameRows[int](t, n, keys, batch, workers, fail, seed, nested) || !sameRows[int32](t, n, keys, batch, workers, fail, seed, nested) ||
				!sameRows[int8](t, n, small, batch, workers, fail, seed, nested) || !sameRows[uint8](t, n, small, batch, workers, fail, seed, nested) ||
				!sameRows[uint64](t, n, keys, batch, workers, fail, seed, nested) {
				return "other rows"
			}
			return ""
		},
		gen.OneGenOf(gen.IntRange(0, 50), gen.IntRange(0, 70_000)), gen.IntRange(1, 600), gen.IntRange(1, 9000), gen.IntRange(1, 8), gen.IntRange(0, 140_000), gen.UInt64(),
	))
	require.True(t, sameRows[int](t, 12, 5, 4, 1, 12, 0, false), "a batch that is left out")
	g := rowsFor[int32](4)
	keys := array.Of([]uint16{3, 0, 3, 1})
	parallelfor.ForBatch(4, indexing{keys.Reader(), g.KeyedWriter()}, (*indexing).ExecuteBatch)
	require.Equal(t, [][]int32{{1}, {3}, {}, {0, 2}}, rowsOf(t, g))
}

type indexing struct {
	Keys array.Reader[uint16]
	Out  array.StreamKeyedWriter[int32]
}

func (j *indexing) ExecuteBatch(begin, end int) { array.GroupIndices(&j.Out, &j.Keys, begin, end) }

func TestRowsAreResizedAndCut(t *testing.T) {
	s := rowsFor[int](3)
	require.Equal(t, [][]int{{}, {}, {}}, rowsOf(t, s))
	s.SetCounts([]int{2, 0, 1})
	s.At(0)[1], s.At(2)[0] = 5, 6
	_ = append(s.At(0), -1)
	require.Equal(t, [][]int{{0, 5}, {}, {6}}, rowsOf(t, s))
	s.SetCounts([]int{1, 3})
	require.Equal(t, [][]int{{0}, {5, 6, 0}}, rowsOf(t, s), "items stay in their order")
	s.SetCounts([]int{1, 1, 0})
	require.Equal(t, [][]int{{0}, {5}, {}}, rowsOf(t, s))
	s.SetCounts([]int{3, 1, 2})
	require.Equal(t, [][]int{{0, 5, 0}, {0}, {0, 0}}, rowsOf(t, s), "those that went are forgotten")
	s.At(2)[0] = 6
	s.Resize(5)
	require.Equal(t, [][]int{{0, 5, 0}, {0}, {6, 0}, {}, {}}, rowsOf(t, s))
	parallelfor.For(5, s.KeyedWriter(), func(w *keyedWriter, i int) { w.Add(4-i, i) })
	require.Equal(t, [][]int{{0, 5, 0, 4}, {0, 3}, {6, 0, 2}, {1}, {0}}, rowsOf(t, s))
	s.Trim()
	s.Trim()
	s.Resize(2)
	require.Equal(t, [][]int{{0, 5, 0, 4}, {0, 3}}, rowsOf(t, s))
	parallelfor.For(3, s.ParallelWriter(), func(w *streamFiller, i int) { w.Append(i, -i) })
	require.Equal(t, [][]int{{0, 5, 0, 4, 0}, {0, 3, -1}, {-2}}, rowsOf(t, s), "one job after the other, by index and by key")
	parallelfor.For(3, s.KeyedWriter(), func(w *keyedWriter, i int) { w.Add(2, i) })
	require.Equal(t, [][]int{{0, 5, 0, 4, 0}, {0, 3, -1}, {-2, 0, 1, 2}}, rowsOf(t, s))
	s.AppendRow(8)
	s.Clear()
	require.Empty(t, rowsOf(t, s))
	s.Resize(4)
	parallelfor.Do(s.KeyedWriter(), func(w *keyedWriter) { w.Add(3, 1) })
	parallelfor.For(4, s.Writer(), func(w *array.StreamWriter[int], key int) {
		for k := range w.At(key) {
			w.At(key)[k] = 7
		}
	})
	require.Equal(t, [][]int{{}, {}, {}, {7}}, rowsOf(t, s))
	s.Clear()
	s.SetCounts([]int{0, 1, 2})
	require.Equal(t, [][]int{{}, {0}, {0, 0}}, rowsOf(t, s), "in memory that had other items")
	s.SetCounts(nil)
	parallelfor.For(10, s.KeyedWriter(), func(*keyedWriter, int) {})
	require.Empty(t, rowsOf(t, s))
}

func TestCountsThatAreTheStreamsOwnOffsets(t *testing.T) {
	for lo := range 4 {
		for hi := lo; hi <= 4; hi++ {
			g := array.StreamOf([][]int{{1, 2}, {3, 4, 5}, {6}})
			counts := slices.Clone(g.Offsets()[lo:hi])
			g.SetCounts(g.Offsets()[lo:hi])
			require.Equal(t, len(counts), g.Len())
			for i, n := range counts {
				require.Equal(t, n, g.Count(i))
			}
		}
	}
}

// A loop that adds by key to a stream without rows is told how the stream gets them.
func TestAStreamWithoutRowsIsGivenThemFirst(t *testing.T) {
	s := array.NewStream[int]()
	keys := array.Of(make([]int, 4))
	j := byKeys[int]{Keys: keys.Reader(), Others: keys.Reader(), Values: keys.Reader(), Out: s.KeyedWriter()}
	for name, add := range map[string]func(j *byKeys[int]){
		"Add":          func(j *byKeys[int]) { j.Out.Add(0, 1) },
		"GroupIndices": func(j *byKeys[int]) { array.GroupIndices(&j.Out, &j.Keys, 0, 4) },
		"GroupValues":  func(j *byKeys[int]) { array.GroupValues(&j.Out, &j.Keys, &j.Values, 0, 4) },
		"nested": func(j *byKeys[int]) {
			parallelfor.Do(*j, func(j *byKeys[int]) { array.GroupIndices(&j.Out, &j.Keys, 0, 4) })
		},
	} {
		v := arraylaw.Breaks(t, safety.ErrIndex, func() { parallelfor.Do(j, add) }, name)
		require.ErrorContains(t, v, "has length 0.\n\tKeys begin at 0 and end at Len-1: give the stream its rows first, by Resize.", name)
	}
}
