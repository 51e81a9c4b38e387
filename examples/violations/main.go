// Violations commits every kind of misuse that the library knows, recovers, and prints what the library
// says, under the lines that did it.
//
//	go -C examples run ./violations
//
// The output is the same on every run, at any number of processors: a misuse is not a matter of luck.
// It exits with 1 when a misuse was not reported as what it is.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"example.com/custody/safety"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "violations:", err)
		os.Exit(1)
	}
}

// run commits all misuses and writes about them to w.
func run(w io.Writer) error {
	if !safety.Enabled {
		_, err := fmt.Fprintln(w, "This build checks nothing (custody_unchecked): the misuses would do what they do.")
		return err
	}
	l, err := newListing()
	if err != nil {
		return err
	}
	var failed []error
	for k, m := range misuses {
		if k > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := show(w, l, k+1, m); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// show commits one misuse.
func show(w io.Writer, l *listing, number int, m misuse) error {
	comment, err := l.comment(m.name())
	if err != nil {
		return err
	}
	code, err := l.code(m.name())
	if err != nil {
		return err
	}
	v, err := m.catch()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "## %d. %s: %s\n\n%s\n%s\n\n%s\n", number, m.kind, m.title, comment, indent("    ", code), indent("  ! ", v.Error()))
	return err
}
