package parallelfor_test

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// totalling is a job that adds floats up.
type totalling struct {
	Worker parallelfor.Worker
	S      *shape `custody:"unguarded"`
}

func (j *totalling) ExecuteReduce(begin, end int) float64 {
	sum := 0.0
	for i := begin; i < end; i++ {
		j.S.must(j.Worker, i)
		sum += j.S.f(i)
	}
	return sum
}

// totallingErr is one that can fail.
type totallingErr struct{ Of totalling }

func (j *totallingErr) ExecuteReduce(begin, end int) (float64, error) {
	sum := 0.0
	for i := begin; i < end; i++ {
		if err := j.Of.S.visit(j.Of.Worker, i); err != nil {
			return 7, err
		}
		sum += j.Of.S.f(i)
	}
	return sum, nil
}

func plus[T int | float64 | string](a, b T) T { return a + b }

func TestReduceEqualsItsSequentialRun(t *testing.T) {
	ctx := context.Background()
	for name, run := range map[string]func(s *shape, opts ...parallelfor.Option) (float64, error){
		"func": func(s *shape, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.Reduce(s.n, totalling{S: s}, (*totalling).ExecuteReduce, plus[float64], opts...), nil
		},
		"func that can fail": func(s *shape, opts ...parallelfor.Option) (float64, error) {
			return parallelfor.ReduceErr(ctx, s.n, totallingErr{totalling{S: s}}, (*totallingErr).ExecuteReduce, plus[float64], opts...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			equalsSequential(t, 150, 9, func(s *shape, opts ...parallelfor.Option) (any, error) {
				sum, err := run(s, opts...)
				if err == nil && !s.fails() {
					want := 0.0
					for i := range s.n {
						want += s.f(i)
					}
					require.InDelta(t, want, sum, 1e-9)
				}
				return math.Float64bits(sum), err
			})
		})
	}
}

func TestReduceJoinsNeighbours(t *testing.T) {
	text := numbers(100)
	for n := range 40 {
		var want strings.Builder
		for i := range n {
			want.WriteString(string(rune('a' + text.At(i))))
		}
		body := func(r *array.Reader[int], begin, end int) (s string) {
			for i := begin; i < end; i++ {
				s += string(rune('a' + r.At(i)))
			}
			return s
		}
		for batch := -1; batch <= n; batch++ {
			require.Equal(t, want.String(), parallelfor.Reduce(n, text.Reader(), body, plus[string], parallelfor.Batch(batch), parallelfor.Workers(3)))
		}
	}
}

func TestTheTreeOfAReductionIsThatOfTheGrid(t *testing.T) {
	calls := 0
	tree := func(n int) string {
		calls = 0
		return parallelfor.Reduce(n, none{}, func(_ *none, begin, _ int) string { return string(rune('0' + begin)) },
			func(a, b string) string {
				calls++
				return "(" + a + b + ")"
			}, parallelfor.Batch(1))
	}
	for n, want := range []string{"", "0", "(01)", "((01)2)", "((01)(23))", "(((01)(23))4)"} {
		require.Equal(t, want, tree(n))
		require.Equal(t, max(n-1, 0), calls)
	}
}

// loopsWithResults are loops of all kinds over n indices, each called with the options, and what it
// gives when it does not run.
func loopsWithResults(n int, opts ...parallelfor.Option) map[string]func() any {
	yes := func(*none, int) bool { return true }
	slice := func(*none) []int { return make([]int, max(n, 0)) }
	value := func(*none, int) int { return 1 }
	return map[string]func() any{
		"Reduce": func() any {
			return parallelfor.Reduce(n, none{}, func(_ *none, begin, end int) int { return end - begin }, plus[int], opts...)
		},
		"Scan":    func() any { return parallelfor.Scan(n, none{}, value, slice, plus[int], opts...) },
		"Filter":  func() any { return len(parallelfor.Filter(n, none{}, yes, opts...)) },
		"Compact": func() any { return parallelfor.Compact(n, none{}, slice, yes, opts...) },
		"Find":    func() any { return parallelfor.Find(n, none{}, yes, opts...) + 1 },
	}
}

