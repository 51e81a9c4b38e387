package tally

import (
	"sync/atomic"

	"example.com/custody/safety"
)

// held is what the views that use the count itself have.
type held struct {
	safety.Hold
	of *Counter
}

func (c *Counter) hold(m safety.Mode) held {
	if c == nil {
		return held{} // the job is refused, with the name of its field
	}
	return held{Hold: c.guard.Hold(m, nil), of: c}
}

// use returns the count. It looks at the scope in every build: none of these views is for innermost
// loops.
func (h *held) use() *int64 {
	h.Hold.Check()
	if !h.Hold.Bound() { // unchecked builds
		panic(h.Hold.Stale())
	}
	return &h.of.count
}

// Reader is a view that reads. It works only inside the job that carries it, like all views here.
type Reader struct {
	held `custody:"part"`
}

// Reader returns a view that reads.
func (c *Counter) Reader() Reader { return Reader{c.hold(safety.Read)} }

// Value returns the count.
func (r *Reader) Value() int64 { return *r.use() }

// Writer is a view for a single job, or a loop on one worker, which has the counter as its own. It
// has no write range, and its claim says so by not being Ranged: that is all that it takes for a
// parallel loop to be refused.
type Writer struct {
	held `custody:"part"`
}

// Writer returns a view for single jobs.
func (c *Counter) Writer() Writer { return Writer{c.hold(safety.Write)} }

// Add adds d.
func (w *Writer) Add(d int64) { *w.use() += d }

// Inc is Add(1).
func (w *Writer) Inc() { *w.use() += 1 }

// Set makes the count v.
func (w *Writer) Set(v int64) { *w.use() = v }

// Value returns the count.
func (w *Writer) Value() int64 { return *w.use() }

// Atomic is a view that adds atomically: batches of any number of jobs may add at the same time,
// and need no order. No job reads the count meanwhile, so every order of the additions leaves the
// same.
//
// An addition costs what an atomic addition to a word costs that all processors use. A loop that
// fails is not serially equivalent: batches above the one that failed may have added something. A
// [ParallelWriter] has neither fault.
type Atomic struct {
	held `custody:"part"`
}

// Atomic returns a view that adds from any batch of any loop.
func (c *Counter) Atomic() Atomic { return Atomic{c.hold(safety.Shared)} }

// Add adds d.
func (a *Atomic) Add(d int64) { atomic.AddInt64(a.use(), d) }

// Inc is Add(1).
func (a *Atomic) Inc() { atomic.AddInt64(a.use(), 1) }
