package safety_test

import (
	"context"
	"errors"
	"fmt"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Sum is a container of one's own that adds up, in the order of the batches: so floats, too, come
// to the same whichever worker ran them.
type Sum struct {
	guard safety.Guard
	total float64
}

func NewSum() *Sum {
	s := new(Sum)
	s.guard.Init(s, 0)
	return s
}

// Total is for use outside jobs.
func (s *Sum) Total() float64 {
	s.guard.CheckRead()
	return s.total
}

// OpenPhase is called before the first batch. It has a place for each. The only views are those
// that add, so this is for no other phases; and workers of neighbouring batches write neighbouring
// places, which is well for an example, and slow.
func (s *Sum) OpenPhase(p *safety.Phase) { p.State = make([]float64, p.Batches) }

// SealPhase is called after the last one. Where a batch has failed those below it count, and what
// it added until then.
func (s *Sum) SealPhase(p *safety.Phase) {
	to := &s.total
	if batch, nested := p.Into.(*float64); nested { // a body has scheduled the job
		to = batch
	}
	for _, part := range p.State.([]float64)[:p.Kept] {
		*to += part
	}
}

// ParallelWriter returns a view that adds from any batch of a loop.
func (s *Sum) ParallelWriter() SumWriter {
	return SumWriter{Hold: s.guard.Hold(safety.Append, nil)}
}

// SumWriter adds to the place of the current batch, which no other batch touches.
type SumWriter struct {
	safety.Hold
	parts []float64
	at    *float64 // nil while the view is not bound
}

// Claim completes the claim.
func (w *SumWriter) Claim(c *safety.Claim) {
	if w.at != nil {
		c.Into = w.at
	}
}

// Bind takes what the container has left in the phase.
func (w *SumWriter) Bind(b safety.Binding) {
	w.Hold.Bind(b)
	w.parts, w.at = b.State().([]float64), nil
}

// BeginBatch is called before each batch.
func (w *SumWriter) BeginBatch(batch int) { w.at = &w.parts[batch] }

func (w *SumWriter) Add(x float64) {
	if safety.Strict {
		w.Hold.Check()
	}
	if w.at == nil {
		panic(w.Hold.Stale())
	}
	*w.at += x
}

// Each batch has a place of its own.
func ExampleBinder_beginBatch() {
	harmonic := func(opts ...parallelfor.Option) float64 {
		s := NewSum()
		parallelfor.For(1000, s.ParallelWriter(), func(w *SumWriter, i int) { w.Add(1 / float64(i+1)) }, opts...)
		return s.Total()
	}
	fmt.Println(harmonic() == harmonic(parallelfor.Sequential())) // bit for bit
	// Output: true
}

// A loop that fails leaves in the container what the sequential loop would have left.
func ExamplePhased() {
	s := NewSum()
	var _ safety.Phased = s
	err := parallelfor.ForErr(context.Background(), 1000, s.ParallelWriter(), func(w *SumWriter, i int) error {
		if i >= 500 {
			return errors.New("too far")
		}
		w.Add(1)
		return nil
	})
	fmt.Println(err, s.Total())
	// Output: too far 500
}

// witness is a container that holds nothing, and tells what it is told.
type witness struct{ guard safety.Guard }

func (w *witness) OpenPhase(p *safety.Phase) {
	fmt.Printf("opened: %v, %d indices in %d batches of %d\n", p.Mode, p.N, p.Batches, p.BatchSize)
}

func (w *witness) SealPhase(p *safety.Phase) { fmt.Println("sealed:", p.Kept, "batches count") }

// ReturnPhase is for goroutines that wait for a container to be their own again, or to be what a
// job has made of it.
func (w *witness) ReturnPhase(ok bool) { fmt.Println("returned:", ok) }

// Presence is a view of a witness that does nothing.
type Presence struct{ safety.Hold }

// idle is a job that has a witness.
type idle struct{ Of Presence }

func (*idle) Execute(int) {}

func ExamplePhase() {
	w := new(witness)
	w.guard.Init(w, 0)
	parallelfor.For(10, idle{Presence{w.guard.Hold(safety.Append, nil)}}, (*idle).Execute, parallelfor.Batch(4))
	// Output:
	// opened: Append, 10 indices in 3 batches of 4
	// sealed: 3 batches count
	// returned: true
}

// That a job is over does not give its containers back: Complete does.
func ExampleReturner() {
	w := new(witness)
	w.guard.Init(w, 0)
	var _ safety.Returner = w
	h := parallelfor.Schedule(10, idle{Presence{w.guard.Hold(safety.Append, nil)}}, (*idle).Execute, parallelfor.Batch(4), parallelfor.Inline())
	fmt.Println("finished:", h.Finished())
	h.Complete()
	// Output:
	// opened: Append, 10 indices in 3 batches of 4
	// sealed: 3 batches count
	// finished: true
	// returned: true
}
