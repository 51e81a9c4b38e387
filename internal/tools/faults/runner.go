package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// outcome is what became of a fault.
type outcome int

const (
	notRun outcome = iota
	killed
	hung     // no test failed before the time limit, and one did not end; counts as not noticed
	invalid  // it does not compile
	survived // no test noticed
)

// verdict is what running the tests on a fault gave.
type verdict struct {
	outcome
	trial trial
	test  string // that failed, or was running
	after time.Duration
	tail  string // of the output
}

func (v verdict) String() string {
	where := v.test
	if where == "" {
		where = "the test binary"
	}
	where += " (" + v.trial.String() + ")"
	switch v.outcome {
	case killed:
		return fmt.Sprintf("killed by %s after %.2f s", where, v.after.Seconds())
	case hung:
		return fmt.Sprintf("HANGS in %s, given up after %.0f s", where, v.after.Seconds())
	case invalid:
		return "DOES NOT COMPILE:\n" + v.tail
	case survived:
		return "SURVIVED"
	}
	return "NOT RUN"
}

// apart is a test that builds a program with the race detector, and runs it often. It is left out of trials
// that name no tests, because it takes long and few faults are its own.
const apart = "^TestTheRaceDetectorSeesEveryRaceOfBatchesOnEveryRun$"

// memory is how much address space, in KiB, a test binary may have, so that a fault that allocates without
// end kills itself only. The race detector needs more than there is.
const memory = 8 << 20

// patience is how many times longer than without a fault a test binary may run, if that is more
// than the limit, as on a busy machine. A run of some tests may take as long as the run of all
// without a fault.
const patience = 5

// watchful is the ratio of the limit to the patience of tests, CUSTODY_PATIENCE. The slowest
// watchdog waits three times that patience, which it measures in time that the test binary
// computes, so it needs more time while other programs have the processors.
const watchful = 20

// runner runs faults.
type runner struct {
	*options
	out     io.Writer
	folder  string
	root    string
	started time.Time

	mu    sync.Mutex
	clean map[trial]*sync.Once
	runs  map[trial]string        // what all trials run that are built alike; see likeness
	wrong map[trial]error         // why trials that are built alike cannot judge anything
	takes map[trial]time.Duration // how long they take when nothing is broken
}

func newRunner(o *options, out io.Writer) (*runner, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "faults")
	if err != nil {
		return nil, err
	}
	return &runner{options: o, out: out, folder: folder, root: root, started: time.Now(), clean: map[trial]*sync.Once{}, runs: map[trial]string{}, wrong: map[trial]error{}, takes: map[trial]time.Duration{}}, nil
}

func (r *runner) close() { os.RemoveAll(r.folder) }

// runAll runs the faults, a line each, until the cap.
func (r *runner) runAll(faults []*fault) error {
	r.unite(faults)
	work := make(chan *fault)
	var errs []error
	var wg sync.WaitGroup
	for k := range max(r.parallel, 1) {
		wg.Go(func() {
			folder := filepath.Join(r.folder, fmt.Sprint(k))
			err := os.Mkdir(folder, 0o777)
			for f := range work {
				if err != nil {
					continue // what is left is not run
				}
				f.result, err = r.runOne(f, folder)
				if err == nil {
					r.say("%s: %s", f.name, f.result)
				}
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			errs = append(errs, err)
		})
	}
	for _, f := range faults {
		if r.limitAll == 0 || time.Since(r.started) < r.limitAll {
			work <- f
		}
	}
	close(work)
	wg.Wait()
	return errors.Join(errs...)
}

func (r *runner) say(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.out, format+"\n", args...)
}

// runOne runs one fault's trials until a test notices.
func (r *runner) runOne(f *fault, folder string) (verdict, error) {
	for i, t := range f.trials {
		if r.first > 0 && i >= r.first {
			break
		}
		if err := r.sound(t); err != nil {
			return verdict{}, err
		}
		v, err := r.try(t, f, folder)
		if err != nil {
			return verdict{}, fmt.Errorf("%s: %w", f.name, err)
		}
		if v.outcome == survived && v.test == "" {
			return verdict{}, fmt.Errorf("%s: no test runs", t)
		}
		if v.outcome != survived {
			if r.verbose || v.outcome == killed && v.test == "" {
				r.say("%s", v.tail)
			}
			return v, nil
		}
	}
	return verdict{outcome: survived}, nil
}

// likeness is what trials have in common that are built alike.
func (t trial) likeness() trial {
	t.run = ""
	return t
}

