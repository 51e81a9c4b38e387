package counter

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// Min is the smallest of the numbers that many goroutines observe. A Min must not be copied.
//
// All methods may be called by any goroutine at any time, except while a job holds the container in
// a way that excludes them. They are linearizable. A NaN is ignored. Of -0 and +0, which are equal,
// the one observed first stays.
//
// Cost: an Observe that changes nothing is four loads, which no other processor notices; one that
// changes the result takes a lock.
//
// Observe, Value: linearizable; wait-free, lock beside a change; O(1); allocates never.
// Set, Reset: linearizable; lock; O(1); allocates never.
type Min[T Number] struct{ extremum[T] }

// Max is the largest of the numbers that many goroutines observe. In all else it is as [Min].
//
// Observe, Value: linearizable; wait-free, lock beside a change; O(1); allocates never.
// Set, Reset: linearizable; lock; O(1); allocates never.
type Max[T Number] struct{ extremum[T] }

// NewMin returns a Min that has observed nothing.
func NewMin[T Number](opts ...safety.Option) *Min[T] {
	m := new(Min[T])
	m.guard.Init(m, 0, opts...)
	m.guard.Phases((*extremumPhases[T])(&m.extremum))
	return m
}

// NewMax returns a Max that has observed nothing.
func NewMax[T Number](opts ...safety.Option) *Max[T] {
	m := new(Max[T])
	m.max = true
	m.guard.Init(m, 0, opts...)
	m.guard.Phases((*extremumPhases[T])(&m.extremum))
	return m
}

// best is the best of the numbers observed, if any was.
type best[T Number] struct {
	v    T
	seen bool
	max  bool // the largest is best
}

// observe takes v if it is better. A NaN is never taken.
//
//go:norace
func (b *best[T]) observe(v T) {
	if b.beats(v) {
		b.v, b.seen = v, true
	}
}

// beats reports whether v is better than what was observed.
//
//go:norace
func (b *best[T]) beats(v T) bool {
	if !b.seen {
		return v == v
	}
	if b.max {
		return v > b.v
	}
	return v < b.v
}

// extremum is the implementation of Min and Max.
type extremum[T Number] struct {
	guard safety.Guard
	max   bool
	mu    atom.Mutex // held to change state and word

	_     pad.Bytes
	state atom.Uint64 // see changing
	word  atom.Uint64 // the best number, encoded; valid if observed is set in state, see changing
	_     pad.Bytes
	lanes lanes[best[T]] // of the job that holds the container in mode Append
}

// The state has two bits, changing and observed, and above them a version, which every change
// raises. A goroutine that loads the same state before and after the word, with changing not set,
// has loaded the result of the time between (Leslie Lamport, Concurrent Reading and Writing, 1977).
const (
	changing = 1 << iota
	observed
	version
)

// Observe takes v in. It is legal beside an [ExtremumParallelWriter]. It takes a lock if v changes
// the result or another change is in progress, and is wait-free otherwise. It panics with a
// violation while any other job holds the container.
func (e *extremum[T]) Observe(v T) {
	e.guard.CheckAppend()
	e.observe(v)
}

// Value returns the best number and true, or false if none was observed. It takes a lock if a
// change is in progress and is wait-free otherwise. It panics with a violation while a job that
// changes the container holds it.
func (e *extremum[T]) Value() (v T, ok bool) {
	e.guard.CheckRead()
	return e.value()
}

// Set makes v the only number observed, or none if v is a NaN. It takes a lock. It panics with a
// violation while any job holds the container.
func (e *extremum[T]) Set(v T) {
	e.guard.CheckWrite()
	e.mu.Lock()
	if v == v {
		e.store(v, observed)
	} else {
		e.store(0, 0)
	}
	e.mu.Unlock()
}

// Reset forgets what was observed. It is as Set in all else.
func (e *extremum[T]) Reset() {
	e.guard.CheckWrite()
	e.mu.Lock()
	e.store(0, 0)
	e.mu.Unlock()
}

// Dispose ends the container, as [Counter.Dispose] does.
func (e *extremum[T]) Dispose() { e.guard.Dispose() }

// DisposeAfter is Dispose for a container that jobs hold, as [Counter.DisposeAfter].
func (e *extremum[T]) DisposeAfter(h safety.Handle) { e.guard.DisposeAfter(h, func() {}) }

// Disposed reports whether the container was disposed.
func (e *extremum[T]) Disposed() bool { return e.guard.Disposed() }

func (e *extremum[T]) value() (v T, ok bool) {
	b := e.load()
	return b.v, b.seen
}

// load returns the result at some time during the call. It takes the lock if the result changes
// meanwhile.
func (e *extremum[T]) load() best[T] {
	s, w := e.state.Load(), e.word.Load()
	if s&changing == 0 && e.state.Load() == s {
		return best[T]{v: decode[T](w), seen: s&observed != 0, max: e.max}
	}
	e.mu.Lock()
	b := e.locked()
	e.mu.Unlock()
	return b
}

// locked is load for a caller that holds the lock.
func (e *extremum[T]) locked() best[T] {
	return best[T]{v: decode[T](e.word.Load()), seen: e.state.Load()&observed != 0, max: e.max}
}

func (e *extremum[T]) observe(v T) {
	if b := e.load(); !b.beats(v) {
		return
	}
	e.mu.Lock()
	if b := e.locked(); b.beats(v) {
		e.store(v, observed)
	}
	e.mu.Unlock()
}

// store changes the result. seen is observed, or 0 if there is no number. The caller holds the
// lock.
func (e *extremum[T]) store(v T, seen uint64) {
	s := e.state.Load()
	e.state.Store(s | changing)
	e.word.Store(encode(v))
	e.state.Store(s&^observed + version | seen)
}

// extremumPhases has the methods of an extremum that the ledger calls when a phase opens and when
// it ends.
type extremumPhases[T Number] extremum[T]

// OpenPhase implements safety.Phased.
func (x *extremumPhases[T]) OpenPhase(p *safety.Phase) {
	if p.Mode == safety.Append {
		openLanes(&x.lanes, p)
	}
}

// SealPhase takes in the best number of the kept spans.
func (x *extremumPhases[T]) SealPhase(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	b := pick(p.State.(*lanes[best[T]]), p.Kept, x.max)
	if !b.seen {
		return
	}
	if into := outer[best[T]](p); into != nil {
		takeInto(into, b.v)
		return
	}
	atom.Hide() // batches are ordered before what follows Complete, not before every user of the state
	(*extremum[T])(x).observe(b.v)
	atom.Show()
}

// pick returns the best number of the kept spans, and clears the lanes. Of equal numbers it returns
// that of the first span (counter.I6).
//
//go:norace
func pick[T Number](ls *lanes[best[T]], kept int, max bool) best[T] {
	b, from := best[T]{max: max}, 0
	for _, l := range ls.list {
		for k := range l.count() {
			first, part := l.span(k)
			if first >= kept || !part.seen {
				continue
			}
			if b.beats(part.v) || part.v == b.v && first < from {
				b.v, b.seen, from = part.v, true, first
			}
		}
		l.clear()
	}
	return b
}

// takeInto takes a nested job's best into the lane of the body that passed the view on.
//
//go:norace
func takeInto[T Number](l *lane[best[T]], v T) { l.part.observe(v) }
