package builds

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
)

// Unchecked is the name of the unchecked build's side; that of the checked one is rows.Ours.
const Unchecked = "unchecked build"

// Each measures every work, one after the other. There are several processes of each build, because
// where a process's memory lies changes its speed for its life.
func Each(c measure.Config, do func(work string, s *measure.Series)) error {
	const pairs = 5
	checked, unchecked, remove, err := buildBoth()
	if err != nil {
		return err
	}
	defer remove()
	c.Reps = max((c.Reps+pairs-1)/pairs, 3)
	for _, work := range []string{"batches, 1M", "batches, 32k in cache"} {
		all := &measure.Series{Times: make([][]float64, 2)}
		for range pairs {
			s, err := both(c, work, checked, unchecked)
			if err != nil {
				return err
			}
			all.Sides = s.Sides
			for i := range s.Times {
				all.Times[i] = append(all.Times[i], s.Times[i]...)
			}
		}
		do(work, all)
	}
	return nil
}

func both(c measure.Config, work, checked, unchecked string) (*measure.Series, error) {
	a, err := startChild(checked, work, true)
	if err != nil {
		return nil, err
	}
	defer a.stop()
	b, err := startChild(unchecked, work, false)
	if err != nil {
		return nil, err
	}
	defer b.stop()
	units, _ := works[work]()
	return measure.Interleave(c, units, measure.Side{Name: rows.Ours, Time: a.time}, measure.Side{Name: Unchecked, Time: b.time}), nil
}

// buildBoth builds the child's program twice, with custody checked and not.
func buildBoth() (checked, unchecked string, remove func(), err error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", "", nil, err
	}
	dir, err := os.MkdirTemp("", "builds")
	if err != nil {
		return "", "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	build := func(name string, args ...string) string {
		if err != nil {
			return ""
		}
		program := filepath.Join(dir, name)
		cmd := exec.Command(tool, append(append([]string{"build", "-o", program}, args...), "example.com/custody/bench/internal/builds/child")...)
		cmd.Dir = moduleDir()
		if text, failed := cmd.CombinedOutput(); failed != nil {
			err = fmt.Errorf("go build: %w: %s", failed, strings.TrimSpace(string(text)))
		}
		return program
	}
	checked = build("checked")
	unchecked = build("unchecked", "-tags", "custody_unchecked")
	if err != nil {
		remove()
		return "", "", nil, err
	}
	return checked, unchecked, remove, nil
}

// moduleDir returns a folder of this module: that of this file, if it is where it was compiled.
func moduleDir() string {
	if _, file, _, ok := runtime.Caller(0); ok {
		if _, err := os.Stat(file); err == nil {
			return filepath.Dir(file)
		}
	}
	return ""
}
