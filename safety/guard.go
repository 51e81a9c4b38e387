package safety

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/origin"
)

// Guard is the part of a container that judges every use of it by the jobs that hold it. A
// container has one as an unexported field, calls [Guard.Init] when it is made, and one of the
// Check methods at the start of every method that touches its data. A Guard must not be copied:
// each Check method refuses a copy.
//
// A check loads the custody word, which tells whether an ordinary use is allowed: a legal use costs
// nothing else. The records tell which jobs hold the container. They are read when a job is
// scheduled, or, under a lock, when a use was refused and the text needs names. The race detector
// does not see the word: checks order nothing in the program.
//
// Guarantees for authors (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Init                                 new           wait-free  O(stack)    never; some if tracked
//	CheckRead, CheckWrite, CheckShared   container     wait-free  O(1)        never
//	CheckAppend, CheckLook, CheckExists  container     wait-free  O(1)        never
//	Growable, Bump                       container     wait-free  O(1)        never
//	Borrow, BorrowLook                   container     wait-free  O(skip)     never
//	Phases                               container     wait-free  O(1)        one, for a second
//	Adopts                               container     lock       O(1)        some
//	Dispose, DisposeAfter                ledger        lock       O(holders)  DisposeAfter: some
//	Disposed, Held                       linearizable  wait-free  O(1)        never
//	Hold, Name                           constant      wait-free  O(1)        never
//	Container, Violation                 constant      wait-free  O(1)        the text
//	Text                                 glance        lock       O(holders)  the text
//
// Invariants:
//
//	(I1) Only the goroutine that has locked the guard writes the word. The lock is a bit of it.
//	     Unlocking sets the bit of each mode exactly if a record has that mode.
//	(I2) cur has the jobs that were admitted last and may run together; prev those admitted before
//	     them, or before a chain of jobs that append. Every job of cur runs after every job of
//	     prev, and after those whose records were dropped. So a job that runs after cur runs after
//	     all of them.
//	(I3) A record leaves when its job returns custody, or is dropped by (I2). A job returns after
//	     all jobs that it runs after (see Ticket.Return). So cur is empty only if prev is.
type Guard struct {
	word atom.HiddenUint64

	id    uint64 // never reused; the order in which a schedule locks guards
	cur   []record
	prev  []record
	holds [Shared + 1]int32 // the number of records, in cur and prev, of each mode
	held  uint64            // the bits of the modes that have records; unlock puts them in the word

	phased   Phased
	returner Returner
	scope    *Scope  // the scope of the body that made the container; nil if none did
	epoch    uintptr // of that scope, in the batch that made it
	release  func()  // of a dead guard: to be called when the jobs that hold it have returned
	written  int     // in unchecked builds: number of jobs that change it and were not returned
	growable bool    // scheduling a job that changes it ends borrows

	foreignPhases bool // see Ticket.Foreign

	changes  atom.HiddenUint64 // counts the changes that ended borrows
	changed  string            // what the last of them was
	takes    atom.HiddenUint64 // counts the jobs that ended borrows
	taking   taking            // the last of them
	leftTo   *leaving          // the job that DisposeAfter left it to
	division *Division         // while the container is split
	partOf   *Division         // what it is, or was, a part of
	tracked  *outstanding      // while containers are tracked
	adopted  *extent           // the memory that it has adopted: see Adopts
	owner    any
	name     string
	made     Site
	disposed trail // where Dispose or DisposeAfter was called, of a dead guard
}

// record is a job that holds the container, and the number of its claim in the job's ticket.
type record struct {
	ticket *Ticket
	claim  int32
}

// The bits of the custody word below the guard's address (see address). A guard is live from Init
// on, dead from Dispose on, and divided from Divide to Join. Each mode that jobs hold has a bit.
const (
	live uint64 = 1 << iota
	dead
	locked
	divided
	heldRead
	heldWrite
	heldAppend
	heldShared
)

