package lawtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"testing"
	"time"

	"example.com/custody/internal/atom"
)

// Usual is the patience of tests whose operations take milliseconds: the duration in
// CUSTODY_PATIENCE, or 20 s. The program that runs the tests with broken library code sets it.
var Usual = usual(os.Getenv("CUSTODY_PATIENCE"))

func usual(said string) time.Duration {
	if said == "" {
		return 20 * time.Second
	}
	d, err := time.ParseDuration(said)
	if err != nil || d <= 0 {
		panic("CUSTODY_PATIENCE is " + said + ", which is no patience; say 5s, for example")
	}
	return d
}

// glance is the time between two checks of a waiting goroutine.
const glance = 20 * time.Millisecond

// patience is a clock that runs as fast as the program does. Other programs, which take processors
// away, slow it down, and it stops while the machine sleeps. A verdict that depends on it therefore
// does not depend on the rest of the machine.
//
// While no goroutine is runnable, the clock advances with the time. Otherwise it advances by the
// processor time that the program has used, divided by the number of goroutines that could have run
// at once.
type patience struct {
	left     time.Duration
	limit    time.Duration
	seen     time.Time
	computed time.Duration
	states   [2]metrics.Sample
}

func newPatience(limit time.Duration) *patience {
	p := &patience{left: limit, limit: limit, seen: time.Now()}
	p.computed, _ = computedBy()
	p.states[0].Name = "/sched/goroutines/running:goroutines"
	p.states[1].Name = "/sched/goroutines/runnable:goroutines"
	return p
}

// renew restarts the patience after progress.
func (p *patience) renew() { p.left = p.limit }

// over reports whether the patience is over. Callers call it about every glance.
func (p *patience) over() bool {
	now := time.Now()
	c, known := computedBy()
	metrics.Read(p.states[:])
	want := int(p.states[0].Value.Uint64()+p.states[1].Value.Uint64()) - 1 // without the caller
	p.left -= spent(now.Sub(p.seen), c-p.computed, known, min(want, runtime.GOMAXPROCS(0)))
	p.seen, p.computed = now, c
	return p.left <= 0
}

// spent returns how far the clock advances in a period of the given length. computed is the
// processor time that the program has used in the period, if known is true, and want the number of
// goroutines that could have run.
func spent(passed, computed time.Duration, known bool, want int) time.Duration {
	passed = min(passed, 2*glance)
	if want <= 0 || !known {
		return passed
	}
	return min(passed, computed/time.Duration(want))
}

// Ends reports whether done is closed, or receives a value, before the patience is over. moved,
// which may be nil, measures progress: whenever it returns another number, the patience restarts.
func Ends[T any](done <-chan T, limit time.Duration, moved func() uint64) bool {
	p := newPatience(limit)
	last := uint64(0)
	if moved != nil {
		last = moved()
	}
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return true
		case <-tick.C:
		}
		if moved != nil {
			if m := moved(); m != last {
				last = m
				p.renew()
			}
		}
		if p.over() {
			select {
			case <-done:
				return true
			default:
				return false
			}
		}
	}
}

// Until fails the test unless the condition becomes true before the patience is over. The calling
// goroutine polls it.
func Until(t testing.TB, what string, is func() bool) {
	t.Helper()
	until(t, what, Usual, is)
}

func until(t testing.TB, what string, limit time.Duration, is func() bool) {
	t.Helper()
	p := newPatience(limit)
	for looks := 1; !is(); looks++ {
		if looks%64 != 0 {
			atom.Yield()
			continue
		}
		if p.over() {
			t.Errorf("waited too long for: %s", what)
			t.FailNow()
		}
		atom.Sleep(100 * time.Microsecond)
	}
}

// Arrives returns the next value of the channel. It fails the test if none arrives before the
// patience is over.
func Arrives[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	p := newPatience(Usual)
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		select {
		case v := <-from:
			return v
		case <-tick.C:
			if p.over() {
				t.Errorf("waited too long for: %s", what)
				t.FailNow()
			}
		}
	}
}

// Within ends the process, with the stacks of all goroutines, unless f returns before the patience
// is over.
func Within(t testing.TB, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	if !Ends(done, Usual, nil) {
		hangs(t.Name())
	}
}

// Watchdog ends the process, with the stacks of all goroutines, unless the test ends before three
// times the patience is over.
func Watchdog(t testing.TB) {
	t.Helper()
	name, done := t.Name(), make(chan struct{})
	go func() {
		if !Ends(done, 3*Usual, nil) {
			hangs(name)
		}
	}()
	t.Cleanup(func() { close(done) })
}

// hangs prints the stacks of all goroutines and panics. Tests replace it.
var hangs = func(name string) {
	_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
	panic(fmt.Sprintf("%s hangs", name))
}

// Patient returns a context for waits that another goroutine must end. The context ends with the
// test, or when the patience is over, which is then its cause.
func Patient(t testing.TB) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan struct{})
	go func() {
		if !Ends(done, Usual, nil) {
			cancel(errImpatient)
		}
	}()
	t.Cleanup(func() {
		close(done)
		cancel(nil)
	})
	return ctx
}

var errImpatient = errors.New("waited too long")

// Unhurried calls f with a time limit until f reports that it has ended. If f has not ended
// although the program has used that much processor time, Unhurried returns false. If other
// programs have used the processors, Unhurried calls f again with twice the limit.
func Unhurried(limit time.Duration, f func(limit time.Duration) (ended bool)) bool {
	for d := limit; ; d *= 2 {
		before, _ := computedBy()
		if f(d) {
			return true
		}
		if after, known := computedBy(); after-before >= limit || !known && d >= 8*limit {
			return false
		}
	}
}
