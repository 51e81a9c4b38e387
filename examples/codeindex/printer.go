package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// finding is what a search has found: a line, or with line 0 that a binary file matches, or the
// reason why something could not be read.
type finding struct {
	path string
	line int
	text string
	err  error
}

// printer prints findings as grep -rn does. Its methods do nothing after an error.
type printer struct {
	out             *bufio.Writer
	errs            io.Writer
	prefix          string
	matches, unread int
	err             error // the first
}

func newPrinter(stdout, stderr io.Writer, prefix string) *printer {
	return &printer{out: bufio.NewWriterSize(stdout, 64<<10), errs: stderr, prefix: prefix}
}

func (p *printer) print(f finding) {
	switch {
	case f.err != nil:
		p.unread++
		if e, ok := errors.AsType[*fs.PathError](f.err); ok {
			f.err = e.Err // without the path inside of the tree
		}
		p.aside("not read: %s%s: %v\n", p.prefix, f.path, f.err)
	case f.line == 0:
		p.matches++
		p.aside("%s%s: binary file matches\n", p.prefix, f.path)
	default:
		p.matches++
		_, err := fmt.Fprintf(p.out, "%s%s:%d:%s\n", p.prefix, f.path, f.line, f.text)
		p.err = cmp.Or(p.err, err)
	}
}

// aside writes to standard error, behind what was written to standard output before.
func (p *printer) aside(format string, args ...any) {
	p.flush()
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.errs, format, args...)
	}
}

func (p *printer) flush() { p.err = cmp.Or(p.err, p.out.Flush()) }

// problems prints what could not be read: directories, then files, whose errors are given.
func (p *printer) problems(t *tree, errs []error) {
	for _, f := range t.unlisted {
		p.print(f)
	}
	for i, err := range errs {
		if err != nil {
			p.print(finding{path: t.files[i].path, err: err})
		}
	}
}

// status returns the exit status of a search that came to its end, as grep's.
func (p *printer) status() (int, error) {
	p.flush()
	if p.unread > 0 {
		p.aside("codeindex: %d could not be read\n", p.unread)
		return trouble, p.err
	}
	if p.matches == 0 {
		return noMatch, p.err
	}
	return 0, p.err
}