// unite notes what is to run before anything is broken, once for all trials that are built alike: everything, or
// what one of them names.
func (r *runner) unite(faults []*fault) {
	for _, f := range faults {
		for _, t := range f.trials {
			like := t.likeness()
			all, ok := r.runs[like]
			switch {
			case !ok:
				all = t.run
			case t.run == "" || all == "":
				all = ""
			case !slices.Contains(strings.Split(all, "|"), t.run):
				all += "|" + t.run
			}
			r.runs[like] = all
		}
	}
}

// sound makes sure that trials that are built like this one pass when nothing is broken: once, whoever asks first.
func (r *runner) sound(t trial) error {
	t = t.likeness()
	t.run = r.runs[t]
	r.mu.Lock()
	once := r.clean[t]
	if once == nil {
		once = new(sync.Once)
		r.clean[t] = once
	}
	r.mu.Unlock()
	once.Do(func() {
		folder, err := os.MkdirTemp(r.folder, "clean")
		var v verdict
		if err == nil {
			v, err = r.try(t, nil, folder)
		}
		if err == nil && v.outcome != survived {
			err = fmt.Errorf("the tests do not pass before anything is broken: %s\n%s", v, v.tail)
		}
		if err == nil && v.test == "" {
			err = fmt.Errorf("%s: no test runs", t)
		}
		t = t.likeness()
		r.mu.Lock()
		r.wrong[t], r.takes[t] = err, v.after
		r.mu.Unlock()
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wrong[t.likeness()]
}

// try builds the package's tests with the fault, or without one, and runs them.
func (r *runner) try(t trial, f *fault, folder string) (verdict, error) {
	binary := filepath.Join(folder, "broken.test")
	os.Remove(binary) // of the trial before
	args := []string{"test", "-c", "-vet=off", "-o", binary, "-ldflags=-s -w", "-gcflags=-dwarf=false", "-tags", t.tags}
	if t.race {
		args = append(args, "-race")
	}
	// Schedules that fail here must not be kept in the tree, and watchdogs must end tests before
	// the limit.
	env := append(os.Environ(), "CUSTODY_SCHEDULES=none", "CUSTODY_PATIENCE="+(r.limit/watchful).String())
	for prune := t.run != ""; ; prune = false {
		overlay, err := overlay(r.root, folder, f, t, prune)
		if err != nil {
			return verdict{}, err
		}
		with := append(env, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay)) // for what tests build, too
		build := exec.Command("go", append(args, t.pkg)...)
		build.Env = append(with, "GOGC=400") // the compiler collects less
		b, err := build.CombinedOutput()
		if err == nil {
			env = with
			break
		}
		if !prune { // which may have been too much
			return verdict{outcome: invalid, trial: t, tail: string(b)}, nil
		}
	}
	if _, err := os.Stat(binary); err != nil {
		return verdict{}, fmt.Errorf("%s has no tests", t.pkg)
	}
	limit := patience * r.limit
	if f != nil {
		r.mu.Lock()
		limit = r.takes[t.likeness()]
		if r.runs[t.likeness()] == t.run {
			limit *= patience
		}
		limit = max(limit, r.limit) // of many one takes less than all
		r.mu.Unlock()
	}
	return r.execute(t, binary, env, limit)
}

// execute runs a test binary. What the verdict of a pass has as test is the last that ran.
func (r *runner) execute(t trial, binary string, env []string, limit time.Duration) (verdict, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+5*time.Second)
	defer cancel()
	args := []string{binary, "-test.v", "-test.failfast", "-test.timeout=" + limit.String()}
	if t.run != "" {
		args = append(args, "-test.run="+t.run)
	} else {
		args = append(args, "-test.skip="+apart)
	}
	if runtime.GOOS == "linux" && !t.race && t.run == "" {
		args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, memory), "sh"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = env
	cmd.Dir = filepath.Join(r.root, t.pkg)
	cmd.WaitDelay = time.Second
	seen := new(watcher)
	cmd.Stdout, cmd.Stderr = seen, seen
	start := time.Now()
	err := cmd.Run()
	v := verdict{outcome: survived, trial: t, test: seen.test(), after: time.Since(start), tail: seen.tail()}
	var exit *exec.ExitError
	switch {
	case err != nil && ctx.Err() != nil || seen.late:
		v.outcome = hung
	case errors.As(err, &exit):
		v.outcome = killed
	case err != nil:
		return v, err
	}
	return v, nil
}
