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

// mostBytes is how much memory a queue may ask for at once.
const mostBytes = math.MaxInt >> 8

// badCapacity is the violation of a capacity that is none.
func badCapacity(what string, capacity, most int) *safety.Violation {
	v := safety.NewViolation(safety.ErrLength, what+" for "+strconv.Itoa(capacity)+" items was asked for",
		"A capacity is 1 or more, and here at most "+strconv.Itoa(most)+".")
	v.N = capacity
	return v
}

// pause is called between two looks at what another goroutine is about to do.
func pause(looks *int) {
	if *looks++; atom.Explored || *looks%16 == 0 {
		atom.Yield()
	}
}

// expired returns why a context has ended, if it has.
func expired(ctx context.Context) error {
	if ctx == nil {
		panic(safety.NewViolation(safety.ErrArgument, "a nil context was given to an operation that waits", "Give it context.Background(), or a context that ends."))
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// await waits until take has an answer, for who has found nothing.
func await[T any](ctx context.Context, takers *waiters, take func() (T, outcome)) (v T, err error) {
	for o := blocked; ; {
		w := takers.enter(ctx)
		if v, o = take(); o != blocked {
			takers.leave(ctx, w)
			return v, o.err()
		}
		end := takers.sleep(ctx, w)
		if v, o = take(); o != blocked {
			return v, o.err()
		}
		if end {
			return v, context.Cause(ctx)
		}
	}
}

// err is what operations that wait return.
func (o outcome) err() error {
	if o == over {
		return ErrClosed
	}
	return nil
}
