package fuzz

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// recorder is a host that notes which subtests fail, and why.
type recorder struct {
	testing.TB
	name string

	mu      sync.Mutex
	failed  bool
	said    []string
	cleanup []func()
	subs    []*recorder
}

// Helper marks nothing.
func (r *recorder) Helper() {}

// Name returns the subtest's name.
func (r *recorder) Name() string { return r.name }

// Failed reports whether the subtest failed.
func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// Fail notes a failure.
func (r *recorder) Fail() {
	r.mu.Lock()
	r.failed = true
	r.mu.Unlock()
}

// FailNow ends the subtest.
func (r *recorder) FailNow() {
	r.Fail()
	runtime.Goexit()
}

func (r *recorder) say(text string) {
	r.mu.Lock()
	r.said = append(r.said, text)
	r.mu.Unlock()
}

// Log and the others note a text.
func (r *recorder) Log(args ...any)                 { r.say(fmt.Sprint(args...)) }
func (r *recorder) Logf(format string, args ...any) { r.say(fmt.Sprintf(format, args...)) }

func (r *recorder) Error(args ...any) {
	r.Log(args...)
	r.Fail()
}

func (r *recorder) Errorf(format string, args ...any) {
	r.Logf(format, args...)
	r.Fail()
}

func (r *recorder) Fatal(args ...any) {
	r.Log(args...)
	r.FailNow()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Logf(format, args...)
	r.FailNow()
}

// Cleanup has f run when the subtest ends.
func (r *recorder) Cleanup(f func()) { r.cleanup = append(r.cleanup, f) }

func (r *recorder) sub(name string, f func(t testing.TB)) {
	s := &recorder{TB: r.TB, name: name}
	r.subs = append(r.subs, s)
	s.run(func() { f(s) })
}

// run runs f and what it has run afterwards on a goroutine of its own, which f may end.
func (r *recorder) run(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, f := range slices.Backward(r.cleanup) {
				f()
			}
		}()
		defer func() {
			if v := recover(); v != nil {
				r.Errorf("panic: %v", v)
			}
		}()
		f()
	}()
	<-done
}

// text is all that was said.
func (r *recorder) text() string { return strings.Join(r.said, "\n") }

// recorded runs a suite, and returns its subtests by name; the suite itself has none.
func recorded(t *testing.T, suite func(h host)) map[string]*recorder {
	t.Helper()
	r := &recorder{TB: t}
	r.run(func() { suite(r) })
	all := map[string]*recorder{"": r}
	for _, s := range r.subs {
		all[s.name] = s
	}
	return all
}

// impatient is the settings for a toy. Its suite repeats less, since it is run again until the
// fault is seen.
func impatient(opts ...Option) settings {
	s := settingsOf(opts)
	s.patience, s.histories = 5*time.Second, histories
	if !atom.Race { // whose builds repeat less anyway
		s.share = 4
	}
	return s
}

// passes runs a suite over a container that is right.
func passes(t *testing.T, suite func(h host)) {
	t.Helper()
	for name, r := range recorded(t, suite) {
		require.False(t, r.failed, "subtest %q:\n%s", name, r.text())
	}
}

// attempts is how often a suite is run over a toy whose fault needs luck to be met.
const attempts = 64

// catches runs a suite over a container with a fault, and asserts that these subtests fail, and no
// other but those that may: a name that begins with ~ is of one that may.
func catches(t *testing.T, suite func(h host), parts ...string) {
	t.Helper()
	missing := map[string]bool{}
	for _, name := range parts {
		missing[name] = name == "" || name[0] != '~'
	}
	for range attempts {
		for name, r := range recorded(t, suite) {
			_, must := missing[name]
			_, may := missing["~"+name]
			may = may || name == "schedules" // which sees faults that need no luck too, in explored builds
			require.False(t, r.failed && !must && !may, "subtest %q should not see the fault:\n%s", name, r.text())
			if r.failed {
				delete(missing, name)
				missing["~"+name] = false
				if testing.Verbose() {
					t.Logf("%s: %.300s", name, r.text())
				}
			}
		}
		if !slices.Contains(slices.Collect(maps.Values(missing)), true) {
			return
		}
	}
	for name, yes := range missing {
		require.False(t, yes, "subtest %q does not see the fault", name)
	}
}

// noticed says which subtests see a fault, as catches wants it.
type noticed struct {
	fault string
	parts []string
}

// catchesAll is catches for every fault of a table, each in a subtest of its own; with -race, where
// one is as good as another to show that the suites have no races themselves, for a few of them.
func catchesAll(t *testing.T, suite func(fault string) func(h host), table []noticed) {
	t.Helper()
	for k, n := range table {
		if atom.Race && k%4 != 0 {
			continue
		}
		t.Run(n.fault, func(t *testing.T) { catches(t, suite(n.fault), n.parts...) })
	}
}

// elsewhere skips a test of toys in builds where it shows what it shows at the checked level, and
// with -race: toys have no levels, the scheduler behind the library's own atomics does not drive
// them, and how long a word is plays no part.
func elsewhere(t *testing.T) {
	if atom.Explored || !safety.Enabled || safety.Strict && !atom.Race || strconv.IntSize == 32 {
		t.Skip("these toys are the same in the checked build")
	}
}
