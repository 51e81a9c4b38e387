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

// outcome is the result of running the tests on a fault.
type outcome int

const (
	killed   outcome = iota + 1
	hung             // no test failed before the limit, and one did not end; counts as not noticed
	invalid          // the fault does not compile
	survived         // all tests passed
)

// verdict is the outcome of a fault with its circumstances.
type verdict struct {
	outcome
	trial trial
	test  string // the test that failed, or was running
	after time.Duration
	tail  string // the end of the output
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
	}
	return "SURVIVED"
}

// apart is a test that builds a program with the race detector and runs it often. It is left out of
// trials without a pattern, because it takes long and few faults concern it.
const apart = "^TestTheRaceDetectorSeesEveryRaceOfBatchesOnEveryRun$"

// memory is the address space of a test binary in KiB. The limit makes a fault that allocates
// without end kill only itself. It does not apply to the race detector, which reserves much more.
const memory = 8 << 20

// patience is the patience of tests, CUSTODY_PATIENCE. The slowest watchdog waits three times as
// long. It measures processor time of the test binary, so it needs more time while other programs
// have the processors. The limit leaves that, because it is for tests without a watchdog.
const patience = "3s"

// runner runs faults.
type runner struct {
	*options
	out     io.Writer
	folder  string
	root    string
	started time.Time

	mu    sync.Mutex
	clean map[trial]*sync.Once
	runs  map[trial]string // by likeness, the pattern of all its trials
	wrong map[trial]error  // by likeness, why its trials cannot judge a fault
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
	return &runner{options: o, out: out, folder: folder, root: root, started: time.Now(), clean: map[trial]*sync.Once{}, runs: map[trial]string{}, wrong: map[trial]error{}}, nil
}

func (r *runner) close() { os.RemoveAll(r.folder) }

// runAll runs the faults, and prints a line for each.
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
					continue // the remaining faults are not run
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
		work <- f
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

// runOne runs the trials of a fault until a test notices it.
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

// likeness returns the trial without its pattern. Trials with the same likeness have the same
// build.
func (t trial) likeness() trial {
	t.run = ""
	return t
}

// unite computes the pattern of the tests that run without a fault, once for each likeness: the
// patterns of all its trials, or all tests.
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

// sound returns an error unless the tests of the trial's likeness pass without a fault. Only the
// first call for a likeness runs them.
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
		r.mu.Lock()
		r.wrong[t.likeness()] = err
		r.mu.Unlock()
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wrong[t.likeness()]
}

// try builds the tests of a package with the fault, or without one if f is nil, and runs them.
func (r *runner) try(t trial, f *fault, folder string) (verdict, error) {
	binary := filepath.Join(folder, "broken.test")
	os.Remove(binary) // of the previous trial
	args := []string{"test", "-c", "-vet=off", "-o", binary, "-ldflags=-s -w", "-gcflags=-dwarf=false", "-tags", t.tags}
	if t.race {
		args = append(args, "-race")
	}
	// A failing schedule must not be kept in the tree.
	env := append(os.Environ(), "CUSTODY_SCHEDULES=none", "CUSTODY_PATIENCE="+patience)
	for prune := t.run != ""; ; prune = false {
		overlay, err := overlay(r.root, folder, f, t, prune)
		if err != nil {
			return verdict{}, err
		}
		with := append(env, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay)) // also for builds by tests
		build := exec.Command("go", append(args, t.pkg)...)
		build.Env = append(with, "GOGC=400") // the compiler collects less
		b, err := build.CombinedOutput()
		if err == nil {
			env = with
			break
		}
		if !prune { // a pruned build may fail for lack of a declaration
			return verdict{outcome: invalid, trial: t, tail: string(b)}, nil
		}
	}
	if _, err := os.Stat(binary); err != nil {
		return verdict{}, fmt.Errorf("%s has no tests", t.pkg)
	}
	return r.execute(t, binary, env)
}

// execute runs a test binary. If all tests pass, the verdict has the last test that ran.
func (r *runner) execute(t trial, binary string, env []string) (verdict, error) {
	ctx, cancel := context.WithTimeout(context.Background(), r.limit+5*time.Second)
	defer cancel()
	args := []string{binary, "-test.v", "-test.failfast", "-test.timeout=" + r.limit.String()}
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
