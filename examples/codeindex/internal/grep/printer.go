package grep

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
)

// Printer writes findings as lines of text, as grep -rn does: path:line:text. It is for one goroutine.
type Printer struct {
	out    *bufio.Writer
	errs   io.Writer
	prefix string

	matches int
	unread  int
}

// NewPrinter returns a printer that puts prefix before each path. Lines that match go to out, through a
// buffer; that a binary file matches, and what could not be read, goes to errs.
func NewPrinter(out, errs io.Writer, prefix string) *Printer {
	return &Printer{out: bufio.NewWriterSize(out, 64<<10), errs: errs, prefix: prefix}
}

// Matches returns how many lines and binary files matched.
func (p *Printer) Matches() int { return p.matches }

// Unread returns how many files and directories could not be read.
func (p *Printer) Unread() int { return p.unread }

// Print writes a finding. The error is that of out or errs, and comes again from then on.
func (p *Printer) Print(f Finding) error {
	switch {
	case f.Err != nil:
		p.unread++
		return p.aside("not read: %s%s: %v\n", p.prefix, f.Path, reason(f.Err))
	case f.Line == 0:
		p.matches++
		return p.aside("%s%s: binary file matches\n", p.prefix, f.Path)
	}
	p.matches++
	b := p.out.AvailableBuffer()
	b = append(b, p.prefix...)
	b = append(b, f.Path...)
	b = append(b, ':')
	b = strconv.AppendInt(b, int64(f.Line), 10)
	b = append(b, ':')
	b = append(b, f.Text...)
	b = append(b, '\n')
	_, err := p.out.Write(b)
	return err
}

// reason is an error without the name that was used inside the tree.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// aside writes to errs, behind what was written to out before.
func (p *Printer) aside(format string, args ...any) error {
	if err := p.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.errs, format, args...)
	return err
}

// Flush empties the buffer.
func (p *Printer) Flush() error { return p.out.Flush() }

// End flushes also after an error, and returns the first one.
func (p *Printer) End(err error) error {
	if e := p.Flush(); err == nil {
		return e
	}
	return err
}
