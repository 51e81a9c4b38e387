package explore_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"unsafe"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/sched"
)

// journal is what the tasks of an execution did, in order. The race detector does not see it, so
// that it makes no difference.
type journal struct{ done []byte }

//go:norace
func (j *journal) add(b byte) { j.done = append(j.done, b) }

// steps takes a step for each letter, and notes it.
func (j *journal) steps(letters string) {
	for i := range len(letters) {
		sched.Point(sched.OpStore, unsafe.Pointer(j))
		j.add(letters[i])
	}
}

// flag is a plain bool that a task can wait for.
type flag struct{ up bool }

//go:norace
func (f *flag) Ready() bool { return f.up }

//go:norace
func (f *flag) set(up bool) { f.up = up }

func (f *flag) raise() {
	sched.Point(sched.OpUnpark, unsafe.Pointer(f))
	f.set(true)
}

func (f *flag) wait() {
	sched.Point(sched.OpPark, unsafe.Pointer(f))
	sched.Block(sched.OpPark, unsafe.Pointer(f), f)
}

// lock is a mutual exclusion of the scheduler's own means.
type lock struct{ flag }

func (l *lock) lock() {
	l.wait()
	l.set(false)
}

func newLock() *lock { return &lock{flag{true}} }

// find explores with no other options.
func find(setup func(*explore.Program), plans ...explore.Plan) (*explore.Finding, explore.Stats) {
	return explore.Find(explore.Options{}, setup, plans...)
}

func errorOf(f *explore.Finding) error {
	if f == nil {
		return nil
	}
	return f
}

// more makes up for the tenth of the schedules that race builds run.
func more(n int) int {
	if sched.Race {
		return 10 * n
	}
	return n
}

// childOf is set in processes that child starts.
const childOf = "CUSTODY_EXPLORE_CHILD"

// child runs this test again in a process of its own, where what the race detector reports and what
// fails harm no other test, and returns what it printed.
func child(t *testing.T, env ...string) string {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=0")
	// The detector would not report a race again whose stacks it has reported.
	c.Env = append(os.Environ(), "CUSTODY_REPLAY=", "CUSTODY_SCHEDULES=none", "CUSTODY_EXPLORE=", "CUSTODY_SEARCH=", "GORACE=suppress_equal_stacks=0 atexit_sleep_ms=0", childOf+"=1")
	c.Env = append(c.Env, env...)
	out, _ := c.CombinedOutput()
	return string(out)
}

// inChild reports whether this process is the test's own. It ends when the test hangs.
func inChild(t *testing.T) bool {
	is := os.Getenv(childOf) != ""
	if is {
		lawtest.Watchdog(t)
	}
	return is
}

// recorder is a test that notes how it fails.
type recorder struct {
	testing.TB
	name   string
	failed bool
	text   string
	logs   string
}

func (r *recorder) Name() string { return r.name }
func (r *recorder) Helper()      {}
func (r *recorder) Failed() bool { return r.failed }

func (r *recorder) Logf(format string, args ...any) { r.logs += fmt.Sprintf(format+"\n", args...) }

func (r *recorder) Fatal(args ...any) {
	r.failed, r.text = true, fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

// run runs f as a test of that name.
func run(name string, f func(testing.TB)) *recorder {
	r := &recorder{name: name}
	over := make(chan struct{})
	go func() {
		defer close(over)
		f(r)
	}()
	<-over
	return r
}
