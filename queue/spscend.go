package queue

import (
	"context"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// end is what the two ends of an [SPSC] have in common. It is its goroutine's, but for what says otherwise.
type end[T any] struct {
	of    *SPSC[T]
	items []T    // the queue's
	mine  uint64 // what the end has counted up to
	limit uint64 // up to where it can, by what the other end had counted when it was looked at last
	near  uint64 // up to where it goes before it fetches more (I6)
	at    int    // the place of the next item
	holds bool   // items may keep something alive
	fetch int    // how many places to fetch at a time
	line  int    // how many of these lie in a cache line; 0: they are not fetched

	count  *atom.Uint64 // the end's own
	others *atom.Uint64 // the other end's
	seen   uint64       // what that was when it was looked at last, without flags

	held  int    // how many places the last window has
	since uint64 // the count at which it was given out
	turn  uint64 // which one it is

	patience
	parker  atom.Parker       // of the goroutine, while the others' count has the flag that it is asleep
	bubbled atom.HiddenUint32 // 1 while the parker belongs to a bubble; see outside
	busy    atom.HiddenUint64
}

// enter begins an operation at an end. In strict builds it panics when another one is under way.
func (e *end[T]) enter(who string) {
	e.exists()
	if !e.busy.CompareAndSwap(0, 1) {
		panic(e.alone(who))
	}
}

// leave ends it, in strict builds.
func (e *end[T]) leave() { e.busy.Store(0) }

// exists panics when the queue was disposed, or never made. Who moves finds that by itself, and asks then (I4).
func (e *end[T]) exists() {
	if e.of == nil {
		(&safety.Guard{}).CheckExists()
	}
	e.of.guard.CheckExists()
}

// alone is the violation of using an end from two goroutines at the same time.
func (e *end[T]) alone(who string) *safety.Violation {
	g := &e.of.guard
	return g.Violation(safety.ErrConflict, g.Container()+" was used by two "+who+"s at the same time",
		"Each end is one goroutine's at a time. Order the two, by a channel or a lock, or take a Ring.")
}

// next returns the count behind n more places.
func next(count uint64, n int) uint64 { return count + uint64(n)*spscUnit }

// move makes known that the end has counted from was to n places more, when it was not just so: the queue is closed, which is
// over for the producer; or the other end waits. It panics when another goroutine has counted.
func (e *end[T]) move(was uint64, n int, who string) outcome {
	for {
		w := e.count.Load()
		switch {
		case w&^spscFlags != was:
			panic(e.alone(who))
		case w&spscClosed != 0:
			return over
		}
		if w&spscAsleep != 0 {
			e.other().wakeable()
		}
		if e.count.CompareAndSwap(w, next(was, n)) {
			if w&spscAsleep != 0 {
				e.other().parker.Unpark()
			}
			return done
		}
	}
}

// other returns the other end.
func (e *end[T]) other() *end[T] {
	if e == &e.of.producer.end {
		return &e.of.consumer.end
	}
	return &e.of.producer.end
}

// one goes on one place, behind the count that was.
func (e *end[T]) one(was uint64) {
	e.mine = was + spscUnit
	if e.at++; e.at == len(e.items) {
		e.at = 0
	}
}

// step goes on n places.
func (e *end[T]) step(n int) {
	e.mine = next(e.mine, n)
	if rest := len(e.items) - e.at; n >= rest {
		e.at = n - rest
	} else {
		e.at += n
	}
	e.near = e.mine // (I6)
}

// left returns how many places the end may use, by what it has seen.
func (e *end[T]) left() int { return int((e.limit - e.mine) / spscUnit) }

// places returns n places from the current one on.
func (e *end[T]) places(n int) (a, b []T) {
	all := e.items
	if rest := len(all) - e.at; n > rest {
		return all[e.at:], all[: n-rest : n-rest]
	}
	return all[e.at : e.at+n : e.at+n], nil
}

// empty clears n places from the current one on, if they may keep something alive.
func (e *end[T]) empty(n int) {
	if e.holds {
		a, b := e.places(n)
		clear(a)
		clear(b)
	}
}

// await waits until try has an answer, for who was told that there is none. left looks how much of what it waits for there
// is.
func (e *end[T]) await(ctx context.Context, try func() outcome, left func() int) error {
	if o := e.lookOn(try, left); o != blocked {
		return o.err()
	}
	for {
		if e.doze() {
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

// sleep parks until the flag was taken out, by the end of the context at the latest. When the context panics it is taken out.
func (e *end[T]) sleep(ctx context.Context) {
	stop := func() bool { return true }
	defer func() { stop() }()
	if ctx.Done() != nil {
		watched := false
		defer func() {
			if !watched {
				e.rouse()
				e.parker.Park() // for who took it out has unparked (I5)
			}
		}()
		stop = afterFunc(ctx, e.rouse)
		watched = true
	}
	e.parker.Park()
}

// doze sets the flag that the end is asleep, when there is still nothing for it, and says whether it has to park.
func (e *end[T]) doze() bool {
	if b := atom.InBubble(); b || e.bubbled.Load() != 0 {
		e.parker = atom.NewParker()
		e.bubbled.Store(0)
		if b {
			e.bubbled.Store(1)
		}
	}
	if !e.others.CompareAndSwap(e.seen, e.seen|spscAsleep) {
		return false
	}
	if e.of.tail.Load()&spscClosed == 0 { // who closes it from now on sees the flag
		return true
	}
	return !e.others.CompareAndSwap(e.seen|spscAsleep, e.seen) // otherwise it was unparked
}

// rouse unparks the end if it is asleep. Any goroutine may.
func (e *end[T]) rouse() {
	for {
		w := e.others.Load()
		if w&spscAsleep == 0 {
			return
		}
		e.wakeable()
		if e.others.CompareAndSwap(w, w&^spscAsleep) {
			e.parker.Unpark()
			return
		}
	}
}

// wakeable panics when the end, which is asleep, must not be woken by the caller.
func (e *end[T]) wakeable() {
	if v := outside(&e.of.guard, e.bubbled.Load() != 0); v != nil {
		panic(v)
	}
}
