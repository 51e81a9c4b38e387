package explore

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"example.com/custody/internal/sched"
)

// Options configure the executions of a program. The zero value is right for most programs.
type Options struct {
	Steps      int    // steps after which an execution counts as endless; 0: 20000
	Goroutines bool   // tasks are goroutines, for bodies that call Goexit; race builds imply it
	Plain      bool   // tasks also switch around plain accesses, so that races give wrong results
	Coarse     bool   // a plain access is never a step of its own, also in Run
	Seed       uint64 // the start of the random numbers; 0: the same ones every time

	failed func() bool // whether the test has failed
}

// Stats are the counts of an exploration.
type Stats struct {
	Schedules int
	Tasks     int // the most tasks in an execution
	Picks     int // the most choices in an execution
	Steps     int // the most steps in an execution
	Misfits   int // repeated traces that did not fit the program, which has changed since
	Elapsed   time.Duration
}

// String returns the counts as a line of text. It mentions Misfits only if there are any.
func (s Stats) String() string {
	text := fmt.Sprintf("%d schedules of up to %d tasks, %d steps and %d picks, %.0f a second", s.Schedules, s.Tasks, s.Steps, s.Picks,
		float64(s.Schedules)/max(s.Elapsed.Seconds(), 1e-9))
	if s.Misfits > 0 {
		text += fmt.Sprintf(", misfits: %d", s.Misfits)
	}
	return text
}

// Finding is an execution that failed.
type Finding struct {
	Failure  *sched.Failure
	Plan     Plan
	Schedule int    // its number among all schedules, from 1
	Again    string // for ParsePlan: repeats it by its seed if it has one, else by its trace
	Trace    string // for ParsePlan: repeats it by its trace
	Story    string // the steps, one a line
	Lost     bool   // it did not fail when repeated; a race is reported only once in a process
}

// Error returns what failed.
func (f *Finding) Error() string {
	return fmt.Sprintf("schedule %d, %v: %v", f.Schedule, f.Plan, f.Failure)
}

// Unwrap returns the failure.
func (f *Finding) Unwrap() error { return f.Failure }

// explorer runs one program.
type explorer struct {
	program Program
	setup   func(*Program)
	stats   Stats
	scale   float64
	most    int // the most schedules of a search; 0: as its plan says
	seed    uint64
	runs    int // executions, for sample
	failed  func() bool
	plan    Plan           // the current plan
	picks   sched.Strategy // its strategy
	garbage collector
}

// Find runs a program by the plans, one after the other, and returns the first execution that
// failed, or nil.
func Find(o Options, setup func(*Program), plans ...Plan) (*Finding, Stats) {
	start := time.Now()
	e := &explorer{setup: setup, scale: scale(), most: most(), seed: o.Seed, failed: o.failed}
	e.program.exec = newExec(o, o.Goroutines)
	var f *Finding
	ended, panicked := apart(func() { f = e.all(plans) })
	switch fault := e.program.exec.Fault; {
	case panicked != "":
		panic(panicked)
	case !ended && fault == nil: // setup or a judgment called Goexit, so the caller ends, too
		runtime.Goexit()
	case !ended:
		f = e.goexit(o, fault)
	}
	e.stats.Elapsed = time.Since(start)
	return f, e.stats
}

func newExec(o Options, goroutines bool) *sched.Exec {
	x := sched.New(goroutines)
	x.Limit = o.Steps
	if x.Limit == 0 {
		x.Limit = 20_000
	}
	x.Plain = o.Plain
	return x
}

// apart calls f on a goroutine of its own, and reports whether f returned. If f panicked, panicked
// is the text of the panic. A task on a coroutine that calls runtime.Goexit, as t.FailNow does,
// ends that goroutine.
func apart(f func()) (ended bool, panicked string) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() {
			if v := recover(); v != nil {
				panicked = fmt.Sprintf("%v\n\n%s", v, debug.Stack())
			}
		}()
		f()
		ended = true
	}()
	<-over
	return ended, panicked
}

// all runs the program by all plans.
func (e *explorer) all(plans []Plan) *Finding {
	e.garbage.begin()
	defer e.garbage.end()
	quiet()
	defer e.program.exec.Close()
	f := e.by(Plan{}, &repeat{}) // makes everything that is made only once in a process
	for _, p := range plans {
		if f != nil {
			break
		}
		f = e.run(p)
	}
	return f
}

// goexit describes an execution that ended the explorer's goroutine. It repeats the execution with
// tasks on goroutines, which a Goexit ends alone.
func (e *explorer) goexit(o Options, fault *sched.Failure) *Finding {
	trace := e.program.exec.Trace
	e.program.exec = newExec(o, true)
	defer e.program.exec.Close()
	e.failed = nil
	e.stats.Schedules++
	return e.described(fault, trace)
}

// scale returns the factor for the numbers of schedules.
func scale() float64 {
	s := 1.0
	if text := os.Getenv("CUSTODY_EXPLORE"); text != "" {
		var err error
		if s, err = strconv.ParseFloat(text, 64); err != nil || !(s > 0) {
			panic(fmt.Sprintf("explore: CUSTODY_EXPLORE is %q, which is no number above 0", text))
		}
	}
	if sched.Race {
		s /= 10 // everything takes about that much longer
	}
	return s
}

