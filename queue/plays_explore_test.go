//go:build custody_explore

package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
	"example.com/custody/safety"
)

// subject is what the queues have in common.
type subject interface {
	TryEnqueue(v int) bool
	TryDequeue() (int, bool)
	Enqueue(ctx context.Context, v int) error
	Dequeue(ctx context.Context) (int, error)
	EnqueueAll(vs []int) int
	DequeueInto(dst []int) int
	Peek() (int, bool)
	Len() int
	Close()
}

// doing is what a task does: an operation, with as many items as a batch has.
type doing struct {
	op     spec.Op
	n      int
	window bool // the items are put in or taken out through a window
	ends   bool // the task's context may end; then it goes on where the operation ended in that, by putting back what it owes
	cancel int  // the task whose context it ends, and 1
}

var (
	put     = doing{op: spec.TryEnqueue}
	take    = doing{op: spec.TryDequeue}
	putW    = doing{op: spec.Enqueue}
	takeW   = doing{op: spec.Dequeue}
	putC    = doing{op: spec.Enqueue, ends: true}
	takeC   = doing{op: spec.Dequeue, ends: true}
	peek    = doing{op: spec.Peek}
	count   = doing{op: spec.Len}
	finish  = doing{op: spec.Close}
	putTwo  = doing{op: spec.EnqueueAll, n: 2}
	takeTwo = doing{op: spec.DequeueInto, n: 2}
)

func cancel(task int) doing { return doing{cancel: task + 1} }

// play is a scenario: a few tasks that use a queue.
type play struct {
	name     string
	capacity int
	laps     uint64 // in how many laps positions wrap around
	filled   int    // items that are in the queue at first
	tasks    [][]doing
	crowd    *int // if two tasks use one end of an SPSC: number of schedules in which one panics
}

// ending is a context that a task ends. It calls who waits for that without a goroutine of its own.
type ending struct {
	over atom.Uint32
	mu   atom.Mutex
	next int
	wait map[int]func()
}

func (c *ending) Deadline() (t time.Time, ok bool) { return t, false }
func (c *ending) Done() <-chan struct{}            { return make(chan struct{}) }
func (c *ending) Value(any) any                    { return nil }

func (c *ending) Err() error {
	if c.over.Load() != 0 {
		return context.Canceled
	}
	return nil
}

func (c *ending) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	if c.over.Load() != 0 {
		c.mu.Unlock()
		f()
		return func() bool { return false }
	}
	k := c.next
	c.next++
	c.wait[k] = f
	c.mu.Unlock()
	return func() bool {
		c.mu.Lock()
		_, in := c.wait[k]
		delete(c.wait, k)
		c.mu.Unlock()
		return in
	}
}

func (c *ending) cancel() {
	c.mu.Lock()
	c.over.Store(1)
	var calls []func()
	for k := range c.next {
		if f := c.wait[k]; f != nil {
			calls = append(calls, f)
		}
		delete(c.wait, k)
	}
	c.mu.Unlock()
	for _, f := range calls {
		f()
	}
}

// player is a subject with what a play on it needs.
type player struct {
	subject
	history explore.History[spec.QueueIn, spec.QueueOut]
	next    []int // by task, the value that it puts in next
	ctx     []*ending
	alone   bool // each task has an end of its own
	told    bool // a task panicked because it is not alone at its end
}

// fresh returns the next values of a task.
func (p *player) fresh(task, n int) []int {
	vs := make([]int, n)
	for i := range vs {
		vs[i] = p.next[task]
		p.next[task]++
	}
	return vs
}

// nothing is what an operation is noted as that ended with its context: it did nothing.
var nothing = spec.QueueIn{Op: spec.EnqueueAll}

