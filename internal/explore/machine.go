package explore

import (
	"errors"
	"math"
	"math/bits"
	"strings"
	"time"
	"unsafe"

	"example.com/custody/internal/sched"
)

// Machine is a machine on which every task of a program has a processor of its own. Times are in
// nanoseconds.
type Machine struct {
	Step     float64 // what a task computes between two operations
	Hit      float64 // a load of a line that the processor has; a plain write to its own
	Update   float64 // any other operation on a line that only this processor has
	Transfer float64 // a line comes from another processor of the socket
	Far      float64 // a line comes from another socket
	Miss     float64 // a line comes from a cache that all share: no processor has it
	Home     float64 // after a line has gone to one more reader, until it goes to the next
	Ask      float64 // the part of a transfer in which the old processor uses the line
	Hold     float64 // after a line has come to a processor that changes it, until it goes on
	Then     float64 // after a line has come, until the operation that changes it has ended
	Yield    float64
	Start    float64 // of a goroutine
	Signal   float64 // a wake-up, for the goroutine that makes it
	Wake     float64 // a wake-up, until the goroutine goes on
	Spin     float64 // how long a goroutine that waits for a lock spins, before it sleeps
	Socket   int     // processors of a socket
}

// Usual is a machine with sockets of 32 processors. Transfer, Update and Hold are those of two
// processors of AMD's family 25, measured on one line. Ask and Then are 0: Hold stands for both.
// The other times are of a usual size.
var Usual = Machine{
	Step: 1, Hit: 1, Update: 2, Transfer: 27, Far: 80, Miss: 27, Home: 5, Hold: 20,
	Yield: 60, Start: 400, Signal: 1000, Wake: 5000, Spin: 1000, Socket: 32,
}

const lineBits = 6

// line is a cache line in the MESI protocol (Papamarcos and Patel, 1984).
//
//	(line.I1) Either one processor may change the line, or any number have it to read, or none.
//	(line.I2) The line is asked for only from the time free on.
type line struct {
	owner   int // the processor that may change it, or none
	readers uint64
	free    float64
	place   int      // where in the program, if places are noted
	touches [2]touch // of the first tasks, if these are noted
	chain   int      // the chain of the operation that changed the line last
}

const none = -1

// clock is the time of one task, and the operation that it is to do next.
type clock struct {
	now  float64 // when the operation begins, unless it waits for its line
	kind sched.Kind
	line *line // nil: the operation is on no line

	lock   *line   // of the last lock that it asked for
	since  float64 // when it did so
	asleep bool    // it waits for the lock, and is not woken when it is unlocked

	chain int // of the task's last operation: see Timing.Chain
}

// timed runs a program once on a machine. The task whose next operation begins first goes on. If
// several begin at once, the one that has come first does.
type timed struct {
	Machine
	random   source // makes steps differ
	ran      bool
	clocks   [sched.MaxTasks]clock
	lines    map[uintptr]*line
	running  int // the task that goes on
	steps    int
	unlock   unlocked
	from     float64 // the time is counted from then on
	took     Timing
	places   *places // nil: places are not noted
	touching bool    // touches are noted
}

// newTimed returns a machine that has run nothing.
func newTimed(m Machine, seed uint64) *timed {
	return &timed{Machine: m, random: source(seed), lines: map[uintptr]*line{}}
}

// mostSteps is the number of steps after which a program counts as endless: some minutes.
const mostSteps = 200_000_000

// run runs the tasks that setup adds, and with every also those that they start.
func (m *timed) run(every bool, setup func(x *sched.Exec)) (err error) {
	return alone(func(x *sched.Exec, _ *collector) error { return m.execute(x, every, setup) })
}

// execute is run in an execution that has not started.
func (m *timed) execute(x *sched.Exec, every bool, setup func(x *sched.Exec)) error {
	x.Use(m)
	x.Start()
	defer x.Stop()
	setup(x)
	if fault := x.Run(every); fault != nil {
		return fault
	}
	return nil
}

// alone calls f while the rest of the process rests, and ends the tasks that f leaves behind.
func alone(f func(x *sched.Exec, garbage *collector) error) (err error) {
	ended, panicked := apart(func() {
		var garbage collector
		garbage.begin()
		defer garbage.end()
		quiet()
		x := sched.New(false)
		x.Limit = mostSteps
		defer x.Close()
		err = f(x, &garbage)
	})
	switch {
	case strings.HasPrefix(panicked, sched.TooMany):
		return errors.New(sched.TooMany)
	case panicked != "":
		panic(panicked)
	case err == nil && !ended:
		return errors.New("explore: a task called runtime.Goexit")
	}
	return err
}

// Start implements sched.Strategy: there is one execution.
func (m *timed) Start() bool {
	if m.ran {
		return false
	}
	m.ran, m.running = true, none
	return true
}

// Spawned implements sched.Strategy.
func (m *timed) Spawned(id int) {
	m.clocks[id] = clock{}
	if m.running != none {
		m.clocks[id].now = m.clocks[m.running].now + m.Machine.Start
		m.clocks[id].chain = m.clocks[m.running].chain
	}
}

// Yielded implements sched.Strategy.
func (m *timed) Yielded(int, uint64) {}

// Arrived implements sched.Timed.
func (m *timed) Arrived(id int, k sched.Kind, p unsafe.Pointer) {
	c := &m.clocks[id]
	c.kind, c.line = k, nil
	c.now += m.Step * (0.5 + float64(m.random.next()>>40)/(1<<24))
	if p == nil || k == sched.OpYield || k == sched.OpGo {
		return
	}
	at := uintptr(p) >> lineBits
	if c.line = m.lines[at]; c.line == nil {
		c.line = &line{owner: none}
		m.lines[at] = c.line
	}
}

