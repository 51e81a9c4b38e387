package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// survivors is the list of mutants that no test of an ordinary build can kill. An entry is a line
//
//	name | the text before and after | class | why
//
// The class is "equivalent" for a mutant that no program can tell from the original. It is
// "explored" for a mutant that fails only in schedules that only an explored build executes.
type survivors struct{ entries map[string]*survivor }

type survivor struct {
	change, class string
}

const (
	equivalent = "equivalent"
	explored   = "explored"
)

func readSurvivors(file string) (*survivors, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := parseSurvivors(string(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

func parseSurvivors(text string) (*survivors, error) {
	s := &survivors{entries: map[string]*survivor{}}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		// The change may contain the separator.
		name, rest, _ := strings.Cut(line, " | ")
		fields := strings.Split(rest, " | ")
		if len(fields) < 3 {
			return nil, fmt.Errorf("not \"name | change | class | why\": %s", line)
		}
		k := len(fields)
		e := &survivor{change: strings.Join(fields[:k-2], " | "), class: fields[k-2]}
		if e.class != equivalent && e.class != explored {
			return nil, fmt.Errorf("%s: class %q is neither %s nor %s", name, e.class, equivalent, explored)
		}
		if strings.TrimSpace(fields[k-1]) == "" {
			return nil, fmt.Errorf("%s: nothing says why", name)
		}
		if s.entries[name] != nil {
			return nil, fmt.Errorf("%s is listed twice", name)
		}
		s.entries[name] = e
	}
	return s, nil
}

// match returns an error for entries that fit no mutant. all reports whether mutants has every
// mutant that can be generated.
func (s *survivors) match(mutants []*fault, all bool) error {
	var errs []error
	known := map[string]bool{}
	for _, m := range mutants {
		known[m.name] = true
		if e := s.entries[m.name]; e != nil && e.change != m.change {
			errs = append(errs, fmt.Errorf("%s: %s is now %q, listed is %q", survivorsFile, m.name, m.change, e.change))
		}
	}
	for name := range s.entries {
		if all && !known[name] {
			errs = append(errs, fmt.Errorf("%s: there is no mutant %s any more; take it off", survivorsFile, name))
		}
	}
	return errors.Join(errs...)
}
