package custodytest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"example.com/custody/array"
	"example.com/custody/custodytest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// shown stands for a *testing.T, and prints what that would log.
type shown struct {
	testing.TB
	ends []func()
}

func (*shown) Helper()            {}
func (s *shown) Cleanup(f func()) { s.ends = append(s.ends, f) }

func (*shown) Errorf(format string, args ...any) {
	text, _, _ := strings.Cut(fmt.Sprintf(format, args...), ", made at")
	fmt.Println("FAIL:", text)
}

func (s *shown) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	runtime.Goexit()
}

// run runs a test as go test would run it.
func run(test func(t testing.TB)) {
	t, over := new(shown), make(chan bool)
	go func() {
		defer close(over)
		defer func() {
			for _, f := range t.ends {
				f()
			}
		}()
		test(t)
	}()
	<-over
}

// A loop of one's own, which is passed the options.
func squares(n int, opts ...parallelfor.Option) []int {
	list := array.NewList[int]()
	parallelfor.For(n, list.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(i * i) }, opts...)
	return list.Slice()
}

// The second loop finds what it has left before: run has to make all anew.
func ExampleEquivalent() {
	run(func(t testing.TB) {
		custodytest.Equivalent(t, func(opts ...parallelfor.Option) []int { return squares(1000, opts...) })
		fmt.Println("the squares are always the same")
		var all []int
		custodytest.Equivalent(t, func(opts ...parallelfor.Option) []int {
			all = append(all, squares(10, opts...)...)
			return all
		})
	})
	// Output:
	// the squares are always the same
	// FAIL: Batch(0), 1 worker: not what the sequential loop leaves: len(result) is 20, and not 10
}

// The violation that is wanted, with its fields; and a function that breaks nothing.
func ExampleViolation() {
	if !safety.Enabled { // the test would be skipped
		fmt.Println("7 is not in [0, 3)")
		fmt.Println(`FAIL: no violation: want "index out of range"; the default build tests ranges by batch, -tags custody_strict by index`)
		return
	}
	run(func(t testing.TB) {
		list := array.ListOf([]int{1, 2, 3})
		v := custodytest.Violation(t, safety.ErrIndex, func() { list.At(7) })
		fmt.Printf("%d is not in [%d, %d)\n", v.Index, v.Min, v.Max)
		custodytest.Violation(t, safety.ErrIndex, func() { list.At(2) })
	})
	// Output:
	// 7 is not in [0, 3)
	// FAIL: no violation: want "index out of range"; the default build tests ranges by batch, -tags custody_strict by index
}

type fill struct{ Out array.Writer[int] }

func (f *fill) Execute(i int) { f.Out.Set(i, i*i) }

// The job is completed, and its container forgotten.
func ExampleNoLeaks() {
	if !safety.Enabled { // nothing is known
		fmt.Println(`FAIL: custody: leaked container: array.Array[int] "squares"`)
		return
	}
	var a *array.Array[int]
	run(func(t testing.TB) {
		custodytest.NoLeaks(t) // the first line of a test
		a = array.New[int](10, safety.Named("squares"))
		h := parallelfor.Schedule(10, fill{Out: a.Writer()}, (*fill).Execute)
		h.Complete()
	})
	a.Dispose() // what the test should have done
	// Output: FAIL: custody: leaked container: array.Array[int] "squares"
}
