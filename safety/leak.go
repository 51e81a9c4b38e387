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

// Leak is a job that was scheduled and not completed, neither its handle nor that of a job that
// runs after it: its containers stay in its custody for good, and every use of them is refused. Or,
// where containers are tracked, it is one that was made and not disposed.
type Leak struct {
	// Job is the job's name, and nothing when it is a container that leaked.
	Job string
	// Scheduled is where it was scheduled, file:line.
	Scheduled string
	// Finished says whether it has run. That alone gives nothing back.
	Finished bool
	// Container is the container's type and name, and Made where it was made.
	Container, Made string
	// Stack is the stack of where it was scheduled or made, with LeaksWithStacks.
	Stack string
}

// String says what leaked, and what to do.
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

// outstanding says that a job was scheduled and not completed. It holds nothing of the job, so a
// handle that was dropped costs these few words and no more.
type outstanding struct {
	prev, next *outstanding // in the roll; a spare one uses next only
	roll       *roll
	job        string
	site       Site
	started    atom.HiddenUint32
	finished   atom.HiddenUint32
	ticket     weak.Pointer[Ticket] // while leaks are tracked
	stack      []uintptr
	watched    bool // the hook is told when nobody can complete the job any more; then it is not used again
	cleanup    runtime.Cleanup
}

// roll is a part of all outstanding jobs, on a line of its own. Which part a job is in follows from
// where its ticket lies, so that schedules on different goroutines seldom meet.
type roll struct {
	mu    atom.HiddenMutex
	first *outstanding
	spare *outstanding // at most keptOutstanding, for later jobs
	n     int          // how many spares there are
	_     pad.Bytes
}

// keptOutstanding is the most spares of a roll. The garbage collector may take those beyond.
const keptOutstanding = 64

var (
	rolls  [16]roll
	idle   atom.Spares[outstanding] // spares beyond those of the rolls
	onLeak atom.Pointer[func(Leak)]
)

func rollOf(t *Ticket) *roll {
	i := 0
	if !atom.Explored { // where memory lies differs from execution to execution
		i = int(uintptr(unsafe.Pointer(t)) >> 8 % uintptr(len(rolls)))
	}
	return &rolls[i]
}

// enlist puts the job on the roll. It costs a lock and a few words.
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
	o.roll, o.job, o.site = r, t.job, t.site
	o.started.Store(0)
	o.finished.Store(0)
	o.prev, o.next = nil, r.first
	if r.first != nil {
		r.first.prev = o
	}
	r.first = o
	r.mu.Unlock()
	t.live = o
	if w := watching.word.Load(); w != 0 {
		if m := mode(w); m != LeaksOff {
			t.lookInto(o, m)
		}
		o.watched = true
		o.cleanup = runtime.AddCleanup(t, lost, o)
	}
}

// lookInto notes what costs more.
//
//go:norace
func (t *Ticket) lookInto(o *outstanding, m LeakMode) {
	p := weak.Make(t)
	var stack []uintptr
	if m == LeaksWithStacks {
		stack = stackFrom(t.site)
	}
	o.roll.mu.Lock()
	o.ticket, o.stack = p, stack
	o.roll.mu.Unlock()
}

// delist takes the job off the roll.
//
//go:norace
func (t *Ticket) delist() {
	o := t.live
	t.live = nil
	if o.watched {
		o.cleanup.Stop()
	}
	r := o.roll
	r.mu.Lock()
	o.leave()
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

// leave takes it out of the roll, which is locked.
//
//go:norace
func (o *outstanding) leave() {
	if o.prev != nil {
		o.prev.next = o.next
	} else {
		o.roll.first = o.next
	}
	if o.next != nil {
		o.next.prev = o.prev
	}
	o.prev, o.next = nil, nil
	o.job = ""
	o.ticket, o.stack = weak.Pointer[Ticket]{}, nil
}

//go:norace
func (o *outstanding) leak() Leak {
	return Leak{Job: o.job, Scheduled: o.site.String(), Finished: o.finished.Load() != 0, Stack: stackText(o.stack)}
}

// lost tells the hook of a job that the garbage collector has found unreachable. It was not
// completed: that would have stopped it.
func lost(o *outstanding) { report(o.strike()) }

//go:norace
func (o *outstanding) strike() Leak {
	o.roll.mu.Lock()
	l := o.leak()
	o.leave()
	o.roll.mu.Unlock()
	return l
}

// Leaks returns the jobs that were scheduled with a handle and not completed until now, by where
// they were scheduled; those that are still at work count too. After them come the containers that
// are tracked ([SetLeakMode]) and were not disposed until now. Unchecked builds do not know any. It
// may be called at any time, by any goroutine, and costs a lock and a copy.
func Leaks() []Leak {
	var all []Leak
	for i := range rolls {
		all = rolls[i].appendTo(all)
	}
	slices.SortFunc(all, func(a, b Leak) int {
		return cmp.Or(strings.Compare(a.Scheduled, b.Scheduled), strings.Compare(a.Job, b.Job))
	})
	for _, e := range trackedNow() {
		all = append(all, e.leak())
	}
	return all
}

//go:norace
func (r *roll) appendTo(all []Leak) []Leak {
	r.mu.Lock()
	for o := r.first; o != nil; o = o.next {
		all = append(all, o.leak())
	}
	r.mu.Unlock()
	return all
}

// TestingT is what [VerifyNoLeaks] needs of a *testing.T, *testing.B or *testing.F.
type TestingT interface {
	// Helper marks the caller as one whose line is not shown.
	Helper()
	// Errorf fails the test.
	Errorf(format string, args ...any)
}

// VerifyNoLeaks fails the test if there are [Leaks]: one error for each place and state, with their
// number. It counts the leaks of the whole program, those of other tests included. It counts
// containers only while they are tracked ([SetLeakMode]). So it is for the end of a whole program,
// or of TestMain, with a TestingT of one's own, where every handle must have been completed; and
// for a test that runs alone, most easily by defer. For one test among others there is
// custodytest.NoLeaks, which counts only what that test has left, and containers too.
func VerifyNoLeaks(t TestingT) {
	t.Helper()
	leaks := Leaks()
	for len(leaks) > 0 {
		l, n := leaks[0], len(leaks)
		leaks = slices.DeleteFunc(leaks, func(o Leak) bool { return o == l })
		if n -= len(leaks); n > 1 {
			t.Errorf("%v (%d times)", l, n)
		} else {
			t.Errorf("%v", l)
		}
	}
}

// OnLeak sets a function that is told of each job, scheduled from now on, that is lost: the garbage
// collector has found that the program can complete neither the job nor one that runs after it. A
// job is not lost while the program has one of its containers; it is in [Leaks] only. Where
// containers are tracked ([SetLeakMode]) f is also told of containers that are lost without
// Dispose.
//
// A nil f, the default, ends that. Tracked containers and jobs that are lost are then logged by
// log/slog: the first from a place, the second, the fourth and so on.
//
// f runs on a goroutine of the runtime and must not block. The library holds no lock meanwhile: f,
// and a handler of log/slog, may run loops, call Leaks and set another function. While a function
// is set a schedule costs some hundred nanoseconds more.
//
// OnLeak returns the function that was set before, or nil, so that a caller can put it back.
func OnLeak(f func(Leak)) (before func(Leak)) {
	var old *func(Leak)
	if f == nil {
		watch(0, hookBit)
		old = onLeak.Swap(nil)
	} else {
		old = onLeak.Swap(&f)
		watch(hookBit, hookBit)
	}
	if old == nil {
		return nil
	}
	return *old
}
