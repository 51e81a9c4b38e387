package queue

import (
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Window is places of an [SPSC] that an end has to itself, to write or read items without a copy.
// It is valid until the next operation at that end that moves items or returns another window. Its
// places are undefined after a put that was refused because the queue is closed.
//
// An index outside the window is a violation. A later use of the window is one in strict builds at
// every access, and in checked builds when Slices is called.
// Each method: one end; wait-free; O(1); allocates never.
type Window[T any] struct {
	a, b []T
	of   *end[T]
	turn uint64
}

// Len returns the number of places.
func (w *Window[T]) Len() int { return len(w.a) + len(w.b) }

// Ptr returns a pointer to place i, valid as long as the window.
func (w *Window[T]) Ptr(i int) *T {
	if safety.Strict {
		w.check()
	}
	if k := uint(i); k < uint(len(w.a)) {
		return &w.a[k]
	}
	return w.second(i)
}

// second implements Ptr for the places behind the end of the memory.
func (w *Window[T]) second(i int) *T {
	if k := i - len(w.a); k >= 0 && k < len(w.b) {
		return &w.b[k]
	}
	what, do := "place "+strconv.Itoa(i)+" of a window", "A window has the places 0 <= i < Len."
	if w.of == nil {
		panic(safety.NewViolation(safety.ErrWriteRange, what+" was used that has none", do))
	}
	g := &w.of.of.guard
	v := g.Violation(safety.ErrWriteRange,
		what+" of "+g.Container()+" was used, which has "+strconv.Itoa(w.Len())+" places", do)
	v.Index, v.Max, v.Length = i, w.Len(), w.Len()
	panic(v)
}

// Slices returns the places as two slices, valid as long as the window, the first one first.
func (w *Window[T]) Slices() (first, second []T) {
	if safety.Enabled {
		w.check()
	}
	return w.a, w.b
}

// check panics if the window has ended, or the queue was disposed.
func (w *Window[T]) check() {
	if w.of == nil {
		return
	}
	g := &w.of.of.guard
	g.CheckExists()
	if w.turn != w.of.turn || w.of.since != w.of.position() {
		panic(g.Violation(safety.ErrBorrowed,
			"a window of "+g.Container()+" was used after another operation at its end of the queue",
			"Take another window."))
	}
}

// window returns a window of the next n places of the end, or of fewer if there are fewer.
func (e *end[T]) window(n int) Window[T] {
	e.exists()
	was := e.position()
	if n < 0 { // the last window stays as it is
		g := &e.of.guard
		v := g.Violation(safety.ErrLength,
			"a window of "+strconv.Itoa(n)+" places of "+g.Container()+" was asked for",
			"A window has 0 places or more.")
		v.N = n
		panic(v)
	}
	if e.ahead > 0 && e.since == was { // places that the producer may have written
		e.empty(was, e.held)
	}
	n = max(0, min(n, e.free(was, n)))
	atom.Writes(&e.turn)
	e.turn++
	e.held, e.since = n, was
	a, b := e.from(was, n)
	return Window[T]{a, b, e, e.turn}
}

// endWindow ends the last window. was is the position of the end, and held the number of places of
// the window, or 0 if the end has moved since the window was returned. endWindow panics, and
// changes nothing, if n is negative or above held, or if the other end must not be woken. what is
// the verb of the violation's text.
func (e *end[T]) endWindow(n int, what string) (was uint64, held int) {
	e.exists()
	if n > 0 {
		e.mayMove(e.count.Load()) // a refused call leaves the window as it is
	}
	was = e.position()
	atom.Reads(&e.since)
	if e.since == was {
		held = e.held
	}
	if n < 0 || n > held {
		g := &e.of.guard
		places := strconv.Itoa(n) + " places of " + g.Container()
		v := g.Violation(safety.ErrWriteRange,
			places+" were to be "+what+", of a window of "+strconv.Itoa(held),
			"It is done once with a window, and for the first of its places, as many as it has at most.")
		v.N, v.Max = n, held
		panic(v)
	}
	e.turn++
	e.held = 0
	return was, held
}

// Reserve returns a window of the next n free places, or of as many as there are, for items that
// Commit puts in. The queue may keep items in the window alive that are not committed, until their
// places are used again. A negative n is a violation.
func (p *Producer[T]) Reserve(n int) Window[T] {
	if safety.Strict {
		defer p.enter().leave()
	}
	return p.window(n)
}

// Commit puts in the items in the first n places of the window that Reserve returned last, at one
// moment, and empties the other places. It returns false, and puts in nothing, if the queue was
// closed.
//
// Commit ends the window. An n below 0 or above the window's Len is a violation, and so is an n
// above 0 if there is no window: it was committed, also in part or by Commit(0), or an operation at
// this end has put in items since. A violation changes nothing.
func (p *Producer[T]) Commit(n int) bool {
	if safety.Strict {
		defer p.enter().leave()
	}
	was, held := p.endWindow(n, "committed")
	if p.holds {
		a, b := p.from(was, held)
		clear(a[min(n, len(a)):])
		clear(b[max(0, n-len(a)):])
	}
	return p.publish(was, n) == done
}

// Look returns a window of the first n items, or of all if there are fewer, which Release takes
// out. A negative n is a violation.
func (c *Consumer[T]) Look(n int) Window[T] {
	if safety.Strict {
		defer c.enter().leave()
	}
	return c.window(n)
}

// Release takes out, at one moment, the items in the first n places of the window that Look
// returned last. The other items stay in the queue.
//
// Release ends the window, with the violations of [Producer.Commit].
func (c *Consumer[T]) Release(n int) {
	if safety.Strict {
		defer c.enter().leave()
	}
	was, _ := c.endWindow(n, "released")
	c.release(was, n)
}