// Pick implements sched.Strategy.
func (m *timed) Pick(enabled uint64, cur int) int {
	first, begins := none, 0.0
	for b := enabled; b != 0; b &= b - 1 {
		id := bits.TrailingZeros64(b)
		t := m.begins(id)
		if m.clocks[id].asleep {
			t = math.Inf(1)
		}
		if first == none || t < begins || t == begins && m.clocks[id].now < m.clocks[first].now {
			first, begins = id, t
		}
	}
	return first
}

// begins returns when the next operation of a task begins.
func (m *timed) begins(id int) float64 {
	c := &m.clocks[id]
	if c.line == nil || c.has(id) {
		return c.now
	}
	t := max(c.now, c.line.free)
	if c.line.others(id) != 0 {
		t += m.Ask
	}
	return t
}

// others are the processors besides one that have the line.
func (l *line) others(id int) uint64 {
	others := l.readers
	if l.owner != none {
		others |= 1 << l.owner
	}
	return others &^ (1 << id)
}

// has reports whether the processor of a task has the line that its next operation needs.
func (c *clock) has(id int) bool {
	return c.line.owner == id || c.kind == sched.OpLoad && c.line.readers&(1<<id) != 0
}

// Began implements sched.Timed: the operation is done, and takes its time.
func (m *timed) Began(id int) {
	c := &m.clocks[id]
	m.running = id
	m.steps++
	c.asleep = false
	c.now = m.begins(id)
	if c.kind == sched.OpYield {
		c.now += m.Yield
	}
	if l := c.line; l != nil {
		c.now = m.use(c, l, id)
	}
	if c.kind == sched.OpLock {
		c.lock, c.since = c.line, c.now
	}
	c.kind, c.line = sched.OpStart, nil
}

// use does the operation of a task on a line, and returns when it has ended.
func (m *timed) use(c *clock, l *line, id int) float64 {
	m.took.Accesses++
	c.chain = max(c.chain, l.chain)
	begins, has, load := c.now, c.has(id), c.kind == sched.OpLoad
	plain := c.kind == sched.OpPlain // a write
	others := l.others(id)
	switch {
	case has && (load || plain):
		begins += m.Hit
	case has || others == 0 && l.readers != 0:
		begins += m.Update
	case others == 0:
		begins += m.Miss
		l.free = begins
	default:
		m.took.Transfers++
		c.chain++
		left := begins
		if m.far(id, others) {
			left += m.Far - m.Transfer
		}
		if begins = left + m.Transfer - m.Ask; !load {
			begins += m.Then
		}
		if l.free = max(left, begins-m.Ask); !load {
			l.free += m.Hold
		} else if l.owner == none {
			l.free = c.now + m.Home - m.Ask
		}
	}
	switch {
	case m.touching:
		m.touched(l, id, !load)
	case m.places != nil:
		m.places.note(l, !has && others != 0)
	}
	if load && l.owner != id {
		if l.owner != none {
			l.readers, l.owner = 1<<l.owner, none
		}
		l.readers |= 1 << id
	} else if !load {
		l.owner, l.readers = id, 0
	}
	if !load {
		l.chain = c.chain
	}
	return begins
}

// far reports whether a line comes from another socket: its owner's, or that of all its readers. A
// change waits for the farthest reader.
func (m *timed) far(id int, others uint64) bool {
	here := uint64(1)<<m.Socket - 1
	if m.Socket >= sched.MaxTasks {
		here = ^uint64(0)
	}
	for s := id / m.Socket; s > 0; s-- {
		here <<= m.Socket
	}
	if m.clocks[id].kind == sched.OpLoad {
		return others&here == 0
	}
	return others&^here != 0
}

// Woken implements sched.Timed. A goroutine that has waited for a lock no longer than it spins has
// it when the line comes. If none spins, the one is woken that has slept longest.
func (m *timed) Woken(id, by int, k sched.Kind) {
	c, other := &m.clocks[id], &m.clocks[by]
	if k != sched.OpStart {
		c.chain = max(c.chain, other.chain+1)
	}
	switch at := other.now; {
	case k == sched.OpStart: // all begin together
	case k != sched.OpLock:
		other.now += m.Signal
		c.now = max(c.now, at+m.Wake)
	case c.waits(at) <= m.Spin:
		c.now, c.asleep = max(c.now, at+m.Transfer), false
		m.wakes(c, by)
	default:
		c.asleep = true
		if u := m.unlock; u.lock != c.lock || u.by != by || u.steps != m.steps {
			other.now += m.Signal
			m.wakes(c, by)
			c.now, c.asleep = at+m.Wake, false
		} else if w := u.woken; w.since > c.since && w.waits(at) > m.Spin {
			w.asleep = true
			m.unlock.woken = c
			c.now, c.asleep = max(c.now, at+m.Wake), false
		}
	}
}

// unlocked is the step in which a lock was unlocked, and the goroutine that is to have it.
type unlocked struct {
	lock  *line
	by    int
	steps int
	woken *clock
}

func (m *timed) wakes(c *clock, by int) { m.unlock = unlocked{c.lock, by, m.steps, c} }

// waits returns how long a goroutine has waited for a lock at a time.
func (c *clock) waits(at float64) float64 { return at - c.since }

// Spend implements sched.Timed.
func (m *timed) Spend(id int, d time.Duration) { m.clocks[id].now += float64(d) }

// Now implements sched.Timed.
func (m *timed) Now(id int) time.Duration { return time.Duration(m.clocks[id].now) }
