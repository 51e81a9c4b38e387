package custodytest_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/custodytest"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// spy is a test that is told of failures, and whose cleanups are run by end.
type spy struct {
	testing.TB
	errors []string
	ends   []func()
}

func (*spy) Helper() {}

func (s *spy) Errorf(format string, args ...any) {
	s.errors = append(s.errors, fmt.Sprintf(format, args...))
}

var errStop = errors.New("stop")

func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	panic(errStop)
}

func (s *spy) Cleanup(f func()) { s.ends = append(s.ends, f) }

func (s *spy) end() string {
	for _, f := range s.ends {
		f()
	}
	return strings.Join(s.errors, "\n")
}

// failure returns how an assertion fails.
func failure(f func(t testing.TB)) string {
	s := new(spy)
	func() {
		defer func() {
			if p := recover(); p != nil && p != errStop {
				panic(p)
			}
		}()
		f(s)
	}()
	return strings.Join(s.errors, "\n")
}

func TestAViolationIsAsserted(t *testing.T) {
	lawtest.CheckedOnly(t)
	outside := func() { array.New[int](3).At(5) }
	require.Equal(t, 5, custodytest.Violation(t, safety.ErrIndex, outside).Index)
	require.Contains(t, failure(func(t testing.TB) { custodytest.Violation(t, safety.ErrConflict, outside) }), `want "conflicting jobs", and there was`)
	require.Contains(t, failure(func(t testing.TB) { custodytest.Violation(t, safety.ErrIndex, func() {}) }), "no violation")
	require.Equal(t, 5, custodytest.Violation(t, nil, outside).Index)
	require.Contains(t, failure(func(t testing.TB) { custodytest.Violation(t, nil, func() {}) }), "no violation: want one of any kind")
	require.PanicsWithValue(t, 7, func() { custodytest.Violation(t, safety.ErrIndex, func() { panic(7) }) })
	require.PanicsWithValue(t, errStop, func() { custodytest.Violation(t, safety.ErrIndex, func() { panic(errStop) }) })
}

func TestALoopThatIsEquivalent(t *testing.T) {
	custodytest.Equivalent(t, func(opts ...parallelfor.Option) float64 {
		sum := counter.NewSum[float64]()
		parallelfor.For(500, sum.ParallelWriter(), func(w *counter.SumParallelWriter[float64], i int) { w.Add(1 / float64(i+1)) }, opts...)
		return sum.Value()
	})
}

func TestALoopThatIsNotEquivalent(t *testing.T) {
	calls := 0
	text := failure(func(t testing.TB) {
		custodytest.Equivalent(t, func(...parallelfor.Option) []int { calls++; return []int{1, calls} })
	})
	require.Equal(t, "Batch(0), 1 worker: not what the sequential loop leaves: result[1] is 2, and not 1", text)
}

// A loop that is over in no time is compared with what several workers leave all the same.
func TestShortLoopsAreHandedOut(t *testing.T) {
	type one struct {
		Out    array.Writer[int]
		Worker parallelfor.Worker
	}
	var crowds []int // how many workers each call had
	run := func(opts ...parallelfor.Option) []int {
		out := array.New[int](200)
		parallelfor.For(out.Len(), one{Out: out.Writer()}, func(v *one, i int) { v.Out.Set(i, v.Worker.Index()) }, opts...)
		seen := map[int]bool{}
		for _, w := range out.Slice() {
			seen[w] = true
		}
		crowds = append(crowds, len(seen))
		return nil
	}
	custodytest.Equivalent(t, run)
	several := 0
	for _, n := range crowds {
		if n > 1 {
			several++
		}
	}
	require.GreaterOrEqual(t, several, 4*2*2, "of the batches, and of 2 and 8 workers, two calls each: %v", crowds)
	require.False(t, handout.Forced())

	stop := handout.Force(7)
	custodytest.Equivalent(t, run)
	require.True(t, handout.Forced(), "somebody else has jobs handed out")
	stop()
	require.Panics(t, func() {
		custodytest.Equivalent(t, func(...parallelfor.Option) int {
			if handout.Forced() {
				panic("in the body")
			}
			return 0
		})
	})
	require.False(t, handout.Forced())
}

// Tests beside each other do not end what the others need.
func TestTheLastEndsTheHandOut(t *testing.T) {
	inner := 0
	custodytest.Equivalent(t, func(...parallelfor.Option) int {
		if !handout.Forced() {
			return 0
		}
		if inner++; inner == 1 {
			custodytest.Equivalent(t, func(...parallelfor.Option) int { return 0 })
		}
		if !handout.Forced() {
			t.Error("it was ended")
		}
		return 0
	})
	require.Equal(t, 4*2*2, inner)
	require.False(t, handout.Forced())
}

type node struct {
	V    float64
	next *node
}

// behind has a pointer to its first field.
type behind struct{ a, b int }

