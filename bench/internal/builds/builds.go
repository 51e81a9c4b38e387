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

// Comparison is works that two sides do, each side in processes of one build.
type Comparison struct {
	Peer   string    // the name of the second side; that of the first is rows.Ours
	builds [2]string // of the sides
	works  []string
	pairs  int // processes of each side
}

var (
	// Checking compares the checked build with the unchecked one.
	Checking = Comparison{"unchecked build", [2]string{"checked", "unchecked"}, []string{"batches, 1M", "batches, 32k in cache"}, 5}
	// Racing compares the library with goroutines, both with the race detector.
	Racing = Comparison{goroutines, [2]string{"race", "race"}, []string{steps, steps + ByIndex, bins, bins + ByIndex, groups, groups + ByIndex}, 3}
)

// flags are those of go build for each build.
var flags = map[string][]string{"checked": nil, "unchecked": {"-tags", "custody_unchecked"}, "race": {"-race"}}

// Each measures every work, one after the other. There are several processes of each side, because
// where a process's memory lies changes its speed for its life.
func (m *Comparison) Each(c measure.Config, do func(work string, s *measure.Series)) error {
	dir, err := os.MkdirTemp("", "builds")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for _, build := range m.builds {
		if err := buildChild(dir, build); err != nil {
			return err
		}
	}
	c.Reps = max((c.Reps+m.pairs-1)/m.pairs, 3)
	for _, work := range m.works {
		all := &measure.Series{Times: make([][]float64, 2)}
		for range m.pairs {
			s, err := m.pair(c, dir, work)
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

// pair measures a process of each side.
func (m *Comparison) pair(c measure.Config, dir, work string) (*measure.Series, error) {
	var sides []measure.Side
	for i, side := range []string{rows.Ours, m.Peer} {
		child, err := startChild(dir, m.builds[i], work, side)
		if err != nil {
			return nil, err
		}
		defer child.stop()
		sides = append(sides, measure.Side{Name: side, Time: child.time})
	}
	return measure.Interleave(c, works[work]().units, sides...), nil
}

// buildChild builds the child's program; its file in dir has the name of the build.
func buildChild(dir, build string) error {
	args := append([]string{"build", "-o", filepath.Join(dir, build)}, flags[build]...)
	cmd := exec.Command("go", append(args, "example.com/custody/bench/internal/builds/child")...)
	cmd.Dir = moduleDir()
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, strings.TrimSpace(string(text)))
	}
	return nil
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
