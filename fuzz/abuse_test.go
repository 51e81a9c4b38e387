package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// FuzzAbuse reads inputs as programs that misuse a container of each kind: use after Dispose,
// copies, views outside their jobs, callbacks that call their own container, wrong and huge
// lengths. Bodies panic, fail or end their goroutine, nested jobs are not completed, jobs are
// completed twice or never, and contexts have ended.
//
// Each program runs twice, sequentially and with three workers. Both runs end, and together they
// allocate at most allowance bytes. Each step ends in the same way in both runs: with a result,
// with the failure of its body, or with a violation that has every field and line that judge
// requires.
func FuzzAbuse(f *testing.F) {
	if !safety.Enabled {
		f.Skip("unchecked builds promise nothing about misuse")
	}
	for seed := range byte(48) {
		input := make([]byte, 160)
		for i := range input {
			input[i] = seed*31 + byte(i)*(2*seed+7) ^ byte(i*i>>3)
		}
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input []byte) { checkAbuse(t, input) })
}

func TestProgramsOfMisuseEndInAResultOrInAViolation(t *testing.T) {
	if !safety.Enabled {
		t.Skip("unchecked builds promise nothing about misuse")
	}
	random := lawtest.Rand(t)
	for range lawtest.Rounds(150) {
		input := make([]byte, 40+random.IntN(200))
		for i := range input {
			input[i] = byte(random.Uint32())
		}
		checkAbuse(t, input)
	}
}

// Jobs that only read a container need no order, whether they run at the same time or one job has
// finished when the next is scheduled. The race detector must report nothing either, although a
// container may keep state of such jobs.
func TestJobsThatReadNeedNoOrder(t *testing.T) {
	for _, made := range victims {
		v := made()
		for _, l := range v.loops {
			if l.name != "Reader" && l.name != "reader" {
				continue
			}
			t.Run(v.name, func(t *testing.T) {
				var jobs []parallelfor.Handle
				for k := range 4 {
					h := l.schedule(context.Background(), 1, &trouble{}, nil)
					for k%2 == 0 && !h.Finished() {
						runtime.Gosched()
					}
					jobs = append(jobs, h)
				}
				parallelfor.Combine(jobs...).Complete()
			})
		}
	}
}

// allowance is the number of bytes that the two runs of a program may allocate.
const allowance = 64 << 20