// differing are pairs of values, and what is said of how the second one differs.
func differing() map[string][]struct{ a, b any } {
	loop := func() *node { n := &node{V: 1}; n.next = n; return n }
	first := func(b int) any {
		s := &behind{1, b}
		return struct {
			F *int
			S *behind
		}{&s.a, s}
	}
	self := func(v any) []any { s := []any{nil, v}; s[0] = s; return s }
	around := func(v any) map[string]any { m := map[string]any{"v": v}; m["m"] = m; return m }
	windows := func(v int) [][]int { s := []int{1, v}; return [][]int{s[:1], s} }
	nan, zero := math.NaN(), 0.0
	type nans = map[float64]int
	return map[string][]struct{ a, b any }{
		"": {
			{1, 1}, {nan, nan}, {loop(), loop()}, {first(2), first(2)}, {self(1), self(1)}, {around(1), around(1)}, {windows(2), windows(2)},
			{nans{nan: 1, math.NaN(): 2, 3: 3}, nans{nan: 2, 3: 3, math.NaN(): 1}}, {nans{nan: 1, math.NaN(): 1}, nans{nan: 1, math.NaN(): 1}},
			{map[any]any{[1]float64{nan}: self(1)}, map[any]any{[1]float64{nan}: self(1)}}, {[]int{}, []int{}}, {func() {}, func() {}},
		},
		"result is 2, and not 1":                                           {{1, 2}},
		`result is "1" of type string, and not 1 of type int`:              {{1, "1"}},
		"result is 1 of type int64, and not 1 of type int":                 {{1, int64(1)}},
		"result is a custodytest_test.node, and not 1 of type int":         {{1, node{}}},
		"result is -0, and not 0":                                          {{zero, math.Copysign(0, -1)}},
		"result is nil, and not 1":                                         {{1, nil}},
		"len(result) is 2, and not 1":                                      {{[]int{1}, []int{1, 2}}},
		"result is empty, and not nil":                                     {{[]int(nil), []int{}}, {nans(nil), nans{}}},
		"result is of length 2, and not nil":                               {{[]any(nil), self(1)}},
		"result is nil, and not a pointer":                                 {{new(int), (*int)(nil)}},
		"result is nil, and not a function":                                {{func() {}, (func())(nil)}},
		"result[a] is 2, and not 1":                                        {{map[string]int{"a": 1}, map[string]int{"a": 2}}},
		"result[a] is missing, and not 1":                                  {{map[string]int{"a": 1}, map[string]int{"b": 1}}},
		"result[NaN] is missing, and not 1":                                {{nans{nan: 1}, nans{1: 1}}, {nans{nan: 1}, nans{nan: 2}}, {nans{nan: 1, math.NaN(): 1}, nans{nan: 1, math.NaN(): 2}}},
		"result[1] is missing, and not 1":                                  {{nans{1: 1}, nans{nan: 1}}},
		"result[a pointer] is missing, and not 1":                          {{map[any]int{&zero: 1}, map[any]int{&nan: 1}}},
		"result.next.V is 2, and not 1":                                    {{&node{next: &node{V: 1}}, &node{next: &node{V: 2}}}},
		"result[1] is (1+0i), and not (0+0i)":                              {{[2]complex64{}, [2]complex64{1: 1}}},
		"result.S.b is 3, and not 2":                                       {{first(2), first(3)}},
		"result[1] is 2, and not 1":                                        {{self(1), self(2)}},
		"result[v] is 2, and not 1":                                        {{around(1), around(2)}},
		"result[1][1] is 3, and not 2":                                     {{windows(2), windows(3)}},
		"result is NaN with the bits 0x7ff8000000000002, and not NaN with": {{nan, math.Float64frombits(0x7ff8000000000002)}},
		"result is (NaN+0i) with the bits 0x7ff8000000000002 and 0x0, and": {{complex(nan, 0), complex(math.Float64frombits(0x7ff8000000000002), 0)}},
	}
}

func TestDifferencesAreFound(t *testing.T) {
	for want, pairs := range differing() {
		for _, c := range pairs {
			calls := 0
			text := failure(func(t testing.TB) {
				custodytest.Equivalent(t, func(...parallelfor.Option) any {
					if calls++; calls == 1 {
						return c.a
					}
					return c.b
				})
			})
			_, where, _ := strings.Cut(text, "leaves: ")
			if strings.Contains(want, "bits") {
				where = where[:min(len(where), len(want))]
			}
			require.Equal(t, want, where)
		}
	}
}

func TestLeaksOfATestAreItsOwn(t *testing.T) {
	lawtest.CheckedOnly(t)
	before := array.New[int](1)
	old := parallelfor.Schedule(1, set{before.Writer()}, (*set).Execute, parallelfor.Name("old"))
	s := new(spy)
	custodytest.NoLeaks(s)
	a := array.New[int](1, safety.Named("left"))
	h := parallelfor.Schedule(1, set{a.Writer()}, (*set).Execute, parallelfor.Name("new"))
	text := s.end()
	require.Contains(t, text, "job new")
	require.Contains(t, text, `array.Array[int] "left"`)
	require.NotContains(t, text, "job old")
	require.Equal(t, safety.LeaksOff, safety.SetLeakMode(safety.LeaksOff))
	h.Complete()
	old.Complete()
	a.Dispose()

	tidy := new(spy)
	custodytest.NoLeaks(tidy)
	b := array.New[int](1)
	parallelfor.Schedule(1, set{b.Writer()}, (*set).Execute).Complete()
	b.Dispose()
	require.Empty(t, tidy.end())
}

func TestLeaksOfATestAreCountedByPlace(t *testing.T) {
	lawtest.CheckedOnly(t)
	leave := func() parallelfor.Handle {
		return parallelfor.Go(struct{}{}, func(*struct{}) {}, parallelfor.Name("one place"))
	}
	old := leave()
	s := new(spy)
	custodytest.NoLeaks(s)
	jobs := []parallelfor.Handle{leave(), leave()}
	require.Equal(t, 2, strings.Count(s.end(), "job one place"))
	require.Len(t, s.errors, 2)
	old.Complete()
	parallelfor.Combine(jobs...).Complete()
}

type set struct{ Out array.Writer[int] }

func (s *set) Execute(i int) { s.Out.Set(i, i) }
