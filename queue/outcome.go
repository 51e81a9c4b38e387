package queue

import (
	"context"
	"errors"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// ErrClosed is the error of operations that wait at a closed queue. Operations that take items
// return it only if the queue is also empty. It is not safety.ErrClosed, which is the kind of a
// violation, as when a job is to add to a closed queue.
var ErrClosed = errors.New("custody: queue closed")

// outcome is how an operation that does not wait ends.
type outcome uint8

const (
	done    outcome = iota
	blocked         // the queue is full, or empty
	over            // the queue is closed and, for operations that take items, empty
)

// err returns the error of an operation that waits.
func (o outcome) err() error {
	if o == over {
		return ErrClosed
	}
	return nil
}

// checkCapacity disposes of the container and panics if capacity is outside [1, most].
func checkCapacity(g *safety.Guard, capacity, most int) {
	if capacity < 1 || capacity > most {
		g.Dispose() // the caller never gets the container, so it must not count as a leak
		panic(amount.Refusal(g, "was asked to have room for", capacity, 1, most, "item"))
	}
}

// expired returns why a context has ended, or nil. It panics if the context is nil.
func expired(ctx context.Context) error {
	if ctx != nil && ctx.Err() == nil {
		return nil
	}
	return whyExpired(ctx)
}

func whyExpired(ctx context.Context) error {
	if ctx == nil {
		panic(safety.NewViolation(safety.ErrArgument,
			"a nil context was given to an operation that waits",
			"Give it context.Background(), or a context that ends."))
	}
	return context.Cause(ctx)
}

// flag sets the flag f in a position, and returns the position with the flags it had before.
func flag[W interface {
	Load() uint64
	CompareAndSwap(was, is uint64) bool
}](at W, f uint64) (before uint64) {
	for {
		p := at.Load()
		if p&f != 0 || at.CompareAndSwap(p, p|f) {
			return p
		}
	}
}

// unflag clears the flag f in a position.
func unflag(at *atom.HiddenUint64, f uint64) {
	for {
		p := at.Load()
		if at.CompareAndSwap(p, p&^f) {
			return
		}
	}
}

// bodies calls the functions of package safety that every operation calls. It is never run. The
// compiler passes the body of a function on to importers of this package only if it was inlined
// here, and compiles generic code where it is used. Without bodies each check would be a call.
//
//lint:ignore U1000 it is there for the compiler
func bodies(g *safety.Guard) {
	g.CheckShared()
	g.CheckExists()
}