func checkAbuse(t *testing.T, input []byte) {
	t.Helper()
	before := allocated()
	want := abuse(t, input, parallelfor.Sequential())
	stop := fuzz.HandOut(uint64(len(input)))
	got := abuse(t, input, parallelfor.Workers(3))
	stop()
	for i := range want {
		if i >= len(got) || want[i] != got[i] {
			t.Fatalf("step %d is %q by several workers, sequentially:\n%s\ninput %q", i, got[min(i, len(got)-1)], strings.Join(want[:i+1], "\n"), input)
		}
	}
	require.Equal(t, len(want), len(got))
	require.Less(t, allocated()-before, uint64(allowance), "bytes allocated, input %q", input)
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// abuser runs a program of misuse (R1).
type abuser struct {
	*program
	mode    parallelfor.Option // how loops are executed: Sequential, or Workers
	victims []*victim
	jobs    []abused
	kept    func()   // uses a view of a job that has ended; nil if there is none
	trace   []string // how each step ended
}

// abused is a scheduled job and the container that it holds.
type abused struct {
	handle parallelfor.Handle
	of     *victim
	nosy   bool
}

// abuse runs a program and returns one line for each step: how the step ended.
func abuse(t *testing.T, input []byte, mode parallelfor.Option) []string {
	a := &abuser{program: newProgram(t, input), mode: mode}
	for _, made := range victims {
		a.victims = append(a.victims, made())
	}
	for a.More() {
		a.step()
	}
	for i := range a.jobs {
		a.complete(i)
	}
	for _, v := range a.victims {
		if !v.lost {
			a.do(v.name+" at the end", v, v.read)
		}
	}
	return a.trace
}

func (a *abuser) step() {
	v := a.victims[a.Below(len(a.victims))]
	if v.lost {
		return
	}
	switch what := a.Below(16); what {
	default:
		op := v.ops[a.Below(len(v.ops))]
		x, y := a.size(), a.size()
		a.do(fmt.Sprintf("%s.%s(%d, %d)", v.name, op.name, x, y), v, func() string { return op.do(x, y) })
	case 6, 7, 8:
		a.loop(v, false)
	case 9, 10, 11:
		a.loop(v, true)
	case 12:
		if len(a.jobs) > 0 {
			a.complete(a.Below(len(a.jobs)))
		}
	case 13:
		if a.Below(4) > 0 { // Dispose is rare, or soon no container is left
			a.do(v.name+" read", v, v.read)
			return
		}
		if n := len(a.jobs); n > 0 && v.disposeAfter != nil && a.Bit() {
			h := a.jobs[a.Below(n)].handle
			for i, j := range a.jobs {
				if j.of == v && j.nosy { // its bodies would meet the container in flight, or disposed
					a.complete(i)
				}
			}
			a.do(v.name+" disposed after a job", v, func() string { v.disposeAfter(h); return "" })
			return
		}
		a.do(v.name+" disposed", v, func() string { v.dispose(); return "" })
	case 14:
		for i := range a.jobs { // copying a container beside a job is a race of this test
			a.complete(i)
		}
		c := v.copied()
		op := c.ops[a.Below(len(c.ops))]
		a.do("a copy's "+c.name+"."+op.name, v, func() string { return op.do(0, 0) })
	case 15:
		if a.kept != nil && a.Bit() {
			a.keptView()
			return
		}
		if len(v.loops) == 0 {
			return
		}
		l := v.loops[a.Below(len(v.loops))]
		a.do("a view outside jobs: "+v.name+"."+l.name, v, func() string { l.outside(); return "it works" })
	}
}

// keptView uses a view after its job has ended. Checked builds do not check each access, so the use
// may succeed there, or find memory that was cleared; strict builds must refuse it. The trace gets
// the same violation in all cases.
func (a *abuser) keptView() {
	o := a.outcomeOf("a view that was kept", func() error { a.kept(); return nil })
	kind := safety.ErrStaleView
	if o.violation != nil {
		a.judge("a view that was kept", o.violation)
		if safety.Strict {
			kind = o.violation.Kind
		}
	}
	if o.violation != nil || !safety.Strict {
		o.violation = safety.NewViolation(kind, "a view was used after its job", "Do not.")
	}
	a.note("a view that was kept", o, "it works")
}

// size returns a small number, a negative number, or a number of elements that no memory has room
// for.
func (a *abuser) size() int {
	n := a.Around(12)
	if n > 1<<12 && n < math.MaxInt/4 {
		n %= 1 << 12
	}
	return n
}

// do runs a step and notes its outcome. The results of a vague container are not compared.
func (a *abuser) do(name string, v *victim, f func() string) outcome {
	var result string
	o := a.outcomeOf(name, func() error { result = f(); return nil })
	if v != nil && v.vague {
		result = "some result"
	}
	a.note(name, o, result)
	return o
}

// outcomeOf runs a step and returns its outcome. It fails the test if the step panics with a value
// that is neither a violation nor a *parallelfor.Panic.
func (a *abuser) outcomeOf(name string, f func() error) outcome {
	a.logf("%s", name)
	raw := ""
	o := outcomeOf(func() error {
		defer func() {
			r := recover()
			_, panicked := r.(*parallelfor.Panic)
			if err, _ := r.(error); r == nil || panicked || errors.As(err, new(*safety.Violation)) {
				if r != nil {
					panic(r)
				}
				return
			}
			raw = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}()
		return f()
	})
	if raw != "" {
		a.fatalf("%s: neither a result nor a violation: %s", name, raw)
	}
	return o
}

func (a *abuser) note(name string, o outcome, result string) {
	text := result
	switch {
	case o.violation != nil:
		a.judge(name, o.violation)
		text = fmt.Sprintf("%v: container %q job %q field %q", o.violation.Kind, o.violation.Container, o.violation.Job, o.violation.Field)
	case o.panicked != nil:
		text = fmt.Sprintf("panic %v", o.panicked.Value)
	case o.err != nil:
		text = "error " + o.err.Error()
	case o.goexit:
		text = "its goroutine ended"
	}
	a.logf("%s: %s", name, text)
	a.trace = append(a.trace, name+": "+text)
}

// complete completes a job. Completing a job twice is allowed.
func (a *abuser) complete(i int) {
	j := &a.jobs[i]
	o := a.outcomeOf("complete", func() error { j.handle.Complete(); return j.handle.Err() })
	a.note(fmt.Sprintf("job %d of %s completed", i, j.of.name), o, "done")
}

var placed = regexp.MustCompile(`\.go:[0-9]+$`)

// kindsOfViolation are all kinds.
var kindsOfViolation = []error{
	safety.ErrConflict, safety.ErrInFlight, safety.ErrAliased, safety.ErrUnassigned, safety.ErrDisposed, safety.ErrSplit, safety.ErrCopied,
	safety.ErrNoRange, safety.ErrOwnerInJob, safety.ErrBorrowed, safety.ErrStaleView, safety.ErrWriteRange, safety.ErrTwice, safety.ErrOverlap,
	safety.ErrIndex, safety.ErrLength, safety.ErrArgument, safety.ErrField, safety.ErrPlainField, safety.ErrNotLent, safety.ErrNotCompleted,
	safety.ErrWaitCycle, safety.ErrClosed,
}

// judge fails the test unless the violation has a known kind and its text says what to do, where it
// happened, which container it concerns with the place where it was made, and which jobs.
func (a *abuser) judge(step string, v *safety.Violation) {
	known := false
	for _, k := range kindsOfViolation {
		known = known || errors.Is(v, k)
	}
	text := v.Error()
	lines := strings.Split(text, "\n\t")
	switch {
	case !known:
		a.fatalf("%s: no kind: %s", step, text)
	case len(lines) < 2 || !strings.HasSuffix(lines[1], "."):
		a.fatalf("%s: the text does not say what to do: %s", step, text)
	case strings.Contains(text, "%!") || strings.Contains(text, "<nil>") || strings.Contains(text, `""`) || strings.Contains(text, "  "):
		a.fatalf("%s: the text has holes: %q", step, text)
	case v.Container != "" && (!strings.Contains(text, v.Container) || !placed.MatchString(v.Made)):
		a.fatalf("%s: the text does not say which container, or where it was made (%q): %s", step, v.Made, text)
	case !placed.MatchString(v.At) || !strings.Contains(text, v.At):
		a.fatalf("%s: the text does not say where it happened (%q): %s", step, v.At, text)
	case v.OtherJob != "" && !strings.Contains(text, v.OtherJob), v.Job != "" && !strings.Contains(text, v.Job):
		a.fatalf("%s: the text does not name the jobs %q and %q: %s", step, v.Job, v.OtherJob, text)
	}
}

var errTrouble = errors.New("trouble")

// endedContext is a context that was canceled.
var endedContext = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()