const (
	heldAny    = heldRead | heldWrite | heldAppend | heldShared
	gone       = dead | divided
	noRead     = gone | heldWrite | heldAppend | heldShared
	noWrite    = gone | heldAny
	noShared   = gone | heldRead | heldWrite | heldAppend
	noAppend   = gone | heldRead | heldWrite | heldShared
	noPresence = dead
)

var lastGuard atom.HiddenUint64

// Init makes the guard that of owner, a pointer to the container it lies in. The caller of the
// function that calls Init, skip frames further up, is recorded as where the container was made.
func (g *Guard) Init(owner any, skip int, opts ...Option) {
	g.id = lastGuard.Add(1)
	g.owner = owner
	g.Phases(owner)
	g.made = Caller(skip + 2)
	g.apply(opts)
	g.Phases(nil) // the owner may be another one now
	if l := CurrentScope(); l != nil {
		g.scope, g.epoch = l, l.epoch.Load()
	}
	g.word.Store(g.address() | live)
	g.track()
}

// Phases makes p hear of the phases of jobs. p is a [Phased], a [Returner] or both: a pointer to a
// type of the container's package, so that the container itself need not have these methods. Phases
// may be called before Init, and several times, before a job holds the container.
func (g *Guard) Phases(p any) {
	if p, ok := p.(Phased); ok {
		if g.phased != nil {
			p = &part{g.phased, p}
		}
		g.phased = p
	}
	if p, ok := p.(Returner); ok {
		g.returner = p
	}
	if g.owner != nil {
		g.foreignPhases = (g.phased != nil || g.returner != nil) && !calm(g.owner)
	}
}

// calm reports whether owner is a container whose phase operations call no function of its users,
// or call it by gls.TellSeal.
func calm(owner any) bool {
	t := reflect.TypeOf(owner)
	if t.Kind() != reflect.Pointer {
		return false
	}
	name, ours := strings.CutPrefix(t.Elem().PkgPath(), origin.Module)
	return ours && slices.Contains(calmPackages, name)
}

// calmPackages are the packages that have such containers only.
var calmPackages = []string{"array", "counter", "hashmap", "queue", "table"}

// CheckRead panics unless the caller may read the container: no job that writes, appends to or
// shares it is uncompleted. Like the other Check methods it also panics if the container is a copy,
// was disposed or was never made.
func (g *Guard) CheckRead() {
	if Enabled && g.state()&(foreign|noRead) != 0 {
		g.refuse("read", noRead)
	}
	if Strict {
		g.checkOwner("read")
	}
}

// CheckWrite panics unless the caller may change the container in any way: no job that holds it is
// uncompleted.
func (g *Guard) CheckWrite() {
	if Enabled && g.state()&(foreign|noWrite) != 0 {
		g.refuse("changed", noWrite)
	}
	if Strict {
		g.checkOwner("changed")
	}
}

// CheckLook panics unless the caller may use linearizable operations that only read. It allows them
// beside jobs that hold the container only to read, or only to share, but not beside both: between
// such jobs a writer may be running.
func (g *Guard) CheckLook() {
	if Enabled && g.state()&(foreign|noRead) != 0 || Strict {
		g.checkLook()
	}
}

// checkLook implements CheckLook if the word forbids reading, and in strict builds.
func (g *Guard) checkLook() {
	if s := g.state(); s&(foreign|noRead) != 0 && s&(foreign|noShared) != 0 {
		g.refuse("looked at", noWrite)
	}
	if Strict {
		g.checkOwner("looked at")
	}
}

// CheckShared panics unless the caller may use the container's linearizable operations: no job that
// reads, writes or appends to it is uncompleted.
func (g *Guard) CheckShared() {
	if Enabled && g.state()&(foreign|noShared) != 0 {
		g.refuse("used", noShared)
	}
	if Strict {
		g.checkOwner("used")
	}
}

// CheckAppend panics unless the caller may add to the container beside the lanes of jobs that
// append to it: no job that reads, writes or shares it is uncompleted.
func (g *Guard) CheckAppend() {
	if Enabled && g.state()&(foreign|noAppend) != 0 {
		g.refuse("added to", noAppend)
	}
	if Strict {
		g.checkOwner("added to")
	}
}

