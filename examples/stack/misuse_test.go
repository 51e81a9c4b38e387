package stack_test

import (
	"errors"
	"iter"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/examples/stack"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// three returns a stack of 1, 2 and 3, for at most five items.
func three() *stack.Stack[int] {
	s := stack.New[int](5, safety.Named("undo"))
	for i := range 3 {
		s.Push(i + 1)
	}
	return s
}

// while does something while a job holds the stack through that view.
func while[V any](view V, do func()) {
	h := parallelfor.ScheduleDo(holder[V]{View: view}, (*holder[V]).Execute)
	defer h.Complete()
	do()
}

// ranging ranges over a stack, and does something at the first item.
func ranging(do func(s *stack.Stack[int])) func() {
	return func() {
		s, done := three(), false
		for range s.All() {
			if !done {
				do(s)
			}
			done = true
		}
	}
}

type holder[V any] struct{ View V }

func (h *holder[V]) Execute() {}

// misuses are the ways to break a rule of a stack.
var misuses = []fuzz.Misuse{
	{Name: "negative bound", Want: safety.ErrLength, Do: func() { stack.New[int](-1) }},
	{Name: "zero value", Want: safety.ErrUnassigned, Do: func() { new(stack.Stack[int]).Push(1) }},
	{Name: "reader of nil", Want: safety.ErrUnassigned, Do: func() {
		var s *stack.Stack[int]
		parallelfor.Do(s.Reader(), func(*stack.Reader[int]) {})
	}},
	{Name: "writer of nil", Want: safety.ErrUnassigned, Do: func() {
		var s *stack.Stack[int]
		parallelfor.Do(s.Writer(), func(*stack.Writer[int]) {})
	}},
	{Name: "parallel writer of nil", Want: safety.ErrUnassigned, Do: func() {
		var s *stack.Stack[int]
		parallelfor.Do(s.ParallelWriter(), func(*stack.ParallelWriter[int]) {})
	}},
	{Name: "dispose twice", Want: safety.ErrDisposed, Do: func() {
		s := three()
		s.Dispose()
		s.Dispose()
	}},
	{Name: "job with a disposed stack", Want: safety.ErrDisposed, Do: func() {
		s := three()
		s.Dispose()
		parallelfor.Do(s.Reader(), func(*stack.Reader[int]) {})
	}},
	{Name: "depth below 0", Want: safety.ErrIndex, Do: func() { three().At(-1) }},
	{Name: "depth too large", Want: safety.ErrIndex, Do: func() { three().At(3) }},
	{Name: "push while a job reads", Want: safety.ErrInFlight, Do: func() { s := three(); while(s.Reader(), func() { s.Push(1) }) }},
	{Name: "pop while a job reads", Want: safety.ErrInFlight, Do: func() { s := three(); while(s.Reader(), func() { s.TryPop() }) }},
	{Name: "clear while a job reads", Want: safety.ErrInFlight, Do: func() { s := three(); while(s.Reader(), s.Clear) }},
	{Name: "push while ranging", Want: safety.ErrBorrowed, Do: ranging(func(s *stack.Stack[int]) { s.Push(1) })},
	{Name: "pop while ranging", Want: safety.ErrBorrowed, Do: ranging(func(s *stack.Stack[int]) { s.TryPop() })},
	{Name: "clear while ranging", Want: safety.ErrBorrowed, Do: ranging((*stack.Stack[int]).Clear)},
	{Name: "dispose while ranging", Want: safety.ErrDisposed, Do: ranging((*stack.Stack[int]).Dispose)},
	{Name: "job that pushes while ranging", Want: safety.ErrBorrowed, Do: ranging(func(s *stack.Stack[int]) { while(s.ParallelWriter(), func() {}) })},
	{Name: "job that writes while ranging", Want: safety.ErrBorrowed, Do: ranging(func(s *stack.Stack[int]) { while(s.Writer(), func() {}) })},
	{Name: "job that reads while ranging", Do: ranging(func(s *stack.Stack[int]) { while(s.Reader(), func() {}) })},
	{Name: "push that is turned away while ranging", Do: func() {
		s := stack.New[int](1)
		s.Push(1)
		for range s.All() {
			s.Push(2)
		}
	}},
	{Name: "iterator kept after its batch", Want: safety.ErrStaleView, Do: func() {
		var kept func() (int, bool)
		parallelfor.Do(three().Reader(), func(r *stack.Reader[int]) {
			kept, _ = iter.Pull(r.All())
			kept()
		})
		kept()
	}},
	{Name: "read while a job reads", Do: func() { s := three(); while(s.Reader(), func() { s.At(0) }) }},
	{Name: "read while a job writes", Want: safety.ErrInFlight, Do: func() { s := three(); while(s.Writer(), func() { s.At(0) }) }},
	{Name: "push beside a job that pushes", Want: safety.ErrInFlight, Do: func() { s := three(); while(s.ParallelWriter(), func() { s.Push(1) }) }},
	{Name: "length while a job pushes", Want: safety.ErrInFlight, Do: func() { s := three(); while(s.ParallelWriter(), func() { s.Len() }) }},
	{Name: "rejected while a job pushes", Want: safety.ErrInFlight, Do: func() { s := three(); while(s.ParallelWriter(), func() { s.Rejected() }) }},
	{Name: "bound while a job pushes", Do: func() { s := three(); while(s.ParallelWriter(), func() { s.Bound() }) }},
	{Name: "dispose while a job pushes", Want: safety.ErrInFlight, Do: func() { s := three(); while(s.ParallelWriter(), s.Dispose) }},
	{Name: "two jobs that push", Want: safety.ErrConflict, Do: func() {
		s := three()
		while(s.ParallelWriter(), func() { parallelfor.Do(s.ParallelWriter(), func(*stack.ParallelWriter[int]) {}) })
	}},
	{Name: "one job that pushes and reads", Want: safety.ErrAliased, Do: func() {
		type views struct {
			In  stack.Reader[int]
			Out stack.ParallelWriter[int]
		}
		s := three()
		parallelfor.Do(views{In: s.Reader(), Out: s.ParallelWriter()}, func(*views) {})
	}},
	{Name: "loop beyond the bound", Want: safety.ErrLength, Do: func() {
		parallelfor.For(6, three().Writer(), func(*stack.Writer[int], int) {})
	}},
	{Name: "reader outside jobs", Want: safety.ErrStaleView, Do: func() { r := three().Reader(); r.At(0) }},
	{Name: "length outside jobs", Want: safety.ErrStaleView, Do: func() { r := three().Reader(); r.Len() }},
	{Name: "writer outside jobs", Want: safety.ErrStaleView, Do: func() { w := three().Writer(); w.Set(0, 1) }},
	{Name: "writer's length outside jobs", Want: safety.ErrStaleView, Do: func() { w := three().Writer(); w.Len() }},
	{Name: "push outside jobs", Want: safety.ErrStaleView, Do: func() { w := three().ParallelWriter(); w.Push(1) }},
	{Name: "push of no stack", Want: safety.ErrStaleView, Do: func() { new(stack.ParallelWriter[int]).PushAll(nil) }},
	{Name: "reader's depth too large", Want: safety.ErrIndex, Do: func() {
		parallelfor.Do(three().Reader(), func(r *stack.Reader[int]) { r.At(3) })
	}},
	{Name: "reader's depth below 0", Want: safety.ErrIndex, Do: func() {
		parallelfor.Do(three().Reader(), func(r *stack.Reader[int]) { r.At(math.MinInt) })
	}},
	{Name: "another batch's position", Want: safety.ErrWriteRange, Do: func() {
		parallelfor.For(3, three().Writer(), func(w *stack.Writer[int], i int) { w.Set((i+1)%3, 0) }, parallelfor.Batch(1))
	}},
	{Name: "position without an item", Want: safety.ErrIndex, Do: func() {
		parallelfor.For(5, three().Writer(), func(w *stack.Writer[int], i int) { w.At(i) })
	}},
}

// The texts of violations name the stack, the job and its field, and where the stack was made, as
// those of built-in containers do.
func TestViolationsTellEverything(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	type paint struct{ Undo stack.Writer[int] }
	violation := func(do func()) (v *safety.Violation) {
		defer func() {
			err, _ := recover().(error)
			require.True(t, errors.As(err, &v), "%v", err)
		}()
		do()
		return nil
	}
	s := three()
	v := violation(func() {
		parallelfor.For(3, paint{Undo: s.Writer()}, func(p *paint, i int) { p.Undo.Set(2, 0) }, parallelfor.Batch(1))
	})
	require.Equal(t, `stack.Stack[int] "undo"`, v.Container)
	require.Equal(t, []any{"paint", "Undo", 2, 0, 1, 3}, []any{v.Job, v.Field, v.Index, v.Min, v.Max, v.Length})
	require.Contains(t, v.Made, "misuse_test.go:")
	require.ErrorContains(t, v, `job paint (field Undo) used index 2 of stack.Stack[int] "undo" in a batch that owns 0 <= index < 1`)

	v = violation(func() { while(s.ParallelWriter(), func() { s.TryPop() }) })
	require.ErrorContains(t, v, "appends to it and")
	require.Equal(t, "View", v.OtherField)

	v = violation(func() { s.At(9) })
	require.Equal(t, []int{9, 0, 3, 3}, []int{v.Index, v.Min, v.Max, v.Length})
	require.ErrorContains(t, v, "has 3 items")

	w := s.ParallelWriter()
	require.ErrorContains(t, violation(func() { w.Push(1) }), `a view that appends to stack.Stack[int] "undo" was used outside a job`)
}

// What New refuses happened where New was called.
func TestNewNamesTheLineOfItsCaller(t *testing.T) {
	v := func() (v *safety.Violation) {
		defer func() { v = recover().(*safety.Violation) }()
		stack.New[int](-1)
		return nil
	}()
	require.Contains(t, v.At, "misuse_test.go:")
}
