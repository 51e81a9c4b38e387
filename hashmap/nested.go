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

// This file finds calls of a [Hasher] that use a map and would never end. Such a call waits for a
// lock that is held by the operation that called the Hasher, or it calls itself through a map
// without end. The stack of the calling goroutine shows both: the calls of Hashers and the methods
// that made them.
//
// A look at the stack is slow, so it is rare. An operation looks if the lock that it needs stays
// taken, and a call of a Hasher looks if its counter counts more than mostCalls. Making a view
// looks while any Hasher is being asked, because a view must not be made in a call of a Hasher at
// all.

const (
	// deep is the number of calls of Hashers on one stack that is taken for a recursion without
	// end. A Hasher must not call maps with a Hasher at all, so a smaller number would do, too.
	deep = 16
	// Of so many calls of Hashers one, chosen at random, looks at the stack in builds that do not
	// count calls. In others a call looks if its counter counts more than mostCalls running ones.
	looks     = 1024
	mostCalls = 64
	// counted reports whether the build counts calls. The race detector would take the counts for
	// an order of the program's goroutines; in explored builds each would be a scheduling point.
	counted = !atom.Race && !atom.Explored
	// backoffTries is how many times an operation tries a lock before it looks at the stack.
	backoffTries = 64
)

// asking counts the running calls of the methods of all Hashers. It is one count for all maps,
// because a Hasher that uses another map calls that map's Hasher.
var asking = newCalls()

// calls counts the running calls of functions that the program gave to maps. A goroutine counts a
// call in the counter that [stripe.Hint] gives, and that counter holds the call until it returns.
type calls struct {
	counters []callCount
	shift    uint
}

// callCount is a counter: the number of running calls that it counts.
type callCount struct {
	n atom.Int64
	_ pad.Bytes
}

func newCalls() calls {
	n := stripe.Count(runtime.GOMAXPROCS(0))
	return calls{make([]callCount, n), upper(n)}
}

// counter returns the counter of the calling goroutine for a call.
func (c *calls) counter() *callCount { return &c.counters[stripe.Hint()>>c.shift] }

// enter counts a call in n, and returns the number of running calls that n counts.
func (n *callCount) enter() int64 {
	if !counted {
		return 0
	}
	return n.n.Add(1)
}

// leave ends a call that enter has counted.
func (n *callCount) leave() {
	if counted {
		n.n.Add(-1)
	}
}

// running reports whether a call may be running on any goroutine. If it returns false, no call is
// on the stack of the calling goroutine.
func (c *calls) running() bool {
	for i := range c.counters {
		if c.counters[i].n.Load() > 0 {
			return true
		}
	}
	return !counted
}

// tryWithBackoff tries to take a lock, several times if the build counts calls, and reports whether
// it did. It does not look at the stack, which costs more than most operations that hold the lock.
func tryWithBackoff(mu *atom.Mutex) bool {
	if mu.TryLock() {
		return true
	}
	for range backoffTries {
		if !counted {
			break
		}
		if atom.Yield(); mu.TryLock() {
			return true
		}
	}
	return false
}

// nesting is a call of a method of a Hasher that is on the stack.
type nesting struct {
	asked        string // Hash or Equal
	outer, inner string // methods of maps: its caller and what it has called; "" is an iterator
}

// asks names what methods of custom call.
var asks = map[string]string{"hash": "Hash", "match": "Equal", "matchNone": "Equal"}

// pkg is the prefix of the names of the functions of this package.
var pkg = func() string {
	name := runtime.FuncForPC(reflect.ValueOf(upperCase).Pointer()).Name()
	return strings.TrimSuffix(name, "upperCase")
}()

// nested returns the innermost call of a Hasher on the stack of the calling goroutine, and reports
// whether the stack has so many such calls. It leaves out the innermost own ones, which the caller
// itself is making.
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
			asked, is := strings.CutPrefix(name, "(*custom).")
			is = here && is && asks[asked] != ""
			if is {
				found++
			}
			switch m := methodIn(name); {
			case is && found == 1:
				n.asked, n.inner = asks[asked], called
				called = ""
			case !is && here:
				if m != "" {
					called = m
				}
			case found > 0 && n.outer == "": // the first frame outside the package, or the next call
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

// methodIn returns the method of a map, such as Map.Load, if name is that of an exported method of
// this package, or of a function literal in one; and atSeal for apart. Otherwise it returns "".
func methodIn(name string) string {
	if strings.HasPrefix(name, atSeal+".") {
		return atSeal
	}
	of, method, ok := strings.Cut(name[max(strings.LastIndex(name, "(*"), 0):], "[...]).")
	if end := strings.IndexAny(method, ".-"); end >= 0 {
		method = method[:end]
	}
	if !ok || len(of) < 3 || !upperCase(of[2:]) || !upperCase(method) {
		return ""
	}
	return of[2:] + "." + method
}

// atSeal is the function that calls Hashers at the end of a job.
const atSeal = "apart"

func upperCase(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// violation returns the violation of the call n. g is the guard of the map that the Hasher called.
func (n nesting) violation(g *safety.Guard) *safety.Violation {
	by := ""
	switch {
	case n.outer == atSeal:
		by = ", which the end of a job had called,"
	case n.outer != "":
		by = ", which " + n.outer + " had called,"
	}
	inner := n.inner
	if inner == "" {
		inner = "an iterator"
	}
	return g.Violation(safety.ErrWaitCycle, n.asked+" of a Hasher"+by+" called "+inner+" of "+g.Container()+", and that would never end",
		"Hash and Equal look at the keys that they are given. What they need to know besides must not be in a map that they hash keys of.")
}

// mustEnd panics with the violation of the call that nested(own, least) returns, if that reports
// true. g is the guard of the map that the calling goroutine uses.
func mustEnd(g *safety.Guard, own, least int) {
	if n, ok := nested(own, least); ok {
		panic(n.violation(g))
	}
}

// view returns the hold of a view that claims the map, or an empty one if the map is nil.
func (m *core) view(mode safety.Mode, kind safety.ViewKind) safety.Hold {
	if m == nil {
		return safety.Hold{}
	}
	outsideHashers(&m.guard, m.asked != nil)
	return m.guard.Hold(mode, kind)
}

// outsideHashers panics with a violation if a Hasher is making a view of the map. The job that gets
// the view would use the map on other goroutines, whose stacks do not show that the Hasher waits
// for them.
func outsideHashers(g *safety.Guard, custom bool) {
	if custom && asking.running() {
		mustEnd(g, 0, 1)
	}
}
