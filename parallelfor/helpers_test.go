package parallelfor_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// rounds returns how often a random test repeats.
func rounds(normal int) int {
	switch {
	case parallelfor.Raced:
		return max(normal/8, 1)
	case testing.Short():
		return max(normal/4, 1)
	}
	return normal
}

// parameters are those of a property: gopter prints the seed of a failure.
func parameters(normal int) *gopter.TestParameters {
	p := gopter.DefaultTestParameters()
	p.MinSuccessfulTests = rounds(normal)
	return p
}

// checkedOnly skips a test of what the unchecked build does not check.
func checkedOnly(t *testing.T) {
	t.Helper()
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
}

// watchdog ends the process with the stacks of all goroutines when the test hangs.
func watchdog(t *testing.T) {
	t.Helper()
	lawtest.Watchdog(t)
}

// ending is how a function ended.
type ending struct {
	value  any  // what it panicked with
	goexit bool // it ended its goroutine
}

func (e ending) String() string { return fmt.Sprintf("panic %v, goexit %v", e.value, e.goexit) }

// endingOf runs f on a goroutine of its own.
func endingOf(f func()) ending {
	c := make(chan ending, 1)
	go func() {
		through := false
		defer func() {
			v := recover()
			c <- ending{value: v, goexit: v == nil && !through}
		}()
		f()
		through = true
	}()
	return <-c
}

// violation runs f, which must break a rule, and returns the violation.
func violation(t require.TestingT, kind error, f func()) *safety.Violation {
	e := endingOf(f)
	err, ok := e.value.(error)
	require.True(t, ok, "no violation but %v", e)
	var v *safety.Violation
	require.True(t, errors.As(err, &v), "no violation but %v", e)
	require.ErrorIs(t, v, kind)
	require.Contains(t, v.Error(), "custody: ")
	return v
}

// panicked runs f, which must panic with a *parallelfor.Panic, and returns that.
func panicked(t require.TestingT, f func()) *parallelfor.Panic {
	e := endingOf(f)
	p, ok := e.value.(*parallelfor.Panic)
	require.True(t, ok, "no *Panic but %v", e)
	return p
}

// none is a views value without views.
type none struct{}

// spin lets other goroutines go on until the condition holds.
func spin(t testing.TB, what string, condition func() bool) {
	lawtest.Until(t, what, condition)
}

// barrier lets no goroutine on before n have come. It gives up after a while, so that a test that
// fails ends.
type barrier struct {
	n       int32
	arrived atomic.Int32
	all     chan struct{}
}

func newBarrier(n int) *barrier { return &barrier{n: int32(n), all: make(chan struct{})} }

// wait reports whether all came.
func (b *barrier) wait() bool {
	if b.arrived.Add(1) == b.n {
		close(b.all)
	}
	return lawtest.Ends(b.all, 3*time.Second, nil)
}

// crew notes which workers ran.
type crew [64]atomic.Int32

func (c *crew) size() (n int) {
	for i := range c {
		if c[i].Load() > 0 {
			n++
		}
	}
	return n
}

// numbers returns an array of 0, 1, 2, ...
func numbers(n int) *array.Array[int] {
	a := array.New[int](n, safety.Named("numbers"))
	for i := range n {
		a.Set(i, i)
	}
	return a
}

// values returns the elements.
func values[T any](a *array.Array[T]) []T {
	s := make([]T, a.Len())
	a.CopyTo(s)
	return s
}

// loop is a body as a job, so that it can be scheduled.
type loop[V any] struct {
	Views V
	Body  func(v *V, i int) `custody:"unguarded"`
}

func (l *loop[V]) Execute(i int) { l.Body(&l.Views, i) }

// scheduleFor is parallelfor.For that returns at once.
func scheduleFor[V any](n int, views V, body func(v *V, i int), opts ...parallelfor.Option) parallelfor.Handle {
	return parallelfor.Schedule(n, loop[V]{views, body}, (*loop[V]).Execute, opts...)
}

// held makes a worker goroutine of the pool busy until release is closed, with a job that holds
// nothing.
func held(pool *parallelfor.Pool) (busy parallelfor.Handle, release chan struct{}) {
	begun, release := make(chan struct{}), make(chan struct{})
	busy = scheduleFor(1, none{}, func(*none, int) {
		close(begun)
		<-release
	}, parallelfor.On(pool))
	<-begun
	return busy, release
}