func TestLoopsWithResultsOverNothing(t *testing.T) {
	for name, run := range loopsWithResults(0) {
		require.Equal(t, 0, run(), name)
	}
	parallelfor.Indices(0, func(int) { panic("called") })
	parallelfor.Ranges(0, func(begin, end int) { panic("called") })
	parallelfor.SortSlice(nil, func(a, b int) int { panic("called") })
	require.Equal(t, []string{}, parallelfor.MapSlice(nil, func(int) string { panic("called") }))
	parallelfor.Sort(none{}, func(*none) []int { return nil }, func(a, b int) int { panic("called") })
	parallelfor.SortSliceByKey(nil, func(int) int { panic("called") })
}

func TestLoopsWithResultsRefuseWhatLoopsRefuse(t *testing.T) {
	for name, run := range loopsWithResults(-1) {
		require.NotNil(t, violation(t, safety.ErrLength, func() { run() }), name)
	}
	for name, run := range loopsWithResults(10, parallelfor.Batch(-2)) {
		require.NotNil(t, violation(t, safety.ErrArgument, func() { run() }), name)
	}
	for _, opt := range []parallelfor.Option{parallelfor.Batch(-2), parallelfor.Workers(0)} {
		violation(t, safety.ErrArgument, func() {
			parallelfor.Sort(none{}, func(*none) []int { return nil }, func(a, b int) int { return 0 }, opt)
		})
	}
	if strconv.IntSize == 32 {
		return // there are not more indices than batches can be
	}
	huge := math.MaxInt
	v := violation(t, safety.ErrArgument, func() {
		parallelfor.Find(huge, none{}, func(*none, int) bool { return true }, parallelfor.Batch(1))
	})
	require.Contains(t, v.Error(), "batches")
	violation(t, safety.ErrArgument, func() {
		parallelfor.Filter(huge, none{}, func(*none, int) bool { return true }, parallelfor.Batch(1))
	})
}

func TestLoopsWithResultsDoNotRunAfterAFailure(t *testing.T) {
	failed := parallelfor.ScheduleErr(context.Background(), 1, failingJob{}, (*failingJob).Execute)
	failed.Complete()
	require.ErrorIs(t, failed.Err(), errIndex)
	for name, run := range loopsWithResults(10, parallelfor.After(failed)) {
		require.Equal(t, 0, run(), name)
	}
}

type failingJob struct{}

func (*failingJob) Execute(int) error { return errIndex }

func TestLoopsWithResultsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errSwap)
	yes := func(*none, int) (bool, error) { return true, nil }
	one := func(*none, int) (int, error) { return 1, nil }
	ten := func(*none) []int { return make([]int, 10) }
	for name, run := range map[string]func() (any, error){
		"ReduceErr": func() (any, error) {
			return parallelfor.ReduceErr(ctx, 10, none{}, func(_ *none, begin, end int) (int, error) { return 1, nil }, plus[int])
		},
		"ScanErr": func() (any, error) { return parallelfor.ScanErr(ctx, 10, none{}, one, ten, plus[int]) },
		"FilterErr": func() (any, error) {
			list, err := parallelfor.FilterErr(ctx, 10, none{}, yes)
			return len(list), err
		},
		"CompactErr": func() (any, error) { return parallelfor.CompactErr(ctx, 10, none{}, ten, yes) },
		"FindErr": func() (any, error) {
			i, err := parallelfor.FindErr(ctx, 10, none{}, yes)
			return i + 1, err
		},
		"IndicesErr": func() (any, error) { return 0, parallelfor.IndicesErr(ctx, 10, func(int) error { return nil }) },
		"RangesErr": func() (any, error) {
			return 0, parallelfor.RangesErr(ctx, 10, func(begin, end int) error { return nil })
		},
		"MapSliceErr": func() (any, error) {
			list, err := parallelfor.MapSliceErr(ctx, make([]int, 10), func(int) (int, error) { return 1, nil })
			return len(list), err
		},
		"MapSliceErr, all errors": func() (any, error) {
			list, err := parallelfor.MapSliceErr(ctx, make([]int, 10), func(int) (int, error) { return 1, nil }, parallelfor.JoinErrors())
			return len(list), err
		},
	} {
		result, err := run()
		require.ErrorIs(t, err, errSwap, name)
		require.Equal(t, 0, result, name)
	}
}

