package safety

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// Leak is a job that was scheduled and not completed: neither its handle nor that of a job that runs after it.
// Its containers are in its custody for good, and whoever uses them is refused.
type Leak struct {
	// Job is the job's name.
	Job string
	// Scheduled is where it was scheduled, file:line.
	Scheduled string
	// Finished says whether it has run. That alone gives nothing back.
	Finished bool
}

// String says which job it is, and what to do.
func (l Leak) String() string {
	state := "has not finished and was not completed"
	if l.Finished {
		state = "has finished but was not completed"
	}
	at := ""
	if l.Scheduled != "" {
		at = ", scheduled at " + l.Scheduled + ","
	}
	return "custody: leaked handle: job " + l.Job + at + " " + state +
		".\n\tCall Complete on its handle, or on that of a job that runs after it."
}

// outstanding says that a job was scheduled and not completed. It holds nothing of the job, so a handle that was
// dropped costs these few words and no more.
type outstanding struct {
	prev, next *outstanding // in the roll; a spare one uses next only
	roll       *roll
	job        string
	site       Site
	finished   atom.HiddenUint32
	watched    bool // the hook is told when nobody can complete the job any more; then it is not used again
	cleanup    runtime.Cleanup
}

// roll is a part of all outstanding jobs, on a line of its own. Which part a job is in follows from where its
// ticket lies, so that schedules on different goroutines seldom meet.
type roll struct {
	mu    atom.HiddenMutex
	first *outstanding
	spare *outstanding
	_     pad.Bytes
}

var (
	rolls  [16]roll
	onLeak atom.Pointer[func(Leak)]
	hooked atom.HiddenUint32
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
	if o == nil {
		o = new(outstanding)
	} else {
		r.spare = o.next
	}
	o.roll, o.job, o.site = r, t.job, t.site
	o.finished.Store(0)
	o.prev, o.next = nil, r.first
	if r.first != nil {
		r.first.prev = o
	}
	r.first = o
	r.mu.Unlock()
	t.live = o
	if hooked.Load() != 0 {
		o.watched = true
		o.cleanup = runtime.AddCleanup(t, lost, o)
	}
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
	if !o.watched {
		o.next, r.spare = r.spare, o
	}
	r.mu.Unlock()
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
}

//go:norace
func (o *outstanding) leak() Leak {
	return Leak{Job: o.job, Scheduled: o.site.String(), Finished: o.finished.Load() != 0}
}

// lost tells the hook of a job that the garbage collector has found unreachable. It was not completed: that
// would have stopped it.
func lost(o *outstanding) {
	l := o.strike()
	if f := onLeak.Load(); f != nil {
		(*f)(l)
	}
}

//go:norace
func (o *outstanding) strike() Leak {
	o.roll.mu.Lock()
	l := o.leak()
	o.leave()
	o.roll.mu.Unlock()
	return l
}

// Leaks returns the jobs that were scheduled with a handle and not completed until now, by where they were
// scheduled; those that are still at work count too. Unchecked builds do not know any. It may be called at any
// time, by any goroutine, and costs a lock and a copy.
func Leaks() []Leak {
	var all []Leak
	for i := range rolls {
		all = rolls[i].appendTo(all)
	}
	slices.SortFunc(all, func(a, b Leak) int {
		return cmp.Or(strings.Compare(a.Scheduled, b.Scheduled), strings.Compare(a.Job, b.Job))
	})
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

// VerifyNoLeaks fails the test if there are [Leaks]: one error for each place and state, with their number. Call
// it, most easily by defer, where every handle of the program must have been completed; tests that run beside
// it count too.
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

// OnLeak sets a function that is told of each job, scheduled from now on, whose handle is lost: the garbage
// collector has found that nobody can complete the job any more. A job that holds containers which are in use
// is not lost, and in [Leaks] only. nil, the default, ends that. The function runs on a goroutine of the
// runtime's and must not block; to log what it is told is a good use. While one is set a schedule costs some
// hundred nanoseconds more.
func OnLeak(f func(Leak)) {
	if f == nil {
		hooked.Store(0)
		onLeak.Store(nil)
		return
	}
	onLeak.Store(&f)
	hooked.Store(1)
}
