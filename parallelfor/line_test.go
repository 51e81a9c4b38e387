package parallelfor_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// marked is the line of the last call of mark. A body calls mark in the line that breaks a rule.
var marked atomic.Value

// mark notes the line of its caller and returns i.
func mark(i int) int {
	_, file, line, _ := runtime.Caller(1)
	marked.Store(fmt.Sprint(filepath.Base(file), ":", line))
	return i
}

// breaker breaks a rule at index 1.
type breaker struct{ Out array.Writer[int] }

func (b *breaker) Execute(i int) {
	if i == 1 {
		b.Out.Set(mark(-1), 0)
	}
}

// helped has a value receiver, and breaks a rule in a function that its Execute calls.
type helped struct{ Out array.Writer[int] }

func (h helped) Execute(int) { touch(&h.Out) }

func touch(w *array.Writer[int]) { w.Set(mark(-1), 0) }

type promoted struct{ breaker }

// completed completes the handle that it receives, in the line that calls mark.
func completed(from chan parallelfor.Handle) { choose(<-from, mark(0)).Complete() }

func choose(h parallelfor.Handle, _ int) parallelfor.Handle { return h }

// any1 is a generic body that breaks a rule.
func any1[T any](w *array.Writer[T], _ int) {
	var zero T
	w.Set(mark(-1), zero)
}

type bodies struct{ index int }

func (b bodies) run(w *array.Writer[int], _ int) { w.Set(mark(b.index), 0) }

// The line is that of the access, in every form of loop, on every goroutine that executes the body
// and every goroutine that completes the job.
func TestTheLineOfAViolationInABody(t *testing.T) {
	checkedOnly(t)
	a, l := numbers(8), array.NewList[int]()
	set := func(w *array.Writer[int], i int) { w.Set(mark(-1), i) }
	one := parallelfor.Workers(1)
	for name, f := range map[string]func(){
		"a method":           func() { parallelfor.For(2, breaker{a.Writer()}, (*breaker).Execute, one) },
		"a value's method":   func() { parallelfor.For(1, helped{a.Writer()}, (*helped).Execute) },
		"a promoted method":  func() { parallelfor.For(2, promoted{breaker{a.Writer()}}, (*promoted).Execute, one) },
		"a function":         func() { parallelfor.For(1, a.Writer(), set) },
		"a generic function": func() { parallelfor.For(1, a.Writer(), any1[int]) },
		"a method value":     func() { parallelfor.For(1, a.Writer(), bodies{-1}.run) },
		"a scheduled job":    func() { parallelfor.Schedule(2, breaker{a.Writer()}, (*breaker).Execute, one).Complete() },
		"an inline job": func() {
			parallelfor.Schedule(2, breaker{a.Writer()}, (*breaker).Execute, parallelfor.Inline()).Complete()
		},
		"a job after another": func() {
			parallelfor.Schedule(2, breaker{a.Writer()}, (*breaker).Execute, one, parallelfor.After(parallelfor.Go(struct{}{}, func(*struct{}) {}))).Complete()
		},
		"a goroutine":         func() { parallelfor.Go(a.Writer(), func(w *array.Writer[int]) { touch(w) }).Complete() },
		"the sequential loop": func() { parallelfor.For(2, breaker{a.Writer()}, (*breaker).Execute, parallelfor.Sequential()) },
		"one body":            func() { parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { touch(w) }) },
		"a reading body":      func() { parallelfor.For(1, a.Reader(), func(r *array.Reader[int], _ int) { r.At(mark(8)) }) },
		"Find": func() {
			parallelfor.Find(1, a.Writer(), func(w *array.Writer[int], i int) bool { set(w, i); return true })
		},
		"Filter": func() {
			parallelfor.Filter(1, a.Writer(), func(w *array.Writer[int], i int) bool { set(w, i); return true })
		},
		"Sort": func() {
			parallelfor.Sort(a.Writer(), (*array.Writer[int]).Slice, func(x, y int) int { return cmp.Compare(a.At(mark(0)), 0) })
		},
		"an owner's method":   func() { parallelfor.Do(l.Writer(), func(*array.Writer[int]) { l.Append(mark(0)) }) },
		"a deferred function": func() { parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { defer touch(w) }) },
		"what is thrown again": func() {
			parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { defer func() { panic(recover()) }(); touch(w) })
		},
		"a nested body": func() {
			parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { parallelfor.For(1, *w, set) })
		},
		"a schedule in a body": func() {
			parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { parallelfor.For(mark(9), *w, set) })
		},
		"a body that waits for itself": func() {
			self := make(chan parallelfor.Handle, 1)
			h := parallelfor.Go(struct{}{}, func(*struct{}) { completed(self) })
			self <- h
			h.Complete()
		},
	} {
		t.Run(name, func(t *testing.T) {
			marked.Store("")
			done := make(chan *safety.Violation)
			go func() {
				defer close(done)
				defer func() {
					err, _ := recover().(error)
					var v *safety.Violation
					errors.As(err, &v)
					done <- v
				}()
				f()
			}()
			v := <-done
			require.NotNil(t, v)
			require.NotEmpty(t, marked.Load())
			require.Equal(t, marked.Load(), v.At, v.Error())
			require.Contains(t, v.Error(), "\n\tIt happened at "+v.At+".")
		})
	}
}

// leaver schedules a job and does not complete it.
type leaver struct{ Out array.Writer[int] }

func (l *leaver) Execute(int) { parallelfor.Schedule(1, breaker{l.Out}, (*breaker).Execute) }

// beginning returns the file and line where a function begins.
func beginning(t *testing.T, f any) string {
	t.Helper()
	file, line := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).FileLine(reflect.ValueOf(f).Pointer())
	return fmt.Sprint(filepath.Base(file), ":", line)
}

// A violation that is found after the body has ended has the line where the body begins.
func TestTheLineOfAViolationFoundAfterTheBody(t *testing.T) {
	checkedOnly(t)
	a := numbers(8)
	var line string
	leave := func(w *array.Writer[int]) { parallelfor.Schedule(1, breaker{*w}, (*breaker).Execute) }
	for _, workers := range []int{1, 4} {
		with := parallelfor.Workers(workers)
		v := violation(t, safety.ErrNotCompleted, func() { parallelfor.For(8, leaver{a.Writer()}, (*leaver).Execute, with) })
		line = beginning(t, (*leaver).Execute)
		require.Equal(t, line, v.At)
		v = violation(t, safety.ErrNotCompleted, func() { parallelfor.Schedule(8, leaver{a.Writer()}, (*leaver).Execute, with).Complete() })
		require.Equal(t, line, v.At)
		v = violation(t, safety.ErrNotCompleted, func() { parallelfor.Do(a.Writer(), leave, with) })
		require.Equal(t, beginning(t, leave), v.At)
	}
	q := queue.New[int]()
	q.Close()
	put := func(w *queue.ParallelWriter[int], i int) { w.Enqueue(i) }
	v := violation(t, safety.ErrClosed, func() { parallelfor.For(8, q.ParallelWriter(), put) })
	require.Equal(t, beginning(t, put), v.At)
	keep := func(w *array.Writer[int]) (err error) {
		defer func() { err = fmt.Errorf("kept: %w", recover().(error)) }()
		w.Set(-1, 0)
		return nil
	}
	err := parallelfor.DoErr(context.Background(), a.Writer(), keep)
	require.ErrorAs(t, err, &v)
	require.Equal(t, beginning(t, keep), v.At)
}
