package queue

import (
	"context"
	"errors"
	"math"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// ErrClosed is what operations that wait return when a queue is closed, and those that take, when it is also empty.
var ErrClosed = errors.New("custody: queue closed")

// outcome is how an operation that does not wait ends.
type outcome uint8

const (
	done    outcome = iota
	blocked         // the queue is full, or empty
	over            // it is closed, and for those who take also empty
)

// mostBytes is how much memory a queue may ask for at once: what the addresses of a program reach.
const mostBytes = math.MaxInt >> (1 + 15*(math.MaxUint>>63))

// badCapacity is the violation of a capacity that is none.
func badCapacity(what string, capacity, most int) *safety.Violation {
	do := "A capacity is 1 or more."
	if capacity > most {
		do = "A capacity is 1 or more, and here at most " + strconv.Itoa(most) + "."
	}
	v := safety.NewViolation(safety.ErrLength, what+" for "+strconv.Itoa(capacity)+" items was asked for", do)
	v.N = capacity
	return v
}

// pause is called between two looks at what another goroutine is about to do.
func pause() { atom.Yield() }

// retreat is called by who was too late, before it tries again: two that try at the same time send the lines that both
// change to and fro between two processors, and each makes the other slower than both are one after the other.
func retreat() {
	if !atom.Explored { // there it is a step that does nothing
		atom.Yield()
	}
}

// expired returns why a context has ended, if it has.
func expired(ctx context.Context) error {
	if ctx != nil && ctx.Err() == nil {
		return nil
	}
	return whyExpired(ctx)
}

func whyExpired(ctx context.Context) error {
	if ctx == nil {
		panic(safety.NewViolation(safety.ErrArgument, "a nil context was given to an operation that waits", "Give it context.Background(), or a context that ends."))
	}
	return context.Cause(ctx)
}

// err is what operations that wait return.
func (o outcome) err() error {
	if o == over {
		return ErrClosed
	}
	return nil
}
