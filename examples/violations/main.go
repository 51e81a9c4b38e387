package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"example.com/custody/safety"
)

func main() {
	docs := flag.String("doc", "", "write the list in violations.md, and the pages below violations, in this `directory`")
	flag.Parse()
	var err error
	if *docs != "" {
		err = writePages(*docs)
	} else {
		err = run(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "violations:", err)
		os.Exit(1)
	}
}

// nothing is printed by unchecked builds.
const nothing = "This build checks next to nothing (custody_unchecked): most of the misuses would do what they do.\n"

// run commits all misuses and writes about them to w.
func run(w io.Writer) error {
	if !safety.Enabled {
		_, err := io.WriteString(w, nothing)
		return err
	}
	l, err := newListing()
	if err != nil {
		return err
	}
	var failed []error
	for k, m := range misuses {
		s, err := m.say(l)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if k > 0 {
			fmt.Fprintln(w)
		}
		_, err = fmt.Fprintf(w, "## %d. %s: %s%s\n\n%s\n%s\n\n%s\n", k+1, m.want.Kind, m.title, m.where(), s.comment, indent("    ", s.code), indent("  ! ", s.report))
		if err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}

// said is the comment, the code and the report of a misuse.
type said struct{ comment, code, report string }

// say commits the misuse, if this build reports it.
func (m misuse) say(l *listing) (s said, err error) {
	if s.comment, err = l.comment(m.name()); err != nil {
		return s, err
	}
	if s.code, err = l.code(m.name()); err != nil {
		return s, err
	}
	if !m.here() {
		s.report, err = m.recorded()
		return s, err
	}
	v, err := m.catch()
	if err != nil {
		return s, err
	}
	s.report = v.Error()
	return s, nil
}

// The reports of strict builds for misuses that only they report; see the tests.
//
//go:embed testdata/strict
var records embed.FS

// record is the name of the file that has the misuse's report.
func (m misuse) record() string { return "testdata/strict/" + m.name() + ".txt" }

func (m misuse) recorded() (string, error) {
	text, err := records.ReadFile(m.record())
	return string(text), err
}
