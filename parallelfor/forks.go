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
//	(fork.I1) Only the goroutine that runs as a worker touches its stack. Of the right halves on it,
//	     those below low are given away, and all of these are older than the others. A Join whose
//	     right half was given away does not end before the part has: see leave.
//	(fork.I2) A worker asks one other at a time. It has asked while it is that one's asker. Whoever
//	     takes it from there, itself or the asked one, has ended the question. The asked one then
//	     stores the answer in its inbox, and does nothing else with it, except to wake it.
//	(fork.I3) A part is written by its giver before it is in the inbox, and by the worker that runs
//	     it until it has ended. The giver takes the result then. So its memory is used again.
//	(fork.I4) The giver of a part names the part that it runs as the outer one. So a part is inside of
//	     those on its chain of outer ones, none of which has ended.

// beat is how long a worker has before it is asked for a part, again or for the first time.
const beat = 10 * time.Microsecond

// sharedBeats is how many beats a recursion has at least that is offered to other workers.
const sharedBeats = 3

// asking is how long a worker that has asked another waits for the answer before it asks the next.
const asking = 3 * time.Microsecond

// mostPolls is how often a worker that asks looks for what ends a wait while the clock stands still,
// as in a bubble of testing/synctest.
const mostPolls = 1000

// Naps of workers that find nothing to do.
const (
	firstNap = 50 * time.Microsecond
	lastNap  = time.Millisecond
	longNap  = 1000 * time.Hour // in a bubble
)

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
	scope   atom.Pointer[safety.Scope] // of the batch that the recursion belongs to; nil before it begins
	over    atom.Uint32                // 1 once the recursion has ended
	engine  forkEngine
}

// forker is a worker of a recursion.
type forker struct {
	_     pad.Bytes
	limit atom.Int64 // Joins below this depth do as if they were alone; 0 once another worker has asked
	depth int        // Joins whose left halves run
	low   int        // of these, those whose right halves were given away
	above int        // Joins around the part that it runs, less the depth at which that began
	away  []*given   // by depth
	_     pad.Bytes

	forking *forking
	at      int
	runs    *given // the innermost part that the worker runs; nil for the root
	next    *given // the part that Run begins; nil for the root
	serves  *Pool  // the pool that has a worker less while this one sleeps, or nil
	parker  atom.Parker
	timer   atom.Timer
	seen    int64  // the sum of since of the others at the last seek
	raised  *Panic // of the part whose panic Join has raised last; nil after a violation

	_      pad.Bytes            // other workers read and write the fields below
	asker  atom.Pointer[forker] // (fork.I2)
	level  atom.Int64           // at most that of the oldest right half, when since was set
	since  atom.Int64           // when it began a part or gave one away, less what it had saved; 0 while it runs none
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
	outer *given        // the part inside of which this one is (fork.I4)
	thief atom.Pointer[forker]
	ended atom.Uint32
	failed
}

// failed is whether a part has failed, and how.
type failed struct {
	failed   bool
	value    any    // what it panicked with; nil stands for runtime.Goexit
	panicked *Panic // where it did; nil for a violation
}

func (g *given) reset() {
	g.outer, g.failed = nil, failed{}
	g.ended.Store(0)
}

// nothing is the answer of a worker that gives nothing away.
var nothing given

// prepare makes the recursion ready to run as job j, which has been admitted.
func (c *forking) prepare(j *exec, g grower) {
	c.job, c.grower = j, g
	for len(c.forkers) < j.workers {
		c.forkers = append(c.forkers, atom.Pointer[forker]{})
	}
}

// end forgets everything of a recursion that has ended.
func (c *forking) end() {
	for i := range c.forkers {
		if w := c.forkers[i].Load(); w != nil {
			c.grower.wipe(w)
			w.asker.Store(nil)
			w.inbox.Store(nil)
			w.serves, w.next, w.raised = nil, nil, nil
			w.since.Store(0)
			w.limit.Store(0)
		}
	}
	c.job = nil
	c.scope.Store(nil)
	c.over.Store(0)
}

