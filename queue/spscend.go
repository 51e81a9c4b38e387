package queue

import (
	"context"
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/kind"
	"example.com/custody/safety"
)

// end is what the two ends of an [SPSC] have in common. It is its goroutine's, but for what says otherwise.
type end[T any] struct {
	course
	items []T // the queue's
	of    *SPSC[T]
	holds bool // items may keep something alive
	fetch int  // how many places to fetch at a time
	line  int  // how many of these lie in a cache line; 0: they are not fetched

	held  int    // how many places the last window has
	since uint64 // the position at which it was given out
	turn  uint64 // which one it is

	patience
	parker  atom.Parker       // of the goroutine, while the others' count has the flag that it is asleep
	bubbled atom.HiddenUint32 // 1 while the parker belongs to a bubble; see outside
	waits   atom.HiddenUint64 // the number of the last wait
}

// init makes the end one of a queue.
func (e *end[T]) init(of *SPSC[T], items []T, count, others *atom.Uint64) {
	e.begin(&of.guard, len(items), count, others)
	item := reflect.TypeFor[T]()
	e.of, e.items, e.holds = of, items, kind.Holds(item)
	e.fetch, e.line = fetchOf(max(1, int(item.Size())))
	e.fetch = min(e.fetch, len(items))
	e.most = len(items)
	e.parker = atom.NewParker()
}

// move makes known that the end has got from was to a position, when it was not just so: the queue is closed, which is
// over for the producer; or the other end waits. It panics when another goroutine has moved the end.
func (e *end[T]) move(was, to uint64) outcome {
	for {
		w := e.count.Load()
		switch {
		case w&^spscFlags != was:
			panic(e.notAlone())
		case w&spscClosed != 0:
			return over
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

// mayMove panics if the other end, by the flag in the end's count w, is asleep and must not be woken
// by the caller.
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

// from returns n places from a position on.
func (e *end[T]) from(p uint64, n int) (a, b []T) {
	all, k := e.items, e.place(p)
	if rest := len(all) - k; n > rest {
		return all[k:], all[: n-rest : n-rest]
	}
	return all[k : k+n : k+n], nil
}

// empty clears n places from a position on, if they may keep something alive.
func (e *end[T]) empty(p uint64, n int) {
	if e.holds {
		a, b := e.from(p, n)
		atom.Plain()
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
	if !safety.Strict { // where the operation has entered
		e.claim()
		defer e.leave()
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
		wait := e.waits.Load()
		stop = afterFunc(ctx, func() { e.expire(wait) })
		watched = true
	}
	e.parker.Park()
}

// doze sets the flag that the end is asleep, when there is still nothing for it, and says whether it has to park. It panics
// when somebody else has used the end since there was nothing.
func (e *end[T]) doze() bool {
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
	if e.of.tail.Load()&spscClosed == 0 { // who closes it from now on sees the flag
		return true
	}
	return !e.others.CompareAndSwap(seen|spscAsleep, seen) // otherwise it was unparked
}

// rouse unparks the end if it is asleep. Any goroutine may call it.
func (e *end[T]) rouse() {
	for w := e.others.Load(); w&spscAsleep != 0 && !e.unpark(w); w = e.others.Load() {
	}
}

// expire is rouse for the end of the context of one wait. It does nothing in a later wait, which may
// be in a bubble: a wait has its number before it sets the flag. If the wait ends after expire has
// read its number, the word w is another one for good, because a position or the flag of the close
// has changed, and no end goes to sleep once it has seen the queue closed.
func (e *end[T]) expire(wait uint64) {
	for w := e.others.Load(); w&spscAsleep != 0 && e.waits.Load() == wait && !e.unpark(w); w = e.others.Load() {
	}
}

// unpark takes the flag out of w, the count that the other end moves, and unparks the end. It fails
// if the count is no longer w.
func (e *end[T]) unpark(w uint64) bool {
	e.wakeable()
	if !e.others.CompareAndSwap(w, w&^spscAsleep) {
		return false
	}
	e.parker.Unpark()
	return true
}

// wakeable panics when the end, which is asleep, must not be woken by the caller.
func (e *end[T]) wakeable() {
	if v := e.outside(); v != nil {
		panic(v)
	}
}

// outside returns the violation of waking the end, which is asleep, by the caller, or nil.
func (e *end[T]) outside() *safety.Violation { return outside(&e.of.guard, e.bubbled.Load() != 0) }
