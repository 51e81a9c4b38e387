package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// place is the position of a block in a profile.
type place struct {
	file                     string // relative to the module
	line0, col0, line1, col1 int
}

// tally is what a profile has about a block.
type tally struct {
	statements int
	covered    bool
}

func comparePlaces(a, b place) int {
	if a.file != b.file {
		return strings.Compare(a.file, b.file)
	}
	if a.line0 != b.line0 {
		return a.line0 - b.line0
	}
	return a.col0 - b.col0
}

func moduleName(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	rest, ok := strings.CutPrefix(string(b), "module ")
	if !ok {
		return "", fmt.Errorf("go.mod does not begin with the module's path")
	}
	name, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(name), nil
}

// readProfile merges the lines of a profile: a block is covered if any test covers it.
func readProfile(name, module string) (map[place]tally, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	blocks := map[place]tally{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "mode:") {
			continue
		}
		p, t, ok := parseLine(lines.Text(), module)
		if !ok {
			return nil, fmt.Errorf("%s:%d: not a line of a profile: %q", name, n, lines.Text())
		}
		t.covered = t.covered || blocks[p].covered
		blocks[p] = t
	}
	return blocks, lines.Err()
}

// parseLine parses a line like "module/dir/file.go:12.34,15.2 3 0".
func parseLine(line, module string) (p place, t tally, ok bool) {
	colon := strings.LastIndexByte(line, ':')
	if colon < 0 {
		return p, t, false
	}
	p.file = strings.TrimPrefix(line[:colon], module+"/")
	var count int
	n, err := fmt.Sscanf(line[colon+1:], "%d.%d,%d.%d %d %d", &p.line0, &p.col0, &p.line1, &p.col1, &t.statements, &count)
	t.covered = count > 0
	return p, t, err == nil && n == 6
}