// seat runs the batch of r: as the root, or parts until the root has ended.
func (c *forking) seat(r *Batches) {
	if c.over.Load() != 0 {
		return
	}
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
	c.scope.Store(scope)
	defer c.stop(w)
	c.engine.begin()
	w.above = 0
	w.rest(c.most()) // the root may be asked at once
	gls.Within(scope, w)
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
	c.over.Store(1)
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

// rest keeps others from asking the worker for a beat less what it has saved.
func (w *forker) rest(saved time.Duration) {
	w.level.Store(int64(w.above + w.low))
	w.since.Store(max(int64(now()-saved), 1))
}

// share returns half of what the worker has saved beyond the beat that it now spends.
func (w *forker) share() time.Duration {
	saved := min(now()-time.Duration(w.since.Load()), w.forking.most())
	return max(saved-beat, 0) / 2
}

// most is how much a worker may have saved: a beat for each other worker.
func (c *forking) most() time.Duration { return time.Duration(c.job.workers-1) * beat }

// Run begins the worker's next part, or the root.
func (w *forker) Run() {
	if g := w.next; g != nil {
		w.execute(g)
	} else {
		w.forking.grower.root(w)
	}
}

// execute runs a part that another worker has given.
func (w *forker) execute(g *given) {
	depth, above, outer, through := w.depth, w.above, w.runs, false
	defer func() {
		if !through {
			g.note(w, recover())
		}
		w.depth, w.low, w.above, w.runs = depth, depth, above, outer
		w.idle()
		giver := g.giver
		g.ended.Store(1)
		if giver.asleep.Load() != 0 {
			giver.parker.Unpark()
		}
	}()
	w.runs, w.above = g, g.level-depth
	w.rest(g.saved)
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
		w.await(w.low - 1)
		w.away[w.low].half.forget()
	}
	w.depth = d
}

// idle notes that the worker runs nothing, and answers whoever has asked it.
func (w *forker) idle() {
	w.since.Store(0)
	if a := w.asker.Swap(nil); a != nil {
		a.tell(&nothing)
	}
}

// tell answers the worker, which has asked.
func (w *forker) tell(g *given) {
	w.inbox.Store(g)
	if w.asleep.Load() != 0 {
		w.parker.Unpark()
	}
}

// asked returns the worker that asks and may have a part, or nil.
func (w *forker) asked() *forker {
	a := w.asker.Swap(nil)
	if a != nil {
		if p := a.waits.Load(); p != nil && !w.within(p) {
			a.tell(&nothing)
			return nil
		}
	}
	return a
}

// give gives the oldest right half away, to a worker that has asked.
func (w *forker) give(g *given, a *forker) {
	w.low++
	g.giver, g.outer, g.level, g.saved = w, w.runs, w.above+w.low, w.share()
	g.thief.Store(a)
	w.rest(g.saved)
	a.tell(g)
}

// within reports whether the worker runs something inside of the part.
func (w *forker) within(p *given) bool {
	for g := w.runs; g != nil; g = g.outer {
		if g == p {
			return true
		}
	}
	return false
}

// steal runs parts until the recursion has ended.
func (w *forker) steal() {
	nap := firstNap
	for s := (atom.Spin{}); w.forking.over.Load() == 0; {
		g := w.seek(&s)
		if g == nil && !s.More() {
			g = w.nap(nil, nap)
			nap = longer(nap)
			s = atom.Spin{}
		}
		if g != nil {
			w.next = g
			gls.Within(w.forking.scope.Load(), w)
			nap, s = firstNap, atom.Spin{}
		}
	}
}

// await waits for the right half at depth d, the newest that was given away, and meanwhile runs
// parts inside of it.
func (w *forker) await(d int) {
	p := w.away[d]
	w.depth = d + 1 // where the stacks of these parts begin
	w.waits.Store(p)
	w.idle()
	nap := firstNap
	for s := (atom.Spin{}); p.ended.Load() == 0; {
		var g *given
		if x := w.runner(p); x != nil {
			g = w.ask(x, p)
		}
		if g == nil && !s.More() {
			g = w.nap(p, nap)
			nap = longer(nap)
			s = atom.Spin{}
		}
		if g != nil {
			w.waits.Store(nil)
			w.execute(g)
			w.waits.Store(p)
			nap, s = firstNap, atom.Spin{}
		}
	}
	w.waits.Store(nil)
	w.depth, w.low = d, d
	w.rest(0)
}

// released reports whether the part p has ended, or if that is nil, the recursion.
func (w *forker) released(p *given) bool {
	if p != nil {
		return p.ended.Load() != 0
	}
	return w.forking.over.Load() != 0
}

