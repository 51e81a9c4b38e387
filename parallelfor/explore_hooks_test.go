//go:build custody_explore

package parallelfor

import "reflect"

// Forget drops the memory that jobs of type J use again, so that every execution of an explored
// program begins alike.
func Forget[J any]() {
	ForgetAutoOrder()
	v, ok := plans.Load(reflect.TypeFor[J]())
	if !ok {
		return
	}
	p := v.(*plan)
	if w := p.spare.Swap(nil); w != nil {
		p.rest.Give(w)
	}
	for w := p.rest.Take().out(); w != nil; w = p.rest.Take().out() {
		for _, f := range w.copies {
			if f != nil {
				f.scope.Discard()
			}
		}
	}
}

// SpinAndStop does to the pool what a goroutine does that waits, looks for work, and stops looking.
func SpinAndStop(p *Pool) {
	p.waiters.Add(1)
	p.stopSpinning()
}

// Block and Unblock do to the pool what a worker does that begins to wait inside a body, and that
// ends it.
func Block(p *Pool)   { p.block() }
func Unblock(p *Pool) { p.unblock() }

// LapseOf returns the function that the context of the worker's loop calls when it has ended, or
// nil while that context has not been told. Another worker may be telling it.
//
//go:norace
func LapseOf(w Worker) func() {
	c := workerOf(w.state.batches).job.contexts
	if c == nil || c.stop == nil {
		return nil
	}
	return c.lapse
}

// Hand is a hand whose batches a test hands out.
type Hand struct{ h distribution }

// NewHand deals the batches to the workers.
func NewHand(batches, workers int) *Hand {
	h := new(Hand)
	h.h.reset(batches, workers, batches%2 == 1)
	return h
}

// Take gives the worker its next batches.
func (h *Hand) Take(worker int) (begin, end int, ok bool) { return h.h.take(worker) }

// Filled returns the number of spans that count as filled.
func (h *Hand) Filled() int64 { return h.h.filled.Load() }

// AllShort makes all scheduled jobs of explored programs short, until undo is called. If timer is
// false, no time passes for those that are put off.
func AllShort(timer bool) (undo func()) {
	shortInExecutions, timerStands = true, !timer
	return func() { shortInExecutions, timerStands = false, false }
}
