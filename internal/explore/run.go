package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/custody/internal/sched"
)

// Run explores a program as a test. It first runs the schedules in testdata/schedules that once
// failed for the test. A failure is reported with all steps of the tasks and with the line that
// repeats it, and its trace is kept. The environment variable CUSTODY_REPLAY, which that line sets,
// makes Run run one schedule instead. CUSTODY_SCHEDULES=none keeps no traces and runs none.
//
// After the plans, Run runs a tenth as many random schedules in which tasks also switch around
// plain accesses, as with [Options.Plain]. There a race that otherwise only the race detector sees
// leads to a wrong result. Run leaves these schedules out under the race detector and with
// [Options.Coarse], and its result does not count them.
func Run(t testing.TB, o Options, setup func(*Program), plans ...Plan) Stats {
	t.Helper()
	if !t.Failed() {
		o.failed = t.Failed // a task may report a fault by failing the test
	}
	if text := os.Getenv("CUSTODY_REPLAY"); text != "" {
		return replayed(t, o, setup, text)
	}
	old := kept(t)
	stats := searched(t, o, setup, slices.Concat(old, plans))
	if n := min(int(float64(stats.Schedules)/10/scale()), mostPlain); n > 0 && !o.Plain && !o.Coarse && !sched.Race {
		o.Plain = true
		searched(t, o, setup, append(slices.Clone(old), PCT(3, n), Random(n)))
	}
	return stats
}

// mostPlain limits the number of schedules of each kind with plain accesses as steps that Run runs.
const mostPlain = 1000

// searched runs schedules, and fails the test if one of them fails.
func searched(t testing.TB, o Options, setup func(*Program), plans []Plan) Stats {
	t.Helper()
	f, stats := Find(o, setup, plans...)
	t.Logf("%v", stats)
	if stats.Misfits > 0 {
		t.Logf("%d of the traces did not fit the program any more, from some step on it went its own way", stats.Misfits)
	}
	note(t, stats)
	if f != nil {
		t.Fatal(report(t, f))
	}
	return stats
}

// replayed runs the schedule of CUSTODY_REPLAY. Plain accesses may have been steps in the traced
// execution, so a trace that does not fit is tried with them, too.
func replayed(t testing.TB, o Options, setup func(*Program), text string) Stats {
	t.Helper()
	p, err := ParsePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	f, stats := Find(o, setup, p)
	if stats.Misfits > 0 || f == nil {
		o.Plain = !o.Plain
		if g, s := Find(o, setup, p); s.Misfits == 0 {
			f, stats = g, s
		}
	}
	t.Logf("%v", stats)
	if stats.Misfits > 0 {
		t.Errorf("the trace of CUSTODY_REPLAY does not fit the program: it is of another, or of an earlier one")
	}
	note(t, stats)
	if f != nil {
		t.Fatal(report(t, f))
	}
	return stats
}

// longest is the largest number of steps in a report.
const longest = 200

// report returns the text with which the test fails, and keeps the finding's trace.
func report(t testing.TB, f *Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n", f)
	if f.Lost && f.Failure.Kind != sched.Raced {
		b.WriteString("repeated by its trace it did not fail: the program depends on more than the schedule, or on executions before\n")
	}
	lines := strings.SplitAfter(f.Story, "\n")
	if n := len(lines); n > longest {
		fmt.Fprintf(&b, "the last %d of %d steps:\n", longest, n)
		lines = lines[n-longest:]
	}
	b.WriteString(strings.Join(lines, ""))
	again := f.Trace
	if len(again) > 1000 {
		again = f.Again
	}
	if f.Trace == "" {
		return b.String()
	}
	fmt.Fprintf(&b, "again: CUSTODY_REPLAY=%s go test%s -run '^%s$' -v .\n", again, flags(), strings.ReplaceAll(regexp.QuoteMeta(t.Name()), "/", "$/^"))
	if name, err := keep(t, f); err != nil {
		fmt.Fprintf(&b, "its trace could not be kept: %v\n", err)
	} else if name != "" {
		fmt.Fprintf(&b, "its trace is kept in %s\n", name)
	}
	return b.String()
}

func flags() string {
	if sched.Race {
		return " -race -tags custody_explore" // and the -overlay of .ci/explore.sh, if given
	}
	return " -tags custody_explore"
}

// folder returns the directory of the test's kept schedules, or "" if none are kept.
func folder(t testing.TB) string {
	root := os.Getenv("CUSTODY_SCHEDULES")
	switch root {
	case "none":
		return ""
	case "":
		root = filepath.Join("testdata", "schedules")
	}
	return filepath.Join(root, strings.ReplaceAll(t.Name(), "/", "."))
}

// kept returns plans that repeat the schedules that once failed.
func kept(t testing.TB) (plans []Plan) {
	dir := folder(t)
	if dir == "" {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			p, err := ParsePlan(line)
			if err != nil {
				t.Fatalf("%s: %v", e.Name(), err)
			}
			plans = append(plans, p)
		}
	}
	return plans
}

// keep writes the finding's trace to a file that the next run reads.
func keep(t testing.TB, f *Finding) (name string, err error) {
	dir := folder(t)
	if dir == "" {
		return "", nil
	}
	if slices.ContainsFunc(kept(t), func(p Plan) bool { return again(p.strategy(0, size{}, 1), p.trace) == f.Trace }) {
		return "", nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(f.Trace))
	name = filepath.Join(dir, hex.EncodeToString(sum[:6])+".txt")
	first, _, _ := strings.Cut(f.Failure.Error(), "\n")
	return name, os.WriteFile(name, []byte("# "+first+"\n"+f.Trace+"\n"), 0o666)
}

// note appends the number of schedules to the file named by the environment variable
// CUSTODY_EXPLORED.
func note(t testing.TB, s Stats) {
	name := os.Getenv("CUSTODY_EXPLORED")
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		dir, _ := os.Getwd()
		_, err = fmt.Fprintf(f, "%d %s %s\n", s.Schedules, filepath.Base(dir), t.Name())
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}
