package main

import (
	"bytes"
	"fmt"
	"io"
)

// transcript is what a run has written, both outputs in the order in which it did.
type transcript struct{ bytes.Buffer }

// teed returns the outputs of a run that are to be kept, too.
func (t *transcript) teed(stdout, stderr io.Writer) (out, errs io.Writer) {
	return io.MultiWriter(stdout, t), io.MultiWriter(stderr, t)
}

// same returns nil if two runs wrote the same. Otherwise the error shows the first line that differs.
func (t *transcript) same(want *transcript) error {
	w, g := want.Bytes(), t.Bytes()
	for line := 1; len(w) > 0 || len(g) > 0; line++ {
		var a, b []byte
		a, w = lineOf(w)
		b, g = lineOf(g)
		if !bytes.Equal(a, b) {
			return fmt.Errorf("line %d is %q, and not %q", line, b, a)
		}
	}
	return nil
}

// lineOf cuts a line off a text, with its newline.
func lineOf(p []byte) (line, rest []byte) {
	if k := bytes.IndexByte(p, '\n'); k >= 0 {
		return p[:k+1], p[k+1:]
	}
	return p, nil
}
