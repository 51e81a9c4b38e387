package safety

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"unsafe"
	"weak"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// Leak is a job that was scheduled and not completed, neither by its handle nor by that of a job
// that runs after it: its containers stay in its custody, and every use of them is refused. While
// containers are tracked it can also be a container that was made and not disposed.
// Each method: constant; wait-free; O(1); allocates the text.
type Leak struct {
	// Job is the job's name. It is empty if a container leaked.
	Job string
	// Scheduled is where the job was scheduled, file:line.
	Scheduled string
	// Finished reports whether the job has run. That alone gives nothing back.
	Finished bool
	// Container is the container's type and name, and Made where it was made.
	Container, Made string
	// Stack is the stack of where it was scheduled or made, with LeaksWithStacks.
	Stack string
}

// String returns what leaked, and what to do.
func (l Leak) String() string {
	stack := ""
	if l.Stack != "" {
		stack = "\n" + l.Stack
	}
	if l.Container != "" {
		return "custody: leaked container: " + l.Container + ", made at " + l.Made + ", was not disposed.\n\tCall Dispose where its owner ends, or DisposeAfter with the handle of the last job that uses it." + stack
	}
	state := "has not finished and was not completed"
	if l.Finished {
		state = "has finished but was not completed"
	}
	at := ""
	if l.Scheduled != "" {
		at = ", scheduled at " + l.Scheduled + ","
	}
	return "custody: leaked handle: job " + l.Job + at + " " + state +
		".\n\tCall Complete on its handle, or on that of a job that runs after it." + stack
}

// outstanding is a job that was scheduled and not completed, or a tracked container that was not
// disposed. It does not keep the job or the container alive.
type outstanding struct {
	prev, next *outstanding // in the roll; a spare one uses next only
	roll       *roll
	name       string // the job's, or the container's with its type
	site       Site
	step       atom.HiddenUint32    // of a job
	ticket     weak.Pointer[Ticket] // of a job, while leaks are tracked
	guard      weak.Pointer[Guard]  // of a container
	stack      []uintptr
	watched    bool // of a job: has a cleanup, so it is not used again
	cleanup    runtime.Cleanup
}

// The steps of an outstanding job: 0 until it has started.
const (
	hasStarted = 1 + iota
	hasFinished
)

// roll is a list of outstanding jobs, on a cache line of its own. The address of a ticket decides
// which roll has it, so that schedules on different goroutines seldom meet.
type roll struct {
	mu    atom.HiddenMutex
	first *outstanding
	spare *outstanding // at most keptOutstanding, for later jobs
	n     int          // how many spares there are
	_     pad.Bytes
}

// keptOutstanding is the greatest number of spares of a roll. Others go to idle.
const keptOutstanding = 64

var (
	rolls      [16]roll
	containers roll                     // the tracked containers
	idle       atom.Spares[outstanding] // spares beyond those of the rolls
)

func rollOf(t *Ticket) *roll {
	i := 0
	if !atom.Explored { // where memory lies differs from execution to execution
		i = int(uintptr(unsafe.Pointer(t)) >> 8 % uintptr(len(rolls)))
	}
	return &rolls[i]
}

// enlist puts the job on a roll, until delist. It costs a lock and a few words.
//
//go:norace
func (t *Ticket) enlist() {
	r := rollOf(t)
	r.mu.Lock()
	o := r.spare
	if o != nil {
		r.spare = o.next
		r.n--
	} else if o = idle.Take(); o == nil {
		o = new(outstanding)
	}
	o.roll, t.live = r, o
	o.name, o.site = t.job, t.site
	o.step.Store(0)
	r.push(o)
	r.mu.Unlock()
	w := watching.word.Load()
	if w == 0 {
		return
	}
	if m := mode(w); m != LeaksOff {
		p, stack := weak.Make(t), m.stackFrom(t.site)
		r.mu.Lock()
		o.ticket, o.stack = p, stack
		r.mu.Unlock()
	}
	o.watched = true
	o.cleanup = runtime.AddCleanup(t, lost, o)
}

