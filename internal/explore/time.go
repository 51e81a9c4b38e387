package explore

import (
	"fmt"
	"time"

	"example.com/custody/internal/sched"
)

// Timing is what a program did on a [Machine].
type Timing struct {
	Time      time.Duration // until the last goroutine ended
	Accesses  int           // operations on words
	Transfers int           // lines that came from another processor
	Chain     int           // the longest row of transfers and wake-ups that wait for each other
	Meetings  []Meeting     // those with the most transfers first, if places are noted
}

// Meeting is two places of a program between which a line went from one processor to another.
type Meeting struct {
	From, To  string // function, file and line
	Transfers int
}

// Load is what is timed: operations of goroutines, which share what Fresh makes. Goroutine g calls
// the operation that Fresh returns with i from 0 on. The first Warm of them are not timed: all
// goroutines wait for each other behind these.
type Load struct {
	Goroutines, Warm, Timed int
	Fresh                   func() func(g, i int)
	Close                   func() // ends other goroutines, and is not timed; nil: they never end
}

// Time runs a load once, on a machine, and tells what it took. The seed makes steps differ a
// little. If places are noted, Time also says where lines went from one processor to another, which
// takes several times as long.
func Time(machine Machine, seed uint64, noted bool, l Load) (Timing, error) {
	m := newTimed(machine, seed)
	if noted {
		m.places = &places{}
	}
	err := m.run(l.Close != nil, func(x *sched.Exec) { l.add(x, m) })
	if noted {
		m.took.Meetings = m.places.all()
	}
	return m.took, err
}

// add adds a task for each goroutine.
func (l Load) add(x *sched.Exec, m *timed) {
	do, g, left := l.Fresh(), &gate{left: l.Goroutines}, l.Goroutines
	for k := range l.Goroutines {
		x.Go(fmt.Sprint("goroutine ", k), func() {
			for i := range l.Warm {
				do(k, i)
			}
			g.pass(m)
			for i := range l.Timed {
				do(k, l.Warm+i)
			}
			m.ended(k)
			if left--; left == 0 && l.Close != nil {
				l.Close()
			}
		})
	}
}

// gate opens when all goroutines have come to it.
type gate struct{ left int }

// Ready implements sched.Waiter.
func (g *gate) Ready() bool { return g.left == 0 }

func (g *gate) pass(m *timed) {
	if g.left--; g.left == 0 {
		m.begin()
	}
	sched.Block(sched.OpStart, nil, g)
}

// begin has what is timed begin, for all tasks at once.
func (m *timed) begin() {
	for i := range m.clocks {
		m.from = max(m.from, m.clocks[i].now)
	}
	for i := range m.clocks {
		m.clocks[i].now, m.clocks[i].chain = m.from, 0
	}
	for _, l := range m.lines {
		l.chain = 0
	}
	m.took = Timing{}
	if m.places != nil {
		m.places.met = nil
	}
}

// ended notes that a goroutine has done its operations.
func (m *timed) ended(id int) {
	m.took.Time = max(m.took.Time, time.Duration(m.clocks[id].now-m.from))
	m.took.Chain = max(m.took.Chain, m.clocks[id].chain)
}
