package queue

import (
	"context"
	"math/bits"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// end is the common part of the two ends of an [SPSC]. The goroutine that uses the end owns it,
// except the parker while the end is asleep, and the atomic fields.
type end[T any] struct {
	cursor
	items []T // of the queue
	of    *SPSC[T]
	holds bool // items may keep memory alive
	fetch int  // number of places to fetch at a time
	line  int  // number of places in a cache line; 0 if places are not fetched

	held  int    // number of places of the last window
	since uint64 // position of the end when the window was returned
	turn  uint64 // grows when a window is returned or ended; a Window has the turn of its return

	backoff
	parker  atom.Parker       // the end sleeps on it while others has the flag spscAsleep (I5)
	bubbled atom.HiddenUint32 // 1 while the parker belongs to a bubble; see outside
	waits   atom.HiddenUint64 // number of the last wait
}

// init initializes an end of a queue, at position 0.
func (e *end[T]) init(of *SPSC[T], items []T, count, others *atom.Uint64) {
	lap := int64(1) << bits.Len(uint(len(items)-1))
	e.places, e.skip = uint64(lap-1)*spscUnit, (lap-int64(len(items)))*spscUnit
	e.capacity, e.count, e.others = len(items), count, others
	e.guard, e.self = &of.guard, &e.cursor
	e.of, e.items, e.holds = of, items, word.Held((*T)(nil))
	e.fetch, e.line = fetchOf(max(1, word.Size((*T)(nil))))
	e.fetch = min(e.fetch, len(items))
	e.most = len(items)
	e.parker = atom.NewParker()
}

// move publishes that the end has moved from was to a position, and unparks the other end if it is
// asleep (I5). It returns over if the queue is closed, which only the producer's count says. It
// panics if another goroutine has moved the end (I1), or if the other end must not be woken. A move
// from was to was checks that much and publishes nothing.
func (e *end[T]) move(was, to uint64) outcome {
	for {
		w := e.count.Load()
		switch {
		case w&^spscFlags != was:
			panic(e.notAlone())
		case w&spscClosed != 0:
			return over
		}
		if to == was {
			return done // the other end sleeps on
		}
		e.mayMove(w)
		if e.count.CompareAndSwap(w, to) {
			if w&spscAsleep != 0 {
				e.other().parker.Unpark()
			}
			return done
		}
	}
}

// mayMove panics if the other end is asleep, by the flag in w, and the caller must not wake it.
func (e *end[T]) mayMove(w uint64) {
	if w&spscAsleep != 0 {
		e.other().wakeable()
	}
}

// other returns the other end.
func (e *end[T]) other() *end[T] {
	if e == &e.of.producer.end {
		return &e.of.consumer.end
	}
	return &e.of.producer.end
}

// from returns the n places from a position on, in two slices if the end of the memory is between.
func (e *end[T]) from(p uint64, n int) (a, b []T) {
	all, k := e.items, e.place(p)
	if rest := len(all) - k; n > rest {
		return all[k:], all[: n-rest : n-rest]
	}
	return all[k : k+n : k+n], nil
}

// empty clears the n places from a position on, if items may keep memory alive (I3).
func (e *end[T]) empty(p uint64, n int) {
	if e.holds {
		a, b := e.from(p, n)
		clear(a)
		clear(b)
	}
}

// await waits until try returns another outcome than blocked, or the context ends. left returns the
// number of places that the end may use.
func (e *end[T]) await(ctx context.Context, try func() outcome, left func() int) error {
	if o := e.poll(try, left); o != blocked {
		return o.err()
	}
	if !safety.Strict { // in strict builds the operation has entered
		e.claim()
		defer e.leave()
	}
	for {
		if e.fallAsleep() {
			e.sleep(ctx)
		}
		if o := try(); o != blocked {
			return o.err()
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// sleep parks until another goroutine clears the flag spscAsleep, at the end of the context at the
// latest. If a method of the context panics, sleep clears the flag itself.
func (e *end[T]) sleep(ctx context.Context) {
	stop := func() bool { return true }
	defer func() { stop() }()
	if ctx.Done() != nil {
		watched := false
		defer func() {
			if !watched {
				e.wake()
				e.parker.Park() // takes the token of the goroutine that cleared the flag (I5)
			}
		}()
		wait := e.waits.Load()
		stop = afterFunc(ctx, func() { e.expire(wait) })
		watched = true
	}
	e.parker.Park()
}

// fallAsleep sets the flag that the end is asleep, if there is still no place for it, and reports
// whether the caller has to park (I5). It panics if another goroutine has used the end since the
// caller found no place. A wait in a bubble, and the first wait after it, get a new parker.
func (e *end[T]) fallAsleep() bool {
	if b := atom.InBubble(); b || e.bubbled.Load() != 0 {
		e.parker = atom.NewParker()
		e.bubbled.Store(0)
		if b {
			e.bubbled.Store(1)
		}
	}
	limit := e.limit
	if limit != e.position() {
		panic(e.notAlone())
	}
	seen := limit - e.ahead
	e.waits.Add(1)
	if !e.others.CompareAndSwap(seen, seen|spscAsleep) {
		return false
	}
	if e.of.tail.Load()&spscClosed == 0 { // a later close sees the flag
		return true
	}
	return !e.others.CompareAndSwap(seen|spscAsleep, seen) // if it fails, the end was unparked
}

// wake unparks the end if it is asleep. It panics if its caller, any goroutine, must not do that.
func (e *end[T]) wake() {
	for w := e.others.Load(); w&spscAsleep != 0 && !e.unpark(w); {
		w = e.others.Load()
	}
}

// expire is wake at the end of the context of the given wait. It does nothing in a later wait,
// which may be in a bubble. A wait stores its number before it sets the flag, so a flag that expire
// reads before it reads that number belongs to that wait. If the wait ends before the
// CompareAndSwap, that fails: the position or the flag of the close in w has changed for good, or
// the end has returned because the queue is closed and sleeps no more.
func (e *end[T]) expire(wait uint64) {
	for w := e.others.Load(); w&spscAsleep != 0 && e.waits.Load() == wait && !e.unpark(w); {
		w = e.others.Load()
	}
}

// unpark clears the flag spscAsleep in others and unparks the end (I5). It does nothing and returns
// false if others is no longer w.
func (e *end[T]) unpark(w uint64) bool {
	e.wakeable()
	if !e.others.CompareAndSwap(w, w&^spscAsleep) {
		return false
	}
	e.parker.Unpark()
	return true
}

// wakeable panics if the end, which is asleep, must not be woken by the caller.
func (e *end[T]) wakeable() {
	if v := outside(&e.of.guard, e.bubbled.Load() != 0); v != nil {
		panic(v)
	}
}
