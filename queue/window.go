package queue

import (
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Window is places of an [SPSC] that an end has to itself, to write items into them, or to read them, without a copy. It is
// good until the next operation at that end that moves items, or gives out another window. What a put that was refused because
// the queue is closed has left of it means nothing.
//
// An index outside the window is a violation, as is one outside the write range of a job. That a window is used later is one
// in strict builds at every access, and in checked ones when Slices is called.
type Window[T any] struct {
	a, b []T
	of   *end[T]
	turn uint64
}

// Len returns how many places there are.
func (w *Window[T]) Len() int { return len(w.a) + len(w.b) }

// Ptr returns a pointer to place i, good as long as the window.
func (w *Window[T]) Ptr(i int) *T {
	if safety.Strict {
		w.check()
	}
	if k := uint(i); k < uint(len(w.a)) {
		return &w.a[k]
	}
	return w.second(i)
}

// second is Ptr for the places behind where the memory ends.
func (w *Window[T]) second(i int) *T {
	if k := i - len(w.a); k >= 0 && k < len(w.b) {
		return &w.b[k]
	}
	what, do := "place "+strconv.Itoa(i)+" of a window", "A window has the places 0 <= i < Len."
	if w.of == nil {
		panic(safety.NewViolation(safety.ErrWriteRange, what+" was used that has none", do))
	}
	g := &w.of.of.guard
	v := g.Violation(safety.ErrWriteRange, what+" of "+g.Container()+" was used, which has "+strconv.Itoa(w.Len())+" places", do)
	v.Index, v.Max, v.Length = i, w.Len(), w.Len()
	panic(v)
}

// Slices returns the places as two slices, the first before the second, good as long as the window.
func (w *Window[T]) Slices() (first, second []T) {
	if safety.Enabled {
		w.check()
	}
	return w.a, w.b
}

// check panics when something was done at the end since, or the queue was disposed.
func (w *Window[T]) check() {
	if w.of != nil {
		w.of.of.guard.CheckExists()
	}
	if w.of != nil && (w.turn != w.of.turn || w.of.since != w.of.position()) {
		g := &w.of.of.guard
		panic(g.Violation(safety.ErrBorrowed, "a window of "+g.Container()+" was used after another operation at its end of the queue", "Take another window."))
	}
}

// needLen panics if n is negative.
func (e *end[T]) needLen(n int) {
	if n < 0 {
		g := &e.of.guard
		v := g.Violation(safety.ErrLength, "a window of "+strconv.Itoa(n)+" places of "+g.Container()+" was asked for", "A window has 0 places or more.")
		v.N = n
		panic(v)
	}
}

// window returns a window of n places from the position was on, or of fewer if there are fewer.
func (e *end[T]) window(was uint64, n int) Window[T] {
	n = max(0, min(n, e.free(was, n)))
	atom.Plain()
	e.turn++
	e.held, e.since = n, was
	a, b := e.from(was, n)
	return Window[T]{a, b, e, e.turn}
}

// part ends the last window, and returns the number of its places. There are none if the end is no
// longer at the position of the window. It panics if n is negative or there are fewer places than
// n.
func (e *end[T]) part(was uint64, n int, what string) (held int) {
	atom.Plain()
	if e.since == was {
		held = e.held
	}
	if n < 0 || n > held {
		g := &e.of.guard
		v := g.Violation(safety.ErrWriteRange, strconv.Itoa(n)+" places of "+g.Container()+" were to be "+what+", of a window of "+strconv.Itoa(held),
			"It is done once with a window, and for the first of its places, as many as it has at most.")
		v.N, v.Max = n, held
		panic(v)
	}
	e.turn++
	e.held = 0
	return held
}

// Reserve returns a window of the next n free places, or of as many as there are, for items that Commit puts in. What is
// written into it and never committed may be kept alive until its place is used again. A negative n is a violation.
func (p *Producer[T]) Reserve(n int) Window[T] {
	if safety.Strict {
		p.enter()
		defer p.leave()
	}
	p.exists()
	was := p.position()
	p.needLen(n) // a refused call leaves the last window as it is
	if p.since == was {
		p.empty(was, p.held) // the places of an earlier window, which this call ends
	}
	return p.window(was, n)
}

// Commit puts in the items in the first n places of the window that was reserved last, at one moment, and empties the
// others. False says that the queue was closed; then nothing was put in.
//
// Commit ends the window. An n below 0 or above the window's Len is a violation, and so is an n
// above 0 if there is no window: it was committed, also in part or by Commit(0), or an operation at
// this end has put in items since. A violation changes nothing.
func (p *Producer[T]) Commit(n int) bool {
	if safety.Strict {
		p.enter()
		defer p.leave()
	}
	p.exists()
	if n > 0 {
		p.mayMove(p.count.Load()) // a refused call leaves the window as it is
	}
	was := p.position()
	held := p.part(was, n, "committed")
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
		c.enter()
		defer c.leave()
	}
	c.exists()
	was := c.position()
	c.needLen(n)
	return c.window(was, n)
}

// Release takes out the items in the first n places of the window that Look returned last. The
// other items stay in the queue, which they are the first of.
//
// Release ends the window. An n below 0 or above the window's Len is a violation, and so is an n
// above 0 if there is no window: it was released, also in part or by Release(0), or an operation at
// this end has taken out items since. A violation changes nothing.
func (c *Consumer[T]) Release(n int) {
	if safety.Strict {
		c.enter()
		defer c.leave()
	}
	c.exists()
	if n > 0 {
		c.mayMove(c.count.Load()) // a refused call leaves the window as it is
	}
	was := c.position()
	c.part(was, n, "released")
	c.release(was, n)
}
