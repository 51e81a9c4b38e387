package parallelfor

import (
	"reflect"
	"runtime"
	"time"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// This file is how the workers of a recursion share it. A worker runs the body on its own goroutine
// and keeps the right halves that have not begun on a stack of its own, which no other reads. A
// worker that has nothing to do asks one that runs. That one sees it at its next Join, and gives
// away its oldest right half: a part, which is most of the work that it has left. So a Join costs
// no step that another worker sees, and no worker looks at the clock while it runs the body.
//
// Asking costs the asked one about a microsecond, so one that has begun a part, or given one away,
// is not asked for the next beat. A worker that is not asked saves the time that it runs. Each part
// costs a beat, and half of the rest goes with the part: so a recursion gives away one part a beat,
// and yet has parts on all workers after a few Joins of each. A worker that has nothing to do asks
// the one whose oldest right half has the fewest Joins around it, and waits until that one's beat
// has passed. A worker that waits for a part asks only those that run parts of that part (Wagner
// and Calder, Leapfrogging, 1993). Giving away the oldest at a beat is heartbeat scheduling (Acar
// and others, 2018); asking is that of private deques (the same, 2013).
//
// Invariants:
//
//	(fork.I1) Only the goroutine that runs as a worker touches its stack. Of the right halves on
//	     it, those below low are given away, and all of these are older than the others. A Join
//	     whose right half was given away does not end before the part has: see leave.
//	(fork.I2) A worker asks one other at a time, by becoming that one's asker. The question ends
//	     when one of the two takes it from there. If the asked one has, it stores the answer in
//	     the inbox of the worker, and does nothing else with that worker, except to wake it.
//	(fork.I3) A part is written by its giver before it is in the inbox, and by the worker that
//	     runs it until it has ended. The giver takes the result then, and uses the memory again.
//	     A part that has not begun the giver may take back. It then uses the memory again after
//	     the worker that it was given to has dropped it.
//	(fork.I4) The giver of a part names the part that it runs as the outer one. So a part is
//	     inside of those on its chain of outer ones, none of which has ended.

// grower is a tree without its types.
type grower interface {
	seatAt(i int) *forker
	root(w *forker)
	wipe(w *forker)
}

// forking is what a tree has that does not depend on its types.
type forking struct {
	job     *exec
	grower  grower
	forkers []atom.Pointer[forker]     // by index of the job
	scope   atom.Pointer[safety.Scope] // of the batch around; nil before it begins
	round   uint32                     // recursions in this memory
	over    atom.Uint32                // round, once the recursion has ended
	engine  forkEngine
	large   bool // a worker has room for many right halves
}

// forker is a worker of a recursion.
type forker struct {
	_     pad.Bytes
	limit atom.Int64 // Joins below this depth look at nothing else; 0 once another worker asks
	depth int        // Joins whose left halves run
	low   int        // of these, those whose right halves were given away
	above int        // Joins around the part that it runs, less the depth at which that began
	room  int        // Joins deeper than this make room first
	away  []*given   // by depth
	back  []*given   // that were taken back
	_     pad.Bytes

	forking *forking
	at      int
	seated  bool   // it has had a batch in this recursion
	runs    *given // the innermost part that the worker runs; nil for the root
	next    *given // the part that Run begins; nil for the root
	serves  *Pool  // the pool that has a worker less while this one sleeps, or nil
	parker  atom.Parker
	timer   atom.Timer
	seen    int64         // the sum of since of the others at the last seek
	penalty time.Duration // how much longer it is not asked: see judge
	took    time.Duration // how long it has worked on the last part
	beside  time.Duration // of other workers for the part that it runs, less its waits
	raised  *Panic        // of the part whose panic Join has raised last; nil after a violation

	_      pad.Bytes            // other workers read and write the fields below
	asker  atom.Pointer[forker] // (fork.I2)
	level  atom.Int64           // at most that of the oldest right half, when since was set
	since  atom.Int64           // see rest; 0 while it runs nothing
	waits  atom.Pointer[given]  // the part that it waits for
	_      pad.Bytes
	inbox  atom.Pointer[given] // the answer; nothing if there is none
	asleep atom.Uint32
	_      pad.Bytes
}

// given is what a part has that does not depend on its types.
type given struct {
	half interface { // the part
		run(w *forker)
		forget()
	}
	giver *forker
	level int           // Joins around the part
	saved time.Duration // goes to the worker that runs the part
	at    time.Duration // when it was given away
	took  time.Duration // the time of all workers for it
	last  bool          // the giver had no other
	outer *given        // the part inside of which this one is (fork.I4)
	thief atom.Pointer[forker]
	state atom.Uint32
	failed
}

// The states of a part.
const (
	offered = iota // to the worker that has asked
	hasBegun
	hasEnded
	retaken // by its giver
	letGo   // by the worker that it was offered to, which has found it retaken
)

// failed is whether a part has failed, and how.
type failed struct {
	failed   bool
	value    any    // what it panicked with; nil stands for runtime.Goexit
	panicked *Panic // where it did; nil for a violation
}

func (g *given) reset() {
	g.outer, g.failed = nil, failed{}
	g.state.Store(offered)
}

// prepare makes the recursion ready to run as job j, which has been admitted.
func (c *forking) prepare(j *exec, g grower) {
	c.job, c.grower = j, g
	c.round++
	j.work.forking = c
	for len(c.forkers) < j.workers {
		c.forkers = append(c.forkers, atom.Pointer[forker]{})
	}
}

// end forgets everything of a recursion that has ended.
func (c *forking) end() {
	for i := range c.forkers {
		w := c.forkers[i].Load()
		if w == nil || !w.seated {
			continue
		}
		c.grower.wipe(w)
		w.seated, w.serves, w.next, w.raised = false, nil, nil, nil
		for _, g := range w.back {
			g.half.forget()
			g.state.Store(letGo) // the job has ended
		}
		if w.inbox.Load() != nil { // a store costs more
			w.inbox.Store(nil)
		}
		c.large = c.large || len(w.away) > keptDepths
		if w.room > firstDepths {
			w.room = firstDepths
			w.limit.Store(firstDepths)
		}
	}
	c.job = nil
}

// done reports whether the recursion has ended.
func (c *forking) done() bool { return c.over.Load() == c.round }

// seat runs the batch of r: as the root, or parts until the root has ended.
func (c *forking) seat(b *Batches) {
	if c.done() {
		return
	}
	r := workerOf(b)
	w := c.grower.seatAt(r.batch)
	if r.batch > 0 {
		if r.on != nil {
			w.serves = r.on.pool
		}
		w.steal()
		return
	}
	scope := r.job.ticket.Parent()
	w.serves = servingPool(scope)
	if scope == nil {
		scope = r.scope
	}
	if c.scope.Load() != scope {
		c.scope.Store(scope)
	}
	defer c.stop(w)
	c.engine.begin()
	w.above, w.beside, w.penalty = 0, 0, 0
	if w.level.Load() != 0 {
		w.level.Store(0)
	}
	if w.since.Load() != longAgo {
		w.since.Store(longAgo) // the root may be asked at once
	}
	if scope == r.scope {
		w.Run() // the worker is under it
	} else {
		gls.Within(scope, w)
	}
}

// seats makes w the worker of index i.
func (c *forking) seats(w *forker, i int) {
	w.forking, w.at, w.parker = c, i, atom.NewParker()
	w.timer.Call = w.parker.Unpark
	c.forkers[i].Store(w)
}

// stop ends the recursion when the root, which worker w runs, has ended.
func (c *forking) stop(w *forker) {
	c.engine.end()
	c.over.Store(c.round)
	for i := range c.forkers {
		if w := c.forkers[i].Load(); w != nil && w.asleep.Load() != 0 {
			w.parker.Unpark()
		}
	}
	if w.raised != nil {
		if v := recover(); v != nil {
			if w.raises(v) {
				v = w.raised
			}
			panic(v)
		}
	}
}

// note notes that the part panicked with v on worker w. A nil v stands for runtime.Goexit.
func (f *failed) note(w *forker, v any) {
	f.failed, f.value, f.panicked = true, v, w.raised
	if v != nil && !w.raises(v) {
		f.panicked = w.forking.job.caught(0, v).panicked
	}
}

// raise fails on worker w as the part did. See raises.
//
//go:noinline
func (f failed) raise(w *forker) {
	w.raised = f.panicked
	if f.value == nil {
		runtime.Goexit()
	}
	panic(f.value)
}

// raises reports whether the panic with v that the calling goroutine has just recovered from is the
// one that raise has raised last. An equal one from elsewhere has no call of raise on its stack.
func (w *forker) raises(v any) bool {
	if w.raised == nil || !same(v, w.raised.Value) {
		return false
	}
	var pcs [64]uintptr
	for skip, n := 0, len(pcs); n == len(pcs); skip += n {
		n = runtime.Callers(skip, pcs[:])
		for _, pc := range pcs[:n] {
			if f := runtime.FuncForPC(pc - 1); f != nil && f.Entry() == raiseEntry {
				return true
			}
		}
	}
	return false
}

// raiseEntry is where the code of failed.raise begins.
var raiseEntry = reflect.ValueOf(failed.raise).Pointer()

// same reports whether two interfaces hold the same words.
func same(a, b any) bool {
	return *(*[2]uintptr)(unsafe.Pointer(&a)) == *(*[2]uintptr)(unsafe.Pointer(&b))
}

// Run begins the worker's next part, or the root.
func (w *forker) Run() {
	if g := w.next; g != nil {
		w.execute(g)
	} else {
		w.forking.grower.root(w)
	}
}

// execute runs a part that another worker has given, unless that one has taken it back (fork.I3).
func (w *forker) execute(g *given) {
	if !g.state.CompareAndSwap(offered, hasBegun) {
		g.state.Store(letGo)
		return
	}
	depth, above, outer, beside, through := w.depth, w.above, w.runs, w.beside, false
	start := now()
	w.beside = 0
	defer func() {
		if !through {
			g.note(w, recover())
		}
		w.took = now() - start
		g.took = w.took + w.beside
		w.beside = beside
		w.depth, w.low, w.above, w.runs = depth, depth, above, outer
		w.idle()
		giver := g.giver
		g.state.Store(hasEnded)
		if giver.asleep.Load() != 0 {
			giver.parker.Unpark()
		}
	}()
	w.runs, w.above = g, g.level-depth
	w.rest(g.saved - w.penalty)
	g.half.run(w)
	through = true
}

// leave is deferred by each Join, at depth d. After a panic it takes what Joins above have left on
// the stack, and waits for the right half, if that was given away.
func (w *forker) leave(d int) {
	if w.depth != d {
		w.unwind(d)
	}
}

// unwind is leave after a panic, or while the goroutine ends. It waits for the right halves at
// depth d and above that were given away, and drops what they have returned. If a part that it runs
// meanwhile ends the goroutine, it goes on as the goroutine ends.
//
//go:noinline
func (w *forker) unwind(d int) {
	defer w.leave(d)
	for w.low > d {
		if !w.takesBack(w.low - 1) {
			w.await(w.low - 1)
			w.away[w.low].half.forget()
		}
	}
	w.depth = d
}
