package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestLoopsOverPlainSlicesEqualTheirSequentialRun(t *testing.T) {
	ctx := context.Background()
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	for name, run := range map[string]func(s *shape, list []int, opts ...parallelfor.Option) error{
		"Indices": func(s *shape, list []int, opts ...parallelfor.Option) error {
			parallelfor.Indices(len(list), func(i int) {
				must(s.visitByGoroutine(i))
				list[i] += i
			}, opts...)
			return nil
		},
		"IndicesErr": func(s *shape, list []int, opts ...parallelfor.Option) error {
			return parallelfor.IndicesErr(ctx, len(list), func(i int) error {
				if err := s.visitByGoroutine(i); err != nil {
					return err
				}
				list[i] += i
				return nil
			}, opts...)
		},
		"Ranges": func(s *shape, list []int, opts ...parallelfor.Option) error {
			parallelfor.Ranges(len(list), func(begin, end int) {
				for i := begin; i < end; i++ {
					must(s.visitByGoroutine(i))
					list[i] += i
				}
			}, opts...)
			return nil
		},
		"RangesErr": func(s *shape, list []int, opts ...parallelfor.Option) error {
			return parallelfor.RangesErr(ctx, len(list), func(begin, end int) error {
				for i := begin; i < end; i++ {
					if err := s.visitByGoroutine(i); err != nil {
						return err
					}
					list[i] += i
				}
				return nil
			}, opts...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			equalsSequential(t, 120, 9, func(s *shape, opts ...parallelfor.Option) (any, error) {
				list := make([]int, s.n)
				for i := range list {
					list[i] = 1000 * i
				}
				err := run(s, list, opts...)
				if s.fails() {
					require.EqualError(t, err, fmt.Sprint(errIndex, ": ", s.failAt))
					list = list[:s.failAt]
				}
				for i, x := range list {
					require.Equal(t, 1001*i, x)
				}
				return list, err
			})
		})
	}
}

func TestMapSliceEqualsItsSequentialRun(t *testing.T) {
	ctx := context.Background()
	for name, run := range map[string]func(in []int, f func(i int) (string, error), opts ...parallelfor.Option) ([]string, error){
		"MapSlice": func(in []int, f func(i int) (string, error), opts ...parallelfor.Option) ([]string, error) {
			return parallelfor.MapSlice(in, func(i int) string {
				text, err := f(i)
				if err != nil {
					panic(err)
				}
				return text
			}, opts...), nil
		},
		"MapSliceErr": func(in []int, f func(i int) (string, error), opts ...parallelfor.Option) ([]string, error) {
			return parallelfor.MapSliceErr(ctx, in, f, opts...)
		},
		"MapSliceErr, all errors": func(in []int, f func(i int) (string, error), opts ...parallelfor.Option) ([]string, error) {
			return parallelfor.MapSliceErr(ctx, in, f, append(opts, parallelfor.JoinErrors())...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			equalsSequential(t, 120, 9, func(s *shape, opts ...parallelfor.Option) (any, error) {
				in := make([]int, s.n)
				for i := range in {
					in[i] = i
				}
				list, err := run(in, func(i int) (string, error) { return strconv.Itoa(i), s.visitByGoroutine(i) }, opts...)
				for i, text := range list {
					require.Equal(t, strconv.Itoa(i), text)
				}
				return list, err
			})
		})
	}
}

func TestJoinErrorsCallsTheFunctionForEveryElement(t *testing.T) {
	in := make([]int, 100)
	for i := range in {
		in[i] = i
	}
	third := func(i int) (int, error) {
		if i%3 == 0 {
			return -i, fmt.Errorf("%w: %d", errIndex, i)
		}
		return i, nil
	}
	list, err := parallelfor.MapSliceErr(context.Background(), in, third, parallelfor.Batch(7), parallelfor.JoinErrors(), parallelfor.Workers(3))
	var want []error
	for i := range in {
		got, err := third(i)
		require.Equal(t, got, list[i])
		if err != nil {
			want = append(want, err)
		}
	}
	require.Equal(t, errors.Join(want...).Error(), err.Error())
	require.ErrorIs(t, err, errIndex)

	list, err = parallelfor.MapSliceErr(context.Background(), in, third, parallelfor.Batch(7))
	require.Nil(t, list)
	require.EqualError(t, err, errIndex.Error()+": 0")

	list, err = parallelfor.MapSliceErr(context.Background(), in, func(i int) (int, error) { return i, nil }, parallelfor.JoinErrors())
	require.NoError(t, err)
	require.Equal(t, in, list)
}

func TestJoinErrorsIsOfNoOtherLoop(t *testing.T) {
	violation(t, safety.ErrArgument, func() { parallelfor.MapSlice([]int{1}, func(i int) int { return i }, parallelfor.JoinErrors()) })
	v := violation(t, safety.ErrArgument, func() {
		_ = parallelfor.IndicesErr(context.Background(), 3, func(int) error { return nil }, parallelfor.JoinErrors(), parallelfor.Name("squares"))
	})
	require.Contains(t, v.Error(), "job squares was scheduled with JoinErrors")
}

func TestSortSlice(t *testing.T) {
	list := make([]int, 10_000)
	for i := range list {
		list[i] = i * 7919 % 10_007
	}
	parallelfor.SortSlice(list, func(a, b int) int { return b - a }, parallelfor.Workers(3))
	for i := 1; i < len(list); i++ {
		require.Greater(t, list[i-1], list[i])
	}
}

func TestTheResultOfAMapSliceFitsIntoMemory(t *testing.T) {
	v := violation(t, safety.ErrLength, func() {
		parallelfor.MapSlice(lawtest.Nothings(math.MaxInt), func(struct{}) int { return 0 }, parallelfor.Name("too many"))
	})
	require.Equal(t, math.MaxInt, v.N)
	require.Equal(t, "too many", v.Job)
}