// most returns the most schedules that a search may run, or 0 if only its plan limits it.
func most() (n int) {
	if text := os.Getenv("CUSTODY_SEARCH"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			panic(fmt.Sprintf("explore: CUSTODY_SEARCH is %q, which is no whole number above 0", text))
		}
	}
	return n
}

// pilots is the number of executions that measure a program for PCT.
const pilots = 20

// run runs the program by one plan.
func (e *explorer) run(p Plan) *Finding {
	if p.kind == "pct" && e.stats.Schedules < pilots {
		if f := e.by(Random(pilots), &walk{from(e.seed+1, pilots)}); f != nil {
			return f
		}
	}
	e.seed += 0x5851f42d4c957f2d
	before := e.stats.Schedules
	if p.kind == "all" {
		return e.search(p)
	}
	if f := e.by(p, p.strategy(e.seed, e.size(), e.scale)); f != nil {
		return f
	}
	for p.delta > 0 { // later executions were larger than the pilots
		n := Runs(e.stats.Tasks, e.stats.Picks, p.depth, p.delta) - (e.stats.Schedules - before)
		if n <= 0 {
			break
		}
		e.seed++
		if f := e.by(p, &pct{seeded: from(e.seed, n), depth: p.depth, picks: e.stats.Picks}); f != nil {
			return f
		}
	}
	return nil
}

// search runs all schedules of a search. If CUSTODY_SEARCH limits them and there are more, it runs
// as many as the limit and then as many random ones.
func (e *explorer) search(p Plan) *Finding {
	s := &search{bound: p.depth, left: p.runs}
	part := e.most > 0 && e.most < p.runs
	if part {
		s.left = e.most
	}
	switch f := e.by(p, s); {
	case f != nil || !s.cut:
		return f
	case part:
		return e.by(Random(e.most), &walk{from(e.seed, e.most)})
	}
	return &Finding{Plan: p, Schedule: e.stats.Schedules, Failure: &sched.Failure{Kind: sched.Endless,
		Text: fmt.Sprintf("the search is not over after %d schedules", p.runs)}}
}

func (e *explorer) size() size { return size{e.stats.Tasks, e.stats.Picks} }

// sample is the number of executions of which one is repeated, to see whether it repeats exactly.
const sample = 1000

// by runs the program until the strategy has no more schedules.
func (e *explorer) by(p Plan, s sched.Strategy) *Finding {
	x := e.program.exec
	e.plan, e.picks = p, s
	search, _ := s.(*search)
	for {
		x.Use(s)
		failure, more := e.execute()
		if !more {
			break
		}
		e.stats.Schedules++
		e.stats.Tasks = max(e.stats.Tasks, x.Tasks())
		e.stats.Picks = max(e.stats.Picks, len(x.Trace))
		e.stats.Steps = max(e.stats.Steps, x.Steps)
		if r, ok := s.(*repeat); ok && len(r.trace) > 0 && (r.amiss || failure == nil && r.at < len(r.trace)) {
			e.stats.Misfits++
		}
		if failure == nil && search != nil && !search.faithful() {
			failure = &sched.Failure{Kind: sched.Varied, Text: "what was picked before could not be picked again"}
		}
		if failure == nil {
			if e.runs++; e.runs%sample != 2 {
				continue
			}
			failure = e.differs()
		}
		if failure != nil {
			return e.described(failure, bytes.Clone(x.Trace))
		}
	}
	return nil
}

// execute runs the program once. It returns false if the strategy has no more schedules.
func (e *explorer) execute() (*sched.Failure, bool) {
	races := sched.Races()
	f, more := e.program.execute(e.setup)
	e.garbage.between()
	switch {
	case sched.Races() != races:
		f = &sched.Failure{Kind: sched.Raced, Text: "the detector's report stands above"}
	case f == nil && e.failed != nil && e.failed():
		e.failed = nil // the test stays failed
		f = &sched.Failure{Kind: sched.Wrong, Text: "the test was failed, see above"}
	}
	return f, more
}

// described describes an execution that failed. It repeats the execution by its trace, with a log.
func (e *explorer) described(failure *sched.Failure, trace []byte) *Finding {
	x := e.program.exec
	f := &Finding{Failure: failure, Plan: e.plan, Schedule: e.stats.Schedules, Again: again(e.picks, trace), Trace: "trace," + traceText(trace)}
	failed := e.failed
	e.failed = nil
	x.Log = true
	x.Use(&repeat{trace: trace})
	logged, _ := e.execute()
	x.Log = false
	e.failed = failed
	switch {
	case logged == nil:
		f.Lost = true
	case logged.Kind == failure.Kind:
		f.Failure = logged // it has the states of the tasks
	}
	f.Story = story(x)
	return f
}

// story returns the steps of the execution, one a line. Words are numbered in the order of their
// first use.
func story(x *sched.Exec) string {
	var b strings.Builder
	words := map[uintptr]string{}
	for i := range x.Story {
		s := &x.Story[i]
		word := ""
		if a := uintptr(s.Word); a != 0 {
			if words[a] == "" {
				words[a] = "#" + strconv.Itoa(len(words)+1)
			}
			word = words[a]
		}
		fmt.Fprintf(&b, "%4d  %-14s %-15s %-4s %s\n", i+1, x.Name(s.Task), s.Kind, word, s.Where())
	}
	return b.String()
}