// delist takes the job off its roll.
//
//go:norace
func (t *Ticket) delist() {
	o := t.live
	r := o.roll
	t.live = nil
	if o.watched {
		o.cleanup.Stop()
	}
	r.mu.Lock()
	o.leave()
	o.name, o.ticket, o.stack = "", weak.Pointer[Ticket]{}, nil
	over := false
	if !o.watched {
		if over = r.n >= keptOutstanding; !over {
			o.next, r.spare = r.spare, o
			r.n++
		}
	}
	r.mu.Unlock()
	if over {
		idle.Give(o)
	}
}

// track notes the container if the leak mode asks for it.
//
//go:norace
func (g *Guard) track() {
	m := mode(watching.word.Load())
	if m == LeaksOff || !Enabled {
		return
	}
	o := &outstanding{roll: &containers, name: g.Container(), site: g.made, guard: weak.Make(g), stack: m.stackFrom(g.made)}
	g.tracked = o
	containers.mu.Lock()
	containers.push(o)
	containers.mu.Unlock()
	o.cleanup = runtime.AddCleanup(g, lost, o)
}

// untrack forgets a container that has ended, or is a part of another one.
func (g *Guard) untrack() {
	if o := g.tracked; o != nil {
		o.cleanup.Stop()
		o.strike()
	}
}

// push adds o to the roll, which is locked.
//
//go:norace
func (r *roll) push(o *outstanding) {
	o.prev, o.next = nil, r.first
	if r.first != nil {
		r.first.prev = o
	}
	r.first = o
}

// leave removes o from its roll, which is locked, and reports whether it was there.
//
//go:norace
func (o *outstanding) leave() (was bool) {
	switch {
	case o.prev != nil:
		o.prev.next = o.next
	case o.roll.first == o:
		o.roll.first = o.next
	default:
		return false
	}
	if o.next != nil {
		o.next.prev = o.prev
	}
	o.prev, o.next = nil, nil
	return true
}

// strike is leave for a caller that has not locked the roll.
//
//go:norace
func (o *outstanding) strike() (was bool) {
	o.roll.mu.Lock()
	was = o.leave()
	o.roll.mu.Unlock()
	return was
}

// lost reports a job or container that the garbage collector has found unreachable. It was neither
// completed nor disposed: that would have stopped the cleanup.
func lost(o *outstanding) {
	if o.strike() {
		report(o.leak())
	}
}

//go:norace
func (o *outstanding) leak() Leak {
	l := Leak{Stack: stackText(o.stack)}
	if o.roll == &containers {
		l.Container, l.Made = o.name, o.site.String()
	} else {
		l.Job, l.Scheduled, l.Finished = o.name, o.site.String(), o.step.Load() == hasFinished
	}
	return l
}

// trackedNow returns all tracked containers, the oldest first.
//
//go:norace
func trackedNow() (all []*outstanding) {
	containers.mu.Lock()
	for o := containers.first; o != nil; o = o.next {
		all = append(all, o)
	}
	containers.mu.Unlock()
	slices.Reverse(all)
	return all
}

// Leaks returns the jobs that were scheduled with a handle and not completed until now, sorted by
// where they were scheduled. Jobs that are still running count. After them come the tracked
// containers ([SetLeakMode]) that were not disposed until now. Unchecked builds know of neither.
// Any goroutine may call Leaks at any time. It costs a lock and a copy.
func Leaks() []Leak {
	var all []Leak
	for _, j := range jobsNow() {
		all = append(all, j.Leak)
	}
	for _, o := range trackedNow() {
		all = append(all, o.leak())
	}
	return all
}

// jobNow is an outstanding job at one moment.
type jobNow struct {
	Leak
	started bool
	ticket  weak.Pointer[Ticket]
}

// jobsNow returns the outstanding jobs by where they were scheduled.
func jobsNow() (all []jobNow) {
	for i := range rolls {
		all = rolls[i].now(all)
	}
	slices.SortStableFunc(all, func(a, b jobNow) int {
		return cmp.Or(strings.Compare(a.Scheduled, b.Scheduled), strings.Compare(a.Job, b.Job))
	})
	return all
}

//go:norace
func (r *roll) now(all []jobNow) []jobNow {
	r.mu.Lock()
	for o := r.first; o != nil; o = o.next {
		all = append(all, jobNow{o.leak(), o.step.Load() != 0, o.ticket})
	}
	r.mu.Unlock()
	return all
}
