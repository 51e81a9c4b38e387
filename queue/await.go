package queue

import "context"

// await waits until try has an answer, for who was told that there is none. left says how much of what it waits for there is.
func await(ctx context.Context, q *waiters, try func() outcome, left func() int) error {
	if o := q.lookOn(try, left); o != blocked {
		return o.err()
	}
	for ends := ctx.Done() != nil; ; {
		w := q.enter(ends)
		if o := q.tryEntered(w, ends, try); o != blocked {
			return o.err()
		}
		ended := q.sleep(ctx, w, ends)
		if o := q.tryCalled(ended, try); o != blocked {
			return o.err()
		}
		if ended {
			return context.Cause(ctx)
		}
	}
}

// tryEntered tries for a waiter that has entered. It leaves when there is an answer, or a panic.
func (q *waiters) tryEntered(w *waiter, ends bool, try func() outcome) (o outcome) {
	stays := false
	defer func() {
		if !stays {
			q.leave(w, ends)
		}
	}()
	o = try()
	stays = o == blocked
	return o
}

// tryCalled tries for a waiter that has slept. When it panics it passes its call on.
func (q *waiters) tryCalled(ended bool, try func() outcome) (o outcome) {
	answered := ended
	defer func() {
		if !answered {
			q.call(1) // (I2)
		}
	}()
	o = try()
	answered = true
	return o
}
