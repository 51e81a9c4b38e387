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
	require.Equal(t, "Batch(0), 1 workers: not what the sequential loop leaves: result[1] is 2, and not 1", text)
}

func TestDifferencesAreFound(t *testing.T) {
	type node struct {
		V    float64
		next *node
	}
	loop := func() *node { n := &node{V: 1}; n.next = n; return n }
	zero := 0.0
	for _, c := range []struct {
		a, b any
		want string
	}{
		{1, 1, ""},
		{1, 2, "result is 2, and not 1"},
		{1, "1", "result is 1, and not 1"},
		{math.NaN(), math.NaN(), ""},
		{zero, math.Copysign(0, -1), "result is -0, and not 0"},
		{[]int{1}, []int{1, 2}, "len(result) is 2, and not 1"},
		{[]int(nil), []int{}, "result is [], and not []"},
		{map[string]int{"a": 1}, map[string]int{"a": 2}, "result[a] is 2, and not 1"},
		{map[string]int{"a": 1}, map[string]int{"b": 1}, "result[a] is missing"},
		{loop(), loop(), ""},
		{&node{next: &node{V: 1}}, &node{next: &node{V: 2}}, "result.next.V is 2, and not 1"},
		{[2]complex64{}, [2]complex64{1: 1}, "result[1] is (1+0i), and not (0+0i)"},
	} {
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
		require.Equal(t, c.want, where)
	}
}

func TestLeaksOfATestAreItsOwn(t *testing.T) {
	lawtest.CheckedOnly(t)
	before := array.New[int](1)
	old := parallelfor.Schedule(1, set{before.Writer()}, parallelfor.Name("old"))
	s := new(spy)
	custodytest.NoLeaks(s)
	a := array.New[int](1, safety.Named("left"))
	h := parallelfor.Schedule(1, set{a.Writer()}, parallelfor.Name("new"))
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
	parallelfor.Schedule(1, set{b.Writer()}).Complete()
	b.Dispose()
	require.Empty(t, tidy.end())
}

type set struct{ Out array.Writer[int] }

func (s *set) Execute(i int) { s.Out.Set(i, i) }
