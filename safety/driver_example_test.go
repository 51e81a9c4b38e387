package safety_test

import (
	"fmt"
	"strings"

	"example.com/custody/array"
	"example.com/custody/safety"
)

// pending is the handle of a driver of one's own, whose jobs have batches of one index.
type pending struct {
	ticket  *safety.Ticket
	batches int
}

// schedule takes what the views claim into the custody of a job, or is refused.
func schedule(batches int, views ...safety.View) pending {
	p := pending{new(safety.Ticket), batches}
	site := safety.Caller(1) // the place that called schedule
	p.ticket.Reset("mine", site)
	for i, v := range views {
		p.ticket.ClaimOf(safety.FieldOf(v, fmt.Sprint("views[", i, "]")))
	}
	if v := p.ticket.Open(safety.CurrentScope(), batches, false); v != nil {
		panic(v)
	}
	p.ticket.Start(safety.Phase{Workers: 1, N: batches, Batches: batches, BatchSize: 1})
	return p
}

// Ticket makes it a safety.Handle.
func (p pending) Ticket() *safety.Ticket { return p.ticket }

// complete gives the containers back.
func (p pending) complete() {
	p.ticket.Seal(p.batches, false, func(n int, f func(i int)) {
		for i := range n {
			f(i)
		}
	})
	p.ticket.Return()
}

// loop is what a worker does.
type loop func()

func (l loop) Run() { l() }

// A scope goes with a worker from batch to batch, and the worker's views with it.
func ExampleScope() {
	s := NewSeries(0, 0, 0)
	view := s.Writer()
	job := schedule(3, &view)

	l := safety.NewScope()
	l.Open(job.ticket, 0, true)
	view.Bind(safety.NewBinding(l, 0, &view))
	var kept SeriesWriter
	l.Do(loop(func() {
		for batch := range 3 {
			l.Next([]*safety.Hold{&view.Hold}, batch)
			view.SetRange(batch, batch+1)
			if batch > 0 {
				fmt.Println(refuses(safety.ErrStaleView, func() { kept.Slice() })) // the batch before has ended
			}
			view.Set(batch, batch*10)
			kept = view
		}
	}))
	l.Close()
	l.Discard()

	job.complete()
	fmt.Println(s.Slice())
	// Output:
	// true
	// true
	// [0 10 20]
}

// A view is bound with what it may know: which worker has it, and what its container keeps for the
// job.
func ExampleBinding() {
	s := NewSum()
	view := s.ParallelWriter()
	job := schedule(2, &view)

	l := safety.NewScope()
	l.Open(job.ticket, 0, true)
	b := safety.NewBinding(l, 0, &view)
	c, ok := b.Claims(&s.guard)
	fmt.Println(b.Worker(), b.State(), c.Mode, ok)
	view.Bind(b)
	l.Do(loop(func() {
		l.Next([]*safety.Hold{&view.Hold}, 1)
		view.BeginBatch(1)
		view.Add(0.5)
	}))
	l.Close()
	l.Discard()

	fmt.Println(b.State())
	job.complete()
	fmt.Println(s.Total())
	// Output:
	// 0 [0 0] Append true
	// [0 0.5]
	// 0.5
}

// Containers take the handles of any driver.
func ExampleHandle() {
	scratch := array.New[int](3)
	view := scratch.Writer()
	job := schedule(3, &view)
	var h safety.Handle = job
	scratch.DisposeAfter(h) // it is the job's alone from now on, and ends with that
	fmt.Println(refuses(safety.ErrDisposed, func() { scratch.Clear() }))
	job.complete()
	fmt.Println(scratch.Disposed())
	// Output:
	// true
	// true
}

// place says where it was called.
func place() safety.Site { return safety.Caller(1) }

// A site is kept as one word, and read when a text needs it.
func ExampleSite() {
	file, _, _ := strings.Cut(place().String(), ":") // and the line behind it
	fmt.Println(file)
	// Output: driver_example_test.go
}