// runner returns the worker that runs the part for w, or something inside of the part while that
// one waits. It returns nil if the part has ended meanwhile, so that the chain leads to w itself.
func (w *forker) runner(p *given) *forker {
	for range w.forking.forkers {
		x := p.thief.Load()
		if x == w {
			break
		}
		if p = x.waits.Load(); p == nil {
			return x
		}
	}
	return nil
}

// seek asks another worker for a part: the one with the largest, as far as levels tell. The spin
// begins anew whenever parts have begun, ended or been given away since the last seek.
func (w *forker) seek(s *atom.Spin) *given {
	all := w.forking.forkers[:w.forking.job.workers]
	var best *forker
	var highest, sum int64
	for i := 1; i < len(all); i++ {
		x := all[(w.at+i)%len(all)].Load()
		if x == nil {
			continue
		}
		since := x.since.Load()
		sum += since
		if since == 0 || x.asker.Load() != nil {
			continue
		}
		if level := x.level.Load(); best == nil || level < highest {
			best, highest = x, level
		}
	}
	if sum != w.seen {
		w.seen, *s = sum, atom.Spin{}
	}
	if best == nil {
		return nil
	}
	return w.ask(best, nil)
}

// ask asks another worker for a part once its beat has passed, unless a third asks it. It returns
// nil if that one has none or does not answer soon. It also does if the part p has ended, or if that
// is nil, the recursion.
func (w *forker) ask(x *forker, p *given) *given {
	since := time.Duration(x.since.Load())
	if since == 0 || !w.puts(x) {
		return nil
	}
	rung, until := false, since+beat
	for looks := 0; !w.released(p); looks++ {
		if g := w.inbox.Load(); g != nil {
			return g.real()
		}
		if t := now(); t >= until || looks == mostPolls || atom.Exploring() {
			if rung {
				break
			}
			x.limit.Store(0)
			rung, until, looks = true, t+asking, 0
		}
		atom.Pause()
	}
	return w.retract(x)
}

// puts puts the worker's question to x, if no other's is there.
func (w *forker) puts(x *forker) bool {
	w.inbox.Store(nil)
	return x.asker.CompareAndSwap(nil, w)
}

// retract takes the question back. If x has taken it already, retract returns the answer.
func (w *forker) retract(x *forker) *given {
	if x.asker.CompareAndSwap(w, nil) {
		return nil
	}
	for {
		if g := w.inbox.Load(); g != nil {
			return g.real()
		}
		atom.Yield()
	}
}

// real returns the part, or nil for nothing.
func (g *given) real() *given {
	if g == &nothing {
		return nil
	}
	return g
}

// nap sleeps for d, or until the worker has something to do: a part was given to it, or the part p
// has ended, if it waits for that, or otherwise the recursion has. While it sleeps it asks one that
// runs.
func (w *forker) nap(p *given, d time.Duration) *given {
	x := w.whom(p)
	asked := x != nil && w.puts(x)
	if asked {
		x.limit.Store(0)
	}
	w.asleep.Store(1)
	if !w.released(p) && (!asked || w.inbox.Load() == nil) {
		w.serves.block()
		if d < longNap {
			w.parker.ParkFor(d, &w.timer)
		} else {
			w.parker.Park()
		}
		w.serves.unblock()
	}
	w.asleep.Store(0)
	if !asked {
		return nil
	}
	return w.retract(x)
}

// longer returns how long a nap after one of d is. The clock of a bubble of testing/synctest jumps
// by hours while all its goroutines sleep. So naps have no bound there, and in the end no timer,
// which would keep a bubble that hangs from being found.
func longer(d time.Duration) time.Duration {
	if atom.InBubble() {
		return min(2*d, longNap)
	}
	return min(2*d, lastNap)
}

// whom returns the worker to ask during a nap, or nil.
func (w *forker) whom(p *given) *forker {
	if p != nil {
		return w.runner(p)
	}
	var free *forker
	all := w.forking.forkers[:w.forking.job.workers]
	for i := 1; i < len(all); i++ {
		if x := all[(w.at+i)%len(all)].Load(); x != nil && x.asker.Load() == nil {
			if free = x; x.since.Load() != 0 {
				break
			}
		}
	}
	return free
}
