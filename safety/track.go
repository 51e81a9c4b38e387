package safety

import (
	"log/slog"
	"math/bits"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"weak"

	"example.com/custody/internal/atom"
)

// LeakMode says what is tracked, so that [Leaks], [Dump] and [OnLeak] can tell of it.
type LeakMode int

const (
	// LeaksOff, the default: jobs only, each by its name and the place where it was scheduled. It costs a schedule
	// that has a handle a lock that is seldom shared and a few stores, and containers nothing.
	LeaksOff LeakMode = iota
	// LeaksOn: containers, too, which have to be disposed of then; and what is lost to the garbage collector is
	// reported, to log/slog if there is no hook. It costs a container, when it is made, and a schedule that has a handle
	// somewhat less than a microsecond each.
	LeaksOn
	// LeaksWithStacks: as LeaksOn, with the whole stack of where each container was made and each job scheduled. It
	// costs two to five microseconds each.
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

// watch sets the bits of the mask and returns what the word was before.
//
//go:norace
func watch(set, mask uint32) (before uint32) {
	watching.mu.Lock()
	before = watching.word.Load()
	watching.word.Store(before&^mask | set)
	watching.mu.Unlock()
	return before
}

// watching is what is noted of containers and jobs: the mode, and whether there is a hook.
var watching struct {
	mu   atom.HiddenMutex // of those who set it
	word atom.HiddenUint32
}

const (
	modeBits = 3
	hookBit  = 4
)

func mode(word uint32) LeakMode { return LeakMode(word & modeBits) }

// tracked is a container that was made while that was noted, and not disposed. It does not keep the container.
type tracked struct {
	prev, next *tracked
	guard      weak.Pointer[Guard]
	container  string
	made       Site
	stack      []uintptr
	cleanup    runtime.Cleanup
}

// containers are all of them.
var containers struct {
	mu    atom.HiddenMutex
	first *tracked
}

// track notes the container, if that is asked for.
func (g *Guard) track() {
	m := mode(watching.word.Load())
	if m == LeaksOff || !Enabled {
		return
	}
	e := &tracked{guard: weak.Make(g), container: g.Container(), made: g.made}
	if m == LeaksWithStacks {
		e.stack = stackFrom(g.made)
	}
	g.tracked = e
	e.enter()
	e.cleanup = runtime.AddCleanup(g, (*tracked).lost, e)
}

// untrack forgets a container that has ended, or is a part of another one.
func (g *Guard) untrack() {
	if e := g.tracked; e != nil {
		e.cleanup.Stop()
		e.leave()
	}
}

//go:norace
func (e *tracked) enter() {
	l := &containers
	l.mu.Lock()
	e.next = l.first
	if l.first != nil {
		l.first.prev = e
	}
	l.first = e
	l.mu.Unlock()
}

// leave says whether it was still there.
//
//go:norace
func (e *tracked) leave() (was bool) {
	l := &containers
	l.mu.Lock()
	if was = l.first == e || e.prev != nil; was {
		if e.prev != nil {
			e.prev.next = e.next
		} else {
			l.first = e.next
		}
		if e.next != nil {
			e.next.prev = e.prev
		}
		e.prev, e.next = nil, nil
	}
	l.mu.Unlock()
	return was
}

// trackedNow returns all tracked containers.
//
//go:norace
func trackedNow() (all []*tracked) {
	l := &containers
	l.mu.Lock()
	for e := l.first; e != nil; e = e.next {
		all = append(all, e)
	}
	l.mu.Unlock()
	slices.Reverse(all) // the oldest first
	return all
}

// lost tells of a container that the garbage collector has found, and that was not disposed.
func (e *tracked) lost() {
	if e.leave() {
		report(e.leak())
	}
}

func (e *tracked) leak() Leak {
	return Leak{Container: e.container, Made: e.made.String(), Stack: stackText(e.stack)}
}

// report tells the hook of a leak, or the log if leaks are tracked and there is no hook.
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

// leakCounts counts leaks by place. Names, of which a program may make any number, are no part of
// the key, so the map has at most one entry for each call in the program that makes a container or
// schedules a job.
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
	if c.of == nil {
		c.of = map[leakPlace]int{}
	}
	n := c.of[at] + 1
	c.of[at] = n
	c.mu.Unlock()
	return n
}

// stackFrom returns the stack of its caller, from the frame that the site is in on.
func stackFrom(s Site) []uintptr {
	pcs := make([]uintptr, 64)
	pcs = pcs[:runtime.Callers(2, pcs)]
	if i := slices.Index(pcs, uintptr(s)); i >= 0 {
		pcs = pcs[i:]
	}
	return slices.Clone(pcs)
}

// stackText is a stack as a goroutine's in a panic.
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
