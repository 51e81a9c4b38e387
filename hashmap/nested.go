package hashmap

import (
	"reflect"
	"runtime"
	"strings"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/stripe"
	"example.com/custody/safety"
)

// This file is how a [Hasher] that uses maps is found out where that would never end: where it waits for a lock that the operation has which called it,
// or calls itself, by way of a map, again and again. Both are looked for seldom: when somebody has the lock, and at one of so many calls of Hashers, which is
// drawn. A view must not be taken at all. What is on the stack says whether a Hasher is being asked, and by whom.

// deep is how many calls of Hashers lie on the stack of one that does not come to an end. A Hasher must call no map at all, so fewer would do.
const deep = 16

// looks is of how many calls one looks at the stack, in builds that do not count calls.
const looks = 1024

// mostCalls is how many calls may run in one cell before the next one looks at the stack.
const mostCalls = 64

// counted reports whether calls are counted. The race detector would take counts for an order of a
// user's program, and in explored builds each count is a scheduling point.
const counted = !atom.Race && !atom.Explored

// patience is how often a lock is tried that another operation has, before the stack is looked at.
const patience = 64

// asking counts the calls of all Hashers' methods: one that calls another map asks that map's Hasher.
var asking = newCalls()

// calls counts calls of users' functions that run. A goroutine counts a call in the cell that
// [stripe.Hint] gives. A call that is on the stack of a goroutine is always in a cell.
type calls struct {
	cells []callCount
	shift uint
}

// callCount counts some of them.
type callCount struct {
	n atom.Int64
	_ pad.Bytes
}

func newCalls() calls {
	n := stripe.Count(runtime.GOMAXPROCS(0))
	return calls{make([]callCount, n), upper(n)}
}

// cell returns the cell where the calling goroutine counts a call.
func (c *calls) cell() *callCount { return &c.cells[stripe.Hint()>>c.shift] }

// enter counts a call, and returns how many run that the cell counts.
func (n *callCount) enter() int64 {
	if !counted {
		return 0
	}
	return n.n.Add(1)
}

// leave ends what enter began.
func (n *callCount) leave() {
	if counted {
		n.n.Add(-1)
	}
}

// running reports whether a call may be running: false says that none is on the stack of the calling
// goroutine.
func (c *calls) running() bool {
	for i := range c.cells {
		if c.cells[i].n.Load() > 0 {
			return true
		}
	}
	return !counted
}

// patiently reports whether it has taken a lock, which it tries a few times: a look at the stack costs
// more than most operations that have a lock.
func patiently(mu *atom.Mutex) bool {
	if mu.TryLock() {
		return true
	}
	for range patience {
		if !counted {
			break
		}
		if atom.Yield(); mu.TryLock() {
			return true
		}
	}
	return false
}

// nesting is a call of a Hasher's method that is on the stack, and what it has called.
type nesting struct {
	asked        string // Hash or Equal
	outer, inner string // methods of maps: what has called it, if that is a method, and what it has called
}

// pkg is what the names of this package's functions begin with.
var pkg = func() string {
	name := runtime.FuncForPC(reflect.ValueOf(upperCase).Pointer()).Name()
	return strings.TrimSuffix(name, "upperCase")
}()

// nested returns the innermost call of a Hasher's method that is on the stack of the calling goroutine, if there are so many. The caller is about to make
// some itself, which do not count.
func nested(own, least int) (n nesting, ok bool) {
	var pcs [64]uintptr
	called, found := "", -own
	for skip := 2; ; skip += len(pcs) {
		k := runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:k])
		for more := k > 0; more; {
			var f runtime.Frame
			f, more = frames.Next()
			name, here := strings.CutPrefix(f.Function, pkg)
			asked, is := strings.CutPrefix(name, "(*custom[...]).")
			is = here && is && (asked == "hash" || asked == "equal")
			if is {
				found++
			}
			switch m := methodIn(name); {
			case is && found == 1:
				n.asked, n.inner = map[string]string{"hash": "Hash", "equal": "Equal"}[asked], called
				called = ""
			case !is && here:
				if m != "" {
					called = m
				}
			case found > 0 && n.outer == "": // the first frame beyond the map's
				n.outer = called
			}
			if found >= least && n.outer != "" {
				return n, true
			}
		}
		if k < len(pcs) {
			return n, found >= least
		}
	}
}

// methodIn returns the method of a map that a function of this package is, or that it is a function literal of, as Map.Load; or nothing.
func methodIn(name string) string {
	of, method, ok := strings.Cut(name[max(strings.LastIndex(name, "(*"), 0):], "[...]).")
	if !ok || len(of) < 3 || !upperCase(of[2:]) || !upperCase(method) {
		return ""
	}
	if end := strings.IndexAny(method, ".-"); end >= 0 {
		method = method[:end]
	}
	return of[2:] + "." + method
}

func upperCase(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// violation is that of the call, with the map that was called.
func (n nesting) violation(g *safety.Guard) *safety.Violation {
	by := ""
	if n.outer != "" {
		by = ", which " + n.outer + " had called,"
	}
	return g.Violation(safety.ErrWaitCycle, n.asked+" of a Hasher"+by+" called "+n.inner+" of "+g.Container()+", and that would never end",
		"Hash and Equal look at the keys that they are given. What they need to know besides must not be in a map that they hash keys of.")
}

// mustEnd panics if the calling goroutine, which uses the map that the guard is of, is in so many calls of Hashers' methods; see nested.
func mustEnd(g *safety.Guard, own, least int) {
	if n, ok := nested(own, least); ok {
		panic(n.violation(g))
	}
}

// outsideHashers panics if a Hasher takes a view of a map that has one: for a job that would use the map on goroutines of which nobody knows that the
// Hasher waits for them.
func (m *Map[K, V]) outsideHashers() {
	if m.hasher != nil && asking.running() {
		mustEnd(&m.guard, 0, 1)
	}
}

// outsideHashers is likewise.
func (m *MultiMap[K, V]) outsideHashers() {
	if m.keys.custom != nil && asking.running() {
		mustEnd(&m.guard, 0, 1)
	}
}