// do does what a task does.
func (p *player) do(task int, d doing) (out spec.QueueOut) {
	if d.cancel > 0 {
		p.ctx[d.cancel-1].cancel()
		return out
	}
	ctx := context.Background()
	if d.ends {
		ctx = p.ctx[task]
	}
	return p.history.Note(task, func() (in spec.QueueIn, out spec.QueueOut) {
		in.Op = d.op
		switch d.op {
		case spec.TryEnqueue:
			in.Value = p.fresh(task, 1)[0]
			out.OK = p.TryEnqueue(in.Value)
		case spec.TryDequeue:
			out.Value, out.OK = p.TryDequeue()
		case spec.Peek:
			out.Value, out.OK = p.Peek()
		case spec.All:
			out.Batch = spec.BatchOf(slices.Collect(p.subject.(interface{ All() iter.Seq[int] }).All())...)
		case spec.Len:
			out.N = p.Len()
		case spec.EnqueueAll:
			vs := p.fresh(task, d.n)
			in.Batch = spec.BatchOf(vs...)
			if d.window {
				out.N = p.subject.(ends).putWindow(vs)
			} else {
				out.N = p.EnqueueAll(vs)
			}
		case spec.DequeueInto:
			in.Value = d.n
			vs := make([]int, d.n)
			if d.window {
				out.Batch = spec.BatchOf(p.subject.(ends).takeWindow(vs)...)
			} else {
				out.Batch = spec.BatchOf(vs[:p.DequeueInto(vs)]...)
			}
		case spec.Close:
			p.Close()
		case spec.Enqueue:
			in.Value = p.fresh(task, 1)[0]
			err := p.Enqueue(ctx, in.Value)
			out.OK = err == nil
			if d.ends && errors.Is(err, context.Canceled) {
				return nothing, spec.QueueOut{}
			}
		case spec.Dequeue:
			v, err := p.Dequeue(ctx)
			out.Value, out.OK = v, err == nil
			if d.ends && errors.Is(err, context.Canceled) {
				return nothing, spec.QueueOut{}
			}
		}
		return in, out
	})
}

// program returns a function that sets the play up with what fresh returns.
func (s play) program(fresh func(capacity int, laps uint64) subject) func(*explore.Program) {
	options := []spec.QueueOption{spec.ItemByItem()}
	if s.capacity > 0 {
		options = append(options, spec.Capacity(s.capacity))
	}
	queue := spec.Queue(options...)
	for i := range s.filled {
		queue.Init, _ = queue.Step(queue.Init, spec.QueueIn{Op: spec.TryEnqueue, Value: i + 1}, spec.QueueOut{OK: true})
	}
	checker := linear.NewChecker(queue)
	p := &player{next: make([]int, len(s.tasks)), ctx: make([]*ending, len(s.tasks))}
	return func(x *explore.Program) {
		p.subject, p.told = fresh(s.capacity, s.laps), false
		_, p.alone = p.subject.(ends)
		p.history.Reset(len(s.tasks) + 1)
		for i := range s.filled {
			p.EnqueueAll([]int{i + 1})
		}
		for i, ds := range s.tasks {
			p.next[i], p.ctx[i] = 16*(i+1), &ending{wait: map[int]func(){}}
			x.Go(fmt.Sprint("task ", i), func() {
				if s.crowd != nil {
					defer p.notice()
				}
				for _, d := range ds {
					out := p.do(i, d)
					if !out.OK && d.ends && !p.alone { // what it did not take or bring the others may wait for
						return
					}
					switch {
					case !d.ends || p.alone:
					case d.op == spec.Dequeue:
						p.do(i, putW)
					default:
						p.do(i, takeW)
					}
				}
			})
		}
		x.Then(func() {
			for p.do(len(s.tasks), take).OK {
			}
		})
		x.Judge(func() error {
			if p.told {
				*s.crowd++
				return nil
			}
			return checker.Check(p.history.Ops())
		})
	}
}

// notice ends a task that panicked because it is not alone at its end.
func (p *player) notice() {
	switch v := recover().(type) {
	case nil:
	case *safety.Violation:
		if !errors.Is(v, safety.ErrConflict) && !errors.Is(v, safety.ErrWriteRange) {
			panic(v)
		}
		p.told = true
	default:
		panic(v)
	}
}

// searching are the plans of plays: every schedule with one interruption, so many of each other
// kind, and those that the environment asks for.
func searching(n int) []explore.Plan {
	return append(explore.Guarantees(), explore.Exhaustive(1, 30_000), explore.PCT(2, n/2), explore.PCT(3, n), explore.Random(n))
}
