package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// fault is one way to break the library, with the tests that must notice it.
type fault struct {
	name   string
	title  string
	source string // the file of the catalogue that describes it; empty for a mutant
	file   string // the file that it breaks, relative to the module
	text   []byte // the broken file
	trials []trial
	change string // of a mutant: the text before and after
	result verdict
}

// trial is a run of the tests of a package.
type trial struct {
	pkg  string // such as ./safety
	tags string
	race bool
	run  string // the pattern of go test -run; empty for all tests
}

func (t trial) String() string {
	s := t.pkg
	if t.tags != "" {
		s += " -tags " + t.tags
	}
	if t.race {
		s += " -race"
	}
	if t.run != "" {
		s += " -run " + t.run
	}
	return s
}

// readCatalogue reads all faults of the folder and applies them to the files of the module at root.
func readCatalogue(root, folder string) (faults []*fault, err error) {
	err = filepath.WalkDir(filepath.Join(root, folder), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() || rel == survivorsFile || !strings.HasSuffix(rel, ".txt") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parseFault(string(text))
		if err == nil {
			f.source = rel
			f.name = strings.TrimSuffix(strings.TrimPrefix(rel, folder+"/"), ".txt")
			err = f.apply(root)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", rel, err)
		}
		faults = append(faults, f.fault)
		return nil
	})
	return faults, err
}

// description is a parsed file of the catalogue.
type description struct {
	*fault
	edits []replacement
}

// replacement is a part of the broken file with the text that replaces it.
type replacement struct{ old, new string }

// parseFault parses a file of the catalogue: a head of "key: value" lines, an empty line, a
// paragraph, and pairs of sections "-- replace --" and "-- with --". The README of the catalogue
// describes the format.
func parseFault(text string) (*description, error) {
	f := &description{fault: &fault{}}
	head, body, ok := strings.Cut(text, "\n\n")
	if !ok {
		return nil, fmt.Errorf("no empty line after the head")
	}
	var base trial
	var packages []string
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch key {
		case "fault":
			f.title = value
		case "file":
			f.file = value
		case "test":
			packages = append(packages, strings.Fields(value)...)
		case "run":
			base.run = value
		case "tags":
			base.tags = value
		case "race":
			if value != "yes" && value != "no" {
				return nil, fmt.Errorf("race is %q, not yes or no", value)
			}
			base.race = value == "yes"
		default:
			return nil, fmt.Errorf("the head has an unknown line %q", line)
		}
	}
	if f.title == "" || f.file == "" || len(packages) == 0 {
		return nil, fmt.Errorf("the head must say fault, file and test")
	}
	for _, p := range packages {
		t := base
		t.pkg = p
		f.trials = append(f.trials, t)
	}
	about, sections, _ := strings.Cut(body, "-- replace --\n")
	if strings.TrimSpace(about) == "" {
		return nil, fmt.Errorf("nothing says what breaks, and for whom")
	}
	for pair := range strings.SplitSeq(sections, "-- replace --\n") {
		before, after, ok := strings.Cut(pair, "-- with --\n")
		if !ok {
			return nil, fmt.Errorf("a section \"-- replace --\" without a section \"-- with --\"")
		}
		if strings.Contains(after, "-- with --\n") || strings.TrimSpace(before) == "" {
			return nil, fmt.Errorf("sections must be pairs, and what is replaced not empty")
		}
		f.edits = append(f.edits, replacement{before, after})
	}
	return f, nil
}

// apply makes the broken file. The text of each replacement must be in the file exactly once.
func (f *description) apply(root string) error {
	text, err := os.ReadFile(filepath.Join(root, f.file))
	if err != nil {
		return err
	}
	for i, e := range f.edits {
		if n := bytes.Count(text, []byte(e.old)); n != 1 {
			return fmt.Errorf("the fault does not apply any more: what replacement %d replaces is in %s %d times, not once:\n%s", i+1, f.file, n, e.old)
		}
		if e.old == e.new {
			return fmt.Errorf("replacement %d changes nothing", i+1)
		}
		text = bytes.Replace(text, []byte(e.old), []byte(e.new), 1)
	}
	f.text = text
	return nil
}
