package parallelfor

import (
	"context"
	"iter"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// chunk is items that one job executes. It is the kind of the job.
type chunk[J, A, B any] struct {
	f      func(j *J, i int, a A) (B, error)
	in     []A
	out    []B
	first  int // the number of its first item
	job    *exec
	failed atom.HiddenUint64 // the number in the chunk of the first item that failed
	took   atom.HiddenInt64  // the time of its workers, added up
}

// Loop implements [Kind].
func (c *chunk[J, A, B]) Loop(j *J, r *Batches) (err error) {
	start, i, through := now(), 0, false
	defer func() {
		c.took.Add(int64(now() - start))
		for !through {
			if old := c.failed.Load(); uint64(i) >= old || c.failed.CompareAndSwap(old, uint64(i)) {
				return
			}
		}
	}()
	for r.Next() {
		for i = r.Begin(); i < r.End(); i++ {
			if c.out[i], err = c.f(j, c.first+i, c.in[i]); err != nil {
				return err
			}
			if r.leaves() {
				return nil // the batch fails, because f has left a job uncompleted
			}
		}
	}
	through = true
	return nil
}

// leaves reports whether the batch has left jobs uncompleted.
//
//go:noinline
func (r *Batches) leaves() bool { return workerOf(r).scope.Busy() }

// flow is a range over a MapSeq, or a ForSeq, whose yield returns true.
type flow[J, A, B any] struct {
	sequence
	job     *J
	f       func(j *J, i int, a A) (B, error)
	yield   func(B, error) bool
	filled  *chunk[J, A, B]   // nil if no item was read since the last job was scheduled
	flying  []*chunk[J, A, B] // those that have jobs which are not completed, in their order
	spare   []*chunk[J, A, B]
	reading bool // the source runs
}

// run reads the source to its end.
func (x *flow[J, A, B]) run(source iter.Seq2[A, error]) {
	defer x.drop()
	defer x.sourceEnds()
	if x.held || len(x.opts) > 0 || x.ctx == nil {
		x.filled = x.begin()
		x.schedule() // keeps (seq.I2), and refuses options whatever the source yields
	}
	x.reading = true
	for a, err := range source {
		x.reading = false
		if err == nil && !x.add(a) || err != nil && !x.told(err) {
			return
		}
		x.reading = true
	}
	x.reading = false
	if x.deliver(0) {
		x.goesOn()
	}
}

// told takes what was read before an error of the source, and yields the error. It reports whether
// the loop goes on.
func (x *flow[J, A, B]) told(err error) bool {
	var none B
	if err != Flush {
		if x.deliver(0) {
			x.yield(none, err)
		}
		return false
	}
	if x.held {
		return x.goesOn()
	}
	return x.deliver(0) && x.goesOn() && x.yield(none, Flush)
}

// goesOn yields the cause if the context has ended, and otherwise reports true.
func (x *flow[J, A, B]) goesOn() bool {
	if x.ctx.Err() == nil {
		return true
	}
	var none B
	x.yield(none, context.Cause(x.ctx))
	return false
}

// sourceEnds is deferred. If the source panics, the results of the items that it has yielded come
// first, as in the sequential loop.
func (x *flow[J, A, B]) sourceEnds() {
	if !x.reading {
		return
	}
	x.reading = false
	if p := recover(); p != nil {
		if x.deliver(0) {
			panic(p)
		}
	} else if x.held { // the source ends the goroutine
		x.deliver(0)
	}
}

// dropped is the failure of jobs whose results nothing takes.
var dropped = &failure{batch: -1, cancelled: true}

// drop ends the jobs whose results nothing takes.
func (x *flow[J, A, B]) drop() {
	for _, c := range x.flying {
		if !x.held {
			c.job.fail(dropped)
		}
	}
	for _, c := range x.flying {
		c.job.retain()
		c.job.completeBy((*exec).wait)
		c.job.letGo()
	}
}

// begin returns a chunk to be filled.
func (x *flow[J, A, B]) begin() (c *chunk[J, A, B]) {
	if n := len(x.spare); n > 0 {
		c, x.spare = x.spare[n-1], x.spare[:n-1]
	} else {
		c = &chunk[J, A, B]{f: x.f}
	}
	c.first = x.read
	x.aim()
	return c
}

// add adds an item, and reports whether the loop goes on.
func (x *flow[J, A, B]) add(a A) bool {
	if x.filled == nil {
		x.filled = x.begin()
	}
	c := x.filled
	c.in = append(c.in, a)
	x.read++
	if !x.full(len(c.in), len(x.flying) == 0 || x.flying[len(x.flying)-1].job.finished()) {
		return true
	}
	x.schedule()
	return x.deliver(mostChunks - 1)
}

// schedule schedules the job of the chunk that is filled, if there is one.
func (x *flow[J, A, B]) schedule() {
	c := x.filled
	if c == nil {
		return
	}
	n := len(c.in)
	if cap(c.out) < n {
		c.out = make([]B, n)
	}
	c.out = c.out[:n]
	c.failed.Store(uint64(n))
	c.took.Store(0)
	opts := append(x.opts[:len(x.opts):len(x.opts)], Option{what: optPart, n: c.first})
	if x.held && x.batch != -1 {
		opts = append(opts, Batch(x.unit)) // keeps (seq.I3)
	}
	if last := len(x.flying) - 1; x.chained && last >= 0 {
		opts = append(opts, After(x.flying[last].job.handle()))
	}
	a := build(x.ctx, n, x.job, c, about{x.code, x.form, indexUnit}, opts, scheduled, x.site)
	w := workOf(a)
	v := w.indexed()
	c.job = w.exec
	c.job.retain()
	x.filled, x.flying = nil, append(x.flying, c)
	a.handOut()
	if v != nil {
		panic(v)
	}
}

// indexed returns the violation of a view that the indices of a loop restrict, or nil. The loop has
// none: its items have numbers only within chunks.
func (w *work) indexed() *safety.Violation {
	for i := range w.bindings.views {
		if c := w.ticket.Claimed(i); c.Ranged {
			in := ""
			if c.Field != "" {
				in = " in field " + c.Field
			}
			v := c.Guard.Violation(safety.ErrNoRange, "job "+w.name+" is a loop over a source and has"+in+" a view of "+c.Guard.Container()+" that indices restrict",
				"Items of a source have no indices. Take a Reader, the ParallelWriter of a list, map or counter, or the KeyedWriter of a stream; or collect the items in a slice, and use For.")
			v.Job, v.Field = w.name, c.Field
			return v
		}
	}
	return nil
}

// deliver takes the results of jobs until at most so many jobs are left, and of others that have
// finished, except with -race: what completes a job orders it. For 0 it schedules the items that
// were read first. It reports whether the loop goes on.
func (x *flow[J, A, B]) deliver(most int) bool {
	least := 0
	if most == 0 {
		x.schedule()
	} else if x.held {
		least = 1 // keeps (seq.I2)
	}
	for len(x.flying) > most || !atom.Race && len(x.flying) > least && x.flying[0].job.finished() {
		if !x.take() {
			return false
		}
	}
	return true
}

// help works on jobs, the oldest first, until that one has finished or no job has anything to do.
func (x *flow[J, A, B]) help() {
	for i := 0; i < len(x.flying) && !x.flying[0].job.finished(); {
		j := x.flying[i].job
		if w, ok := j.join(nil); ok {
			j.execute(w)
			i = 0
		} else {
			i++
		}
	}
}

// take yields the results of the oldest job, or those before its failure, and the failure. It
// reports whether the loop goes on.
func (x *flow[J, A, B]) take() bool {
	c := x.flying[0]
	x.help()
	c.job.retain()
	f := c.job.completeBy((*exec).wait)
	n := int(c.failed.Load())
	if f != nil && f.cancelled {
		n = 0
	}
	for i := range n {
		if !x.yield(c.out[i], nil) {
			return false
		}
	}
	if f != nil {
		f.raise(false)
		if f.err == Flush {
			panic(senseless("a function that is called for items returned Flush", "Flush is for sources: return another error.", 0).In(c.job.ticket.Job(), ""))
		}
		var none B
		x.yield(none, f.err)
		return false
	}
	x.learn(n, time.Duration(c.took.Load()))
	clear(c.in)
	clear(c.out)
	c.in = c.in[:0]
	c.job.letGo()
	x.flying = append(x.flying[:0], x.flying[1:]...)
	x.spare = append(x.spare, c)
	return true
}