func TestLoopsWithResultsNeedTheirFuncs(t *testing.T) {
	ctx := context.Background()
	reduce := func(*none, int, int) int { return 0 }
	reduceErr := func(*none, int, int) (int, error) { return 0, nil }
	slice := func(*none) []int { return nil }
	value := func(*none, int) int { return 0 }
	valueErr := func(*none, int) (int, error) { return 0, nil }
	yes := func(*none, int) bool { return true }
	yesErr := func(*none, int) (bool, error) { return true, nil }
	var noSlice func(*none) []int
	var noValue func(*none, int) int
	var noValueErr func(*none, int) (int, error)
	for i, given := range []struct {
		what string
		run  func()
	}{
		{"a nil body", func() { parallelfor.Reduce[none, int](0, none{}, nil, plus[int]) }},
		{"a nil function as combine", func() { parallelfor.Reduce(0, none{}, reduce, nil) }},
		{"a nil body", func() { _, _ = parallelfor.ReduceErr[none, int](ctx, 0, none{}, nil, plus[int]) }},
		{"a nil function as combine", func() { _, _ = parallelfor.ReduceErr(ctx, 0, none{}, reduceErr, nil) }},
		{"a nil body", func() { parallelfor.Scan(0, none{}, noValue, slice, plus[int]) }},
		{"a nil function as out", func() { parallelfor.Scan(0, none{}, value, noSlice, plus[int]) }},
		{"a nil function as combine", func() { parallelfor.Scan(0, none{}, value, slice, nil) }},
		{"a nil body", func() { _, _ = parallelfor.ScanErr(ctx, 0, none{}, noValueErr, slice, plus[int]) }},
		{"a nil function as out", func() { _, _ = parallelfor.ScanErr(ctx, 0, none{}, valueErr, noSlice, plus[int]) }},
		{"a nil function as combine", func() { _, _ = parallelfor.ScanErr(ctx, 0, none{}, valueErr, slice, nil) }},
		{"a nil body", func() { parallelfor.Filter[none](0, none{}, nil) }},
		{"a nil body", func() { _, _ = parallelfor.FilterErr[none](ctx, 0, none{}, nil) }},
		{"a nil body", func() { parallelfor.Compact(0, none{}, slice, nil) }},
		{"a nil function as slice", func() { parallelfor.Compact(0, none{}, noSlice, yes) }},
		{"a nil body", func() { _, _ = parallelfor.CompactErr(ctx, 0, none{}, slice, nil) }},
		{"a nil function as slice", func() { _, _ = parallelfor.CompactErr(ctx, 0, none{}, noSlice, yesErr) }},
		{"a nil body", func() { parallelfor.Find[none](0, none{}, nil) }},
		{"a nil body", func() { _, _ = parallelfor.FindErr[none](ctx, 0, none{}, nil) }},
		{"a nil body", func() { parallelfor.Indices(0, nil) }},
		{"a nil body", func() { _ = parallelfor.IndicesErr(ctx, 0, nil) }},
		{"a nil body", func() { parallelfor.Ranges(0, nil) }},
		{"a nil body", func() { _ = parallelfor.RangesErr(ctx, 0, nil) }},
		{"a nil body", func() { parallelfor.MapSlice[int, int](nil, nil) }},
		{"a nil body", func() { _, _ = parallelfor.MapSliceErr[int, int](ctx, nil, nil) }},
		{"a nil body", func() { parallelfor.Go[none](none{}, nil) }},
		{"a nil body", func() { parallelfor.GoErr[none](ctx, none{}, nil) }},
	} {
		v := violation(t, safety.ErrArgument, given.run)
		require.Contains(t, v.Error(), given.what, "%d", i)
	}
}
