package parallelfor_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// choosing is a job that says yes to about a third of the indices.
type choosing struct {
	Worker parallelfor.Worker
	S      *shape `custody:"unguarded"`
}

func (j *choosing) Execute(i int) bool {
	j.S.must(j.Worker, i)
	return j.S.x(i)%3 == 0
}

// choosingErr is one that can fail.
type choosingErr struct{ Of choosing }

func (j *choosingErr) Execute(i int) (bool, error) {
	return j.Of.S.x(i)%3 == 0, j.Of.S.visit(j.Of.Worker, i)
}

// chosen returns the indices that they say yes to.
func (s *shape) chosen() (list []int) {
	for i := range s.n {
		if s.x(i)%3 == 0 {
			list = append(list, i)
		}
	}
	return list
}

func TestFilterEqualsItsSequentialRun(t *testing.T) {
	ctx := context.Background()
	for name, run := range map[string]func(s *shape, opts ...parallelfor.Option) ([]int, error){
		"func": func(s *shape, opts ...parallelfor.Option) ([]int, error) {
			return parallelfor.Filter(s.n, choosing{S: s}, (*choosing).Execute, opts...), nil
		},
		"func that can fail": func(s *shape, opts ...parallelfor.Option) ([]int, error) {
			return parallelfor.FilterErr(ctx, s.n, choosingErr{choosing{S: s}}, (*choosingErr).Execute, opts...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			equalsSequential(t, 120, 9, func(s *shape, opts ...parallelfor.Option) (any, error) {
				list, err := run(s, opts...)
				if err != nil {
					require.Nil(t, list)
				} else if !s.fails() {
					require.True(t, slices.Equal(s.chosen(), list), "%v: %v", s, list)
				}
				return list, err
			})
		})
	}
}

func TestFilterListsManyIndices(t *testing.T) {
	const n = 200_000
	defer handout.Force(1)()
	even := func(_ *none, i int) bool { return i%2 == 0 }
	for _, batch := range []int{0, 63, 64, 1000, -1} {
		list := parallelfor.Filter(n, none{}, even, parallelfor.Batch(batch), parallelfor.Workers(3))
		require.Len(t, list, n/2)
		for i, v := range list {
			if v != 2*i {
				require.Equal(t, 2*i, v)
			}
		}
	}
	require.Empty(t, parallelfor.Filter(n, none{}, func(*none, int) bool { return false }))
}

// compacting is what the tests of Compact give theirs.
type compacting struct {
	choosing
	A array.Writer[int]
}

func (c *compacting) slice() []int                { return c.A.Slice() }
func (c *compacting) keep(i int) bool             { return c.choosing.Execute(i) && c.A.At(i) == 1000+i }
func (c *compacting) keepErr(i int) (bool, error) { return c.S.x(i)%3 == 0, c.S.visit(c.Worker, i) }

func TestCompactEqualsItsSequentialRun(t *testing.T) {
	ctx := context.Background()
	for name, run := range map[string]func(s *shape, c compacting, opts ...parallelfor.Option) (int, error){
		"func": func(s *shape, c compacting, opts ...parallelfor.Option) (int, error) {
			return parallelfor.Compact(s.n, c, (*compacting).slice, (*compacting).keep, opts...), nil
		},
		"func that can fail": func(s *shape, c compacting, opts ...parallelfor.Option) (int, error) {
			return parallelfor.CompactErr(ctx, s.n, c, (*compacting).slice, (*compacting).keepErr, opts...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			equalsSequential(t, 120, 9, func(s *shape, opts ...parallelfor.Option) (any, error) {
				a := array.New[int](s.n + 3)
				for i := range a.Len() {
					a.Set(i, 1000+i)
				}
				before := slices.Clone(a.Slice())
				var kept int
				var err error
				e := endingOf(func() {
					kept, err = run(s, compacting{choosing{S: s}, a.Writer()}, opts...)
				})
				if e.value != nil || e.goexit || err != nil {
					require.Equal(t, before, a.Slice(), "elements moved although keep failed")
					require.Zero(t, kept)
				} else {
					var want []int
					for _, i := range s.chosen() {
						want = append(want, 1000+i)
					}
					require.Equal(t, len(want), kept)
					want = append(want, make([]int, s.n-kept)...)
					require.True(t, slices.Equal(append(want, before[s.n:]...), a.Slice()), "%v: %v", s, a.Slice())
				}
				if e.value != nil {
					panic(e.value)
				}
				if e.goexit {
					return kept, errSwap
				}
				return kept, err
			})
		})
	}
}

func TestCompactOfTooFewElementsIsAViolation(t *testing.T) {
	a := array.New[int](10)
	v := violation(t, safety.ErrLength, func() {
		parallelfor.Compact(10, a.Writer(), func(w *array.Writer[int]) []int { return w.Slice()[:9] }, func(*array.Writer[int], int) bool { return true })
	})
	require.Equal(t, 9, v.N)
}

func TestCompactWhoseContextEndsBeforeTheMoving(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	a := numbers(10)
	kept, err := parallelfor.CompactErr(ctx, 10, a.Writer(), (*array.Writer[int]).Slice, func(_ *array.Writer[int], i int) (bool, error) {
		if i == 9 {
			cancel(errSwap) // when no batch is left to be begun
		}
		return i > 5, nil
	}, parallelfor.Batch(-1))
	require.ErrorIs(t, err, errSwap)
	require.Zero(t, kept)
	require.Equal(t, 0, a.At(0))
}