// CheckExists panics if the container is a copy, was disposed or was never made.
func (g *Guard) CheckExists() {
	if Enabled && g.state()&(foreign|noPresence) != 0 {
		g.refuse("used", noPresence)
	}
}

// Disposed reports whether the container was disposed.
func (g *Guard) Disposed() bool { return g.word.Load()&dead != 0 }

// Dispose ends the container: it panics while an uncompleted job holds it, or when it was disposed
// before; every use afterwards is refused. Of several goroutines that try, one succeeds.
func (g *Guard) Dispose() {
	g.checkEnder("disposed")
	var at trail
	at.leave()
	if !g.end(&at) {
		g.refuse("disposed", noWrite)
	}
	g.untrack()
}

// end makes the guard dead if it is free, and keeps at as the place of its end. It reports whether
// the guard was free.
//
//go:norace
func (g *Guard) end(at *trail) bool {
	g.lock()
	free := g.free()
	if free {
		g.disposed = *at
		g.kill()
	}
	g.unlock()
	return free
}

// free reports whether no job holds the guard and it is neither dead, divided nor a copy. Unchecked
// builds do not know that and report true. The guard is locked.
//
//go:norace
func (g *Guard) free() bool {
	return !Enabled || g.state()&(foreign|live|noWrite) == live
}

// kill makes the guard dead. The guard is locked.
func (g *Guard) kill() { g.word.Store(g.word.Load() | live | dead) }

// lock locks the guard and its records. Only code of the ledger runs under the lock, for a short
// time. The lock is a bit of the custody word: one beside it would double the work of a schedule.
//
//go:norace
func (g *Guard) lock() {
	for s := (atom.Spin{}); ; {
		if w := g.word.Load(); w&locked == 0 && g.word.CompareAndSwap(w, w|locked) {
			return
		}
		if !s.More() {
			atom.Yield()
		}
	}
}

// unlock writes the bits of the held modes to the word (I1), and unlocks the guard.
//
//go:norace
func (g *Guard) unlock() {
	g.word.Store(g.word.Load()&^(heldAny|locked) | g.held)
}

// hold counts one more record of mode m, and unhold one less. The guard is locked.
//
//go:norace
func (g *Guard) hold(m Mode) {
	if g.holds[m]++; g.holds[m] == 1 {
		g.held |= m.held()
	}
}

//go:norace
func (g *Guard) unhold(m Mode) {
	if g.holds[m]--; g.holds[m] == 0 {
		g.held &^= m.held()
	}
}

// Held reports whether a job that was not completed holds the container. It is for views of
// containers that jobs make longer: while a job may do so, the next loop may have any number of
// indices, and the Extent of its claim is the largest int.
func (g *Guard) Held() bool { return g.word.Load()&heldAny != 0 }

// Hold returns the hold of an unbound view that claims the container in mode m. kind has the
// methods that the view has for drivers. If it is nil, the view itself has them.
func (g *Guard) Hold(m Mode, kind ViewKind) Hold { return Hold{guard: g, mode: m, kind: kind} }

// Name returns the name that the container was given by [Named], or nothing.
func (g *Guard) Name() string { return g.name }

// Container names the container by type and name.
func (g *Guard) Container() string {
	if g.name == "" || g.owner == nil {
		return typeText(g.owner)
	}
	return typeText(g.owner) + " " + strconv.Quote(g.name)
}

// Violation returns a violation of the given kind that concerns the container. It finds the line
// that broke the rule on the stack of the calling goroutine, beyond the library and the container's
// own methods. what and do are those of [NewViolation].
func (g *Guard) Violation(kind error, what, do string) *Violation {
	return g.violationAt(here(g.owner), kind, what, do)
}

// violationAt is Violation for a rule that was broken at p.
func (g *Guard) violationAt(p spot, kind error, what, do string) *Violation {
	v := newViolation(kind, what, do, p)
	v.Container = g.Container()
	v.Made = g.made.String()
	return v
}
