package queue

import (
	"context"
	"errors"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// ErrClosed is what operations that wait return when a queue is closed, and those that take, when it is also empty. Not
// safety.ErrClosed: that is the kind of a violation, as when a job is to add to a closed queue.
var ErrClosed = errors.New("custody: queue closed")

// outcome is how an operation that does not wait ends.
type outcome uint8

const (
	done    outcome = iota
	blocked         // the queue is full, or empty
	over            // it is closed, and for those who take also empty
)

// checkCapacity panics if capacity is outside [1, most]. It disposes of the container first, which
// its constructor does not return.
func checkCapacity(g *safety.Guard, capacity, most int) {
	if capacity < 1 || capacity > most {
		g.Dispose() // the caller never gets the container, so it must not count as a leak
		panic(amount.Refusal(g, "was asked to have room for", capacity, 1, most, "item"))
	}
}

// away is for how many nanoseconds who has met another one at the same end of a queue leaves it to that one. Two that use an
// end at the same time send the lines that both change to and fro between two processors, and each operation takes as long
// as that takes, which is as long as five to ten operations of one alone.
const away = 1500

// looks is of an operation that finds another goroutine about to do what it needs. The zero value is for who does so rarely.
type looks struct {
	times int
	away  int       // for how many nanoseconds to look away the first time
	of    *patience // which knows better; or nil
}

// pause is called between two looks. The first time it keeps the processor: the other one is most often at it, on another
// processor, and is the faster the less its lines are looked at.
func (l *looks) pause() {
	l.times++
	if l.of != nil {
		l.away = max(l.of.get(), leastDelay)
	}
	if l.times > 1 || l.away == 0 || atom.Explored {
		atom.Yield()
	} else {
		atom.Delay(l.away)
	}
}

// looked says whether found is to be called. Explored programs do without.
func (l *looks) looked() bool { return !atom.Explored && l.times > 0 }

// found is called by who has found what it needs, and has a patience. more says whether the next one would, too.
func (l *looks) found(more bool) { l.of.adapt(l.away, more) }

// retreat is called by who has met another one, before it goes on.
func retreat() {
	if !atom.Explored { // there it is a step that does nothing
		atom.Delay(away)
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
