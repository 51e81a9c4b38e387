package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime/trace"

	"example.com/custody/examples/fixedupdate/internal/fall"
)

// simulate makes the steps in all forms, in turns, reports, and compares what they have left.
func simulate(o options, w io.Writer) error {
	forms := formsOf(o)
	defer func() {
		for _, f := range forms {
			f.Close()
		}
	}()
	measure(forms, o.steps)
	if err := report(o, forms, w); err != nil {
		return err
	}
	if err := compare(forms); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nverified: every form, at any number of workers, left every bit of every object as the plain loop did, checksum %016x\n", forms[byCalls].Sum())
	if err == nil && o.trace != "" {
		err = traced(o.trace, forms[len(forms)-1])
	}
	return err
}

// compare returns an error if a form has left something else than the first one.
func compare(forms []*form) error {
	for _, f := range forms {
		if err := fall.Same(forms[byCalls].Script, f.Script); err != nil {
			return fmt.Errorf("%s left something else than the plain loop over the objects: %w", f.name, err)
		}
	}
	return nil
}

// traced has the form make some more steps and writes an execution trace of them. In it each stage is a region.
func traced(name string, f *form) error {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		return err
	}
	for range turn {
		f.Step()
	}
	trace.Stop()
	return os.WriteFile(name, b.Bytes(), 0o644)
}
