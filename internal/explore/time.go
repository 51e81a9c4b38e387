package explore

import (
	"errors"
	"fmt"
	"time"

	"example.com/custody/internal/sched"
)

// Timing is what a program did on a [Machine].
type Timing struct {
	Time      time.Duration // until the last goroutine ended
	Accesses  int           // operations on words
	Transfers int           // lines that came from another processor
	Misses    int           // lines that no processor had
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
func Time(m Machine, seed uint64, noted bool, l Load) (Timing, error) {
	s := &timed{Machine: m, random: source(seed), lines: map[uintptr]*line{}}
	if noted {
		s.places = &places{}
	}
	var fault *sched.Failure
	ended, panicked := apart(func() {
		var garbage collector
		garbage.begin()
		defer garbage.end()
		quiet()
		x := sched.New(false)
		x.Limit = mostSteps
		x.Use(s)
		x.Start()
		defer x.Close()
		defer x.Stop()
		l.add(x, s)
		fault = x.Run(l.Close != nil)
	})
	switch {
	case panicked != "":
		panic(panicked)
	case !ended && fault == nil:
		return s.took, errors.New("explore: a goroutine called runtime.Goexit")
	case fault != nil:
		return s.took, fault
	}
	if noted {
		s.took.Meetings = s.places.all()
	}
	return s.took, nil
}

// mostSteps is the number of steps after which a load counts as endless: some minutes.
const mostSteps = 200_000_000

// add adds a task for each goroutine.
func (l Load) add(x *sched.Exec, s *timed) {
	do, g, left := l.Fresh(), &gate{left: l.Goroutines}, l.Goroutines
	for k := range l.Goroutines {
		x.Go(fmt.Sprint("goroutine ", k), func() {
			for i := range l.Warm {
				do(k, i)
			}
			g.pass(s)
			for i := range l.Timed {
				do(k, l.Warm+i)
			}
			s.ended(k)
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

func (g *gate) pass(s *timed) {
	if g.left--; g.left == 0 {
		s.begin()
	}
	sched.Block(sched.OpStart, nil, g)
}

// String returns the counts as a line of text.
func (t Timing) String() string {
	return fmt.Sprintf("%v, %d operations, %d transfers, %d misses", t.Time, t.Accesses, t.Transfers, t.Misses)
}
