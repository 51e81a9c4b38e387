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

// Usual is the patience of tests with operations that take milliseconds: the duration in
// CUSTODY_PATIENCE, or 20 s. A program that breaks the library and runs the tests sets it.
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

// glance is the time between two looks of a goroutine that waits.
const glance = 20 * time.Millisecond

// patience is a clock that runs as fast as the program does. Other programs, which take processors
// away, slow it down, and it stands while the machine sleeps. So a verdict that depends on it does
// not depend on the rest of the machine. While no goroutine is runnable, the clock shows the time
// that passes. Otherwise it shows the time that the program has computed, divided by the number of
// goroutines that could have computed at once.
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

// renew begins the patience anew, after progress.
func (p *patience) renew() { p.left = p.limit }

// over reports whether the patience is over. It is called every glance or so.
func (p *patience) over() bool {
	now := time.Now()
	c, known := computedBy()
	metrics.Read(p.states[:])
	want := int(p.states[0].Value.Uint64()+p.states[1].Value.Uint64()) - 1 // besides who looks
	p.left -= spent(now.Sub(p.seen), c-p.computed, known, min(want, runtime.GOMAXPROCS(0)))
	p.seen, p.computed = now, c
	return p.left <= 0
}

// spent returns how far the clock goes while the time passed. computed is the time that the program
// has computed meanwhile, if known is true, and want the number of goroutines that could have.
func spent(passed, computed time.Duration, known bool, want int) time.Duration {
	passed = min(passed, 2*glance)
	if want <= 0 || !known {
		return passed
	}
	return min(passed, computed/time.Duration(want))
}

// Ends reports whether done is closed, or a goroutine sends to it, before the patience is over. The
// patience begins anew whenever moved, which may be nil, returns another number: then the program
// makes progress.
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

// Until fails the test unless the condition holds before the patience is over. It asks again and
// again, from this goroutine.
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

// Arrives returns the next value from the channel. It fails the test if there is none before the
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

// Watchdog does that for the rest of the test.
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

// hangs ends the process.
var hangs = func(name string) {
	_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
	panic(fmt.Sprintf("%s hangs", name))
}

// Patient returns a context for waits that another goroutine has to end. The context ends with the
// test, or when the patience is over, and then has that as its cause.
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

// Unhurried calls f with a limit on its time until it says that it has ended. When it has not, and
// the program has computed for so long, it returns false; when other programs have had the
// processors f is called again, with twice the time.
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
