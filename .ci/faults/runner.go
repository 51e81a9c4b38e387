package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// outcome is what became of a fault.
type outcome int

const (
	notRun outcome = iota
	killed
	hung     // killed, by a test that did not end
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
		return fmt.Sprintf("killed: hangs in %s, given up after %.0f s", where, v.after.Seconds())
	case invalid:
		return "DOES NOT COMPILE:\n" + v.tail
	case survived:
		return "SURVIVED"
	}
	return "NOT RUN"
}

// apart is a test that builds a program with the race detector, and runs it often. It is left out of trials
// that name no tests, because it takes long and few faults are its own.
const apart = "^TestTheRaceDetectorSeesEveryRaceOfCellsOnEveryRun$"

// memory is how much address space, in KiB, a test binary may have, so that a fault that allocates without
// end kills itself only. The race detector needs more than there is.
const memory = 8 << 20

// patience is how many times longer than without a fault a test binary may run, where that is more than the
// limit: on a machine that is busy, say.
const patience = 5

// runner runs faults.
type runner struct {
	*options
	out     io.Writer
	folder  string
	root    string
	started time.Time

	mu    sync.Mutex
	clean map[trial]*sync.Once
	wrong map[trial]error         // why a trial cannot judge anything
	takes map[trial]time.Duration // how long it takes when nothing is broken
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
	return &runner{options: o, out: out, folder: folder, root: root, started: time.Now(), clean: map[trial]*sync.Once{}, wrong: map[trial]error{}, takes: map[trial]time.Duration{}}, nil
}

func (r *runner) close() { os.RemoveAll(r.folder) }

// runAll runs the faults, a line each, until the cap.
func (r *runner) runAll(faults []*fault) error {
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
		if v.outcome != survived {
			if r.verbose || v.outcome == killed && v.test == "" {
				r.say("%s", v.tail)
			}
			return v, nil
		}
	}
	return verdict{outcome: survived}, nil
}

// sound makes sure that the trial passes when nothing is broken: once, whoever asks first.
func (r *runner) sound(t trial) error {
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
		r.wrong[t], r.takes[t] = err, v.after
		r.mu.Unlock()
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wrong[t]
}

// try builds the package's tests with the fault, or without one, and runs them.
func (r *runner) try(t trial, f *fault, folder string) (verdict, error) {
	binary := filepath.Join(folder, "broken.test")
	os.Remove(binary) // of the trial before
	args := []string{"test", "-c", "-o", binary, "-ldflags=-s -w", "-tags", t.tags}
	if t.race {
		args = append(args, "-race")
	}
	env := append(os.Environ(), "CUSTODY_SCHEDULES=none") // what fails here is not to be kept in the tree
	if f != nil || t.visible() {
		overlay, err := overlay(r.root, folder, f, t.visible())
		if err != nil {
			return verdict{}, err
		}
		env = append(env, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay)) // for what tests build, too
	}
	build := exec.Command("go", append(args, t.pkg)...)
	build.Env = env
	if b, err := build.CombinedOutput(); err != nil {
		return verdict{outcome: invalid, trial: t, tail: string(b)}, nil
	}
	if _, err := os.Stat(binary); err != nil {
		return verdict{}, fmt.Errorf("%s has no tests", t.pkg)
	}
	limit := patience * r.limit
	if f != nil {
		r.mu.Lock()
		limit = max(r.limit, patience*r.takes[t])
		r.mu.Unlock()
	}
	return r.execute(t, binary, env, limit)
}

// visible says whether the race detector is to see all of the library: in explored builds nothing is hidden from it
// but what a directive says, and that is taken away.
func (t trial) visible() bool { return t.race && t.tags == "custody_explore" }

// library are the packages with explored tests, where something is hidden from the race detector.
var library = []string{"safety", "array", "counter", "parallelfor"}

// hides is the directive that keeps the race detector away from a function.
var hides = []byte("\n//go:norace\n")

// overlay writes the broken file, and with visible the other files of the library in which something is hidden, and
// the file that tells the build of them.
func overlay(root, folder string, f *fault, visible bool) (string, error) {
	files := map[string][]byte{}
	if visible {
		for _, dir := range library {
			names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
			if err != nil {
				return "", err
			}
			for _, name := range names {
				if text, err := os.ReadFile(name); err != nil {
					return "", err
				} else if !strings.HasSuffix(name, "_test.go") && bytes.Contains(text, hides) {
					files[name] = text
				}
			}
		}
	}
	if f != nil {
		files[filepath.Join(root, f.file)] = f.text
	}
	replace := map[string]string{}
	for name, text := range files {
		if visible {
			text = bytes.ReplaceAll(text, hides, []byte("\n//\n"))
		}
		changed := filepath.Join(folder, fmt.Sprintf("%d_%s", len(replace), filepath.Base(name)))
		if err := os.WriteFile(changed, text, 0o666); err != nil {
			return "", err
		}
		replace[name] = changed
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "overlay.json")
	return name, os.WriteFile(name, b, 0o666)
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

// watcher reads the output of a test binary and keeps what a verdict needs.
type watcher struct {
	line    []byte
	running string // the test that was started or went on last
	failed  string // the first that failed
	late    bool   // the time limit was met
	last    [][]byte
}

// Write implements io.Writer.
func (w *watcher) Write(b []byte) (int, error) {
	n := len(b)
	for {
		line, rest, ok := bytes.Cut(b, []byte("\n"))
		if len(w.line) < 4096 { // of a longer line the rest tells nothing
			w.line = append(w.line, line...)
		}
		if !ok {
			return n, nil
		}
		w.take(w.line)
		w.line = nil
		b = rest
	}
}

// take looks at one line.
func (w *watcher) take(line []byte) {
	words := strings.Fields(string(line))
	if len(words) >= 3 && words[0] == "===" && (words[1] == "RUN" || words[1] == "CONT") {
		w.running = words[2]
	}
	if len(words) >= 3 && words[0] == "---" && words[1] == "FAIL:" && (w.failed == "" || strings.HasPrefix(words[2], w.failed+"/")) {
		w.failed = words[2] // the lines of subtests follow that of the test
	}
	if bytes.HasPrefix(line, []byte("panic: test timed out after")) {
		w.late = true
	}
	if w.last = append(w.last, line); len(w.last) > 60 {
		w.last = w.last[1:]
	}
}

func (w *watcher) test() string {
	if w.failed != "" {
		return w.failed
	}
	return w.running
}

func (w *watcher) tail() string { return string(bytes.Join(w.last, []byte("\n"))) }
