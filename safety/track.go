package safety

import (
	"log/slog"
	"math/bits"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"example.com/custody/internal/atom"
)

// LeakMode is what is tracked for [Leaks], [Dump] and [OnLeak].
type LeakMode int

const (
	// LeaksOff, the default, tracks jobs only, by name and place. A schedule with a handle takes a
	// lock that is seldom shared and does a few stores. Containers cost nothing.
	LeaksOff LeakMode = iota
	// LeaksOn tracks containers too, which must then be disposed, and reports jobs and containers
	// that are lost to the garbage collector: to the hook, or to log/slog if there is none. Making
	// a container, and a schedule with a handle, cost somewhat less than 1 µs more.
	LeaksOn
	// LeaksWithStacks is LeaksOn with the innermost 64 calls of the stack where each container was
	// made and each job scheduled. It costs 2 to 5 µs each.
	LeaksWithStacks
)

// SetLeakMode sets what is tracked of containers that are made and jobs that are scheduled from now
// on, and returns the mode before. A mode that is none of the three is a violation (ErrArgument).
// Unchecked builds track nothing.
func SetLeakMode(m LeakMode) (before LeakMode) {
	if m < LeaksOff || m > LeaksWithStacks {
		v := NewViolation(ErrArgument, "leak mode "+strconv.Itoa(int(m))+" was asked for", "The modes are LeaksOff, LeaksOn and LeaksWithStacks.")
		v.N = int(m)
		panic(v)
	}
	return mode(watch(uint32(m), modeBits))
}

// OnLeak sets a function that is called with each job, scheduled from now on, that is lost: the
// garbage collector has found that the program can complete neither the job nor one that runs after
// it. A job is not lost while the program has one of its containers; it is in [Leaks] only. While
// containers are tracked ([SetLeakMode]) f is also called with those that are lost without Dispose.
//
// A nil f, the default, ends that. Tracked containers and jobs that are lost are then logged by
// log/slog: the first from a place, the second, the fourth and so on.
//
// f runs on a goroutine of the runtime and must not block. The library holds no lock meanwhile: f,
// and a handler of log/slog, may run loops, call Leaks and set another function. While a function
// is set a schedule costs some hundred nanoseconds more.
//
// OnLeak returns the function that was set before, or nil, so that a caller can restore it.
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

// watching has the leak mode, and whether there is a hook: a function that OnLeak has set.
var watching struct {
	mu   atom.HiddenMutex // held by goroutines that set word
	word atom.HiddenUint32
}

const (
	modeBits = 3
	hookBit  = 4
)

var onLeak atom.Pointer[func(Leak)]

func mode(word uint32) LeakMode { return LeakMode(word & modeBits) }

// watch sets the bits of the mask and returns what the word was before.
func watch(set, mask uint32) (before uint32) {
	watching.mu.Lock()
	before = watching.word.Load()
	watching.word.Store(before&^mask | set)
	watching.mu.Unlock()
	return before
}

// report passes a leak to the hook, or to the log if leaks are tracked and there is no hook.
func report(l Leak) {
	if f := onLeak.Load(); f != nil {
		(*f)(l)
		return
	}
	if mode(watching.word.Load()) == LeaksOff {
		return
	}
	if n := logged.count(l); bits.OnesCount(uint(n)) == 1 {
		slog.Warn(l.String(), "count", n)
	}
}

// logged counts the leaks from each place: the first, the second, the fourth and so on are logged.
var logged leakCounts

// leakCounts counts leaks by place. Names, of which a program may make any number, are not part of
// the key, so the map has at most one entry for each call that makes a container or schedules a
// job.
type leakCounts struct {
	mu atom.Mutex
	of map[leakPlace]int
}

// leakPlace is where a job was scheduled or a container was made, by file and line.
type leakPlace struct{ scheduled, made string }

// count counts the leak and returns how many from its place have been counted.
func (c *leakCounts) count(l Leak) int {
	at := leakPlace{l.Scheduled, l.Made}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[leakPlace]int{}
	}
	c.of[at]++
	return c.of[at]
}

// stackFrom returns the stack of its caller, from the frame of the site on, if the mode asks.
func (m LeakMode) stackFrom(s Site) []uintptr {
	if m != LeaksWithStacks {
		return nil
	}
	pcs := make([]uintptr, 64)
	pcs = pcs[:runtime.Callers(2, pcs)]
	if i := slices.Index(pcs, uintptr(s)); i >= 0 {
		pcs = pcs[i:]
	}
	return slices.Clone(pcs)
}

// stackText returns a stack as a panic prints that of a goroutine.
func stackText(pcs []uintptr) string {
	if len(pcs) == 0 {
		return ""
	}
	var b strings.Builder
	for frames := runtime.CallersFrames(pcs); ; {
		f, more := frames.Next()
		b.WriteString(f.Function + "\n\t" + f.File + ":" + strconv.Itoa(f.Line) + "\n")
		if !more {
			return b.String()
		}
	}
}
