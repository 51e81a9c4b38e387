package words

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"

	"example.com/custody/examples/codeindex/internal/grep"
	"example.com/custody/examples/codeindex/internal/index"
)

// Find returns the lines that have all that a query asks for, in order.
func (x *Index) Find(q Query) []Posting {
	var found []Posting
	for k, t := range q {
		lines := x.postings(t)
		if k == 0 {
			found = lines
		} else {
			found = both(found, lines)
		}
		if len(found) == 0 {
			break
		}
	}
	return found
}

// postings returns the lines that have a term, in order.
func (x *Index) postings(t Term) (lines []Posting) {
	if !t.Prefix {
		return x.lines.AppendValues(nil, t.Name)
	}
	for _, name := range x.lines.beginning(t.Name) {
		lines = x.lines.AppendValues(lines, name)
	}
	slices.SortFunc(lines, Posting.Compare)
	return slices.Compact(lines)
}

// both returns what is in two ordered lists, in memory of the first.
func both(a, b []Posting) []Posting {
	kept := a[:0]
	for _, p := range a {
		for len(b) > 0 && b[0].Compare(p) < 0 {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == p {
			kept = append(kept, p)
		}
	}
	return kept
}

// errChanged says that a file is not any more what it was when it was indexed.
var errChanged = errors.New("has changed since it was indexed")

// Print prints lines, as a search does: their files are read again. It ends early when ctx does, with the cause, or when
// the printer fails.
func (x *Index) Print(ctx context.Context, lines []Posting, out *grep.Printer) error {
	c := collectors.Get().(*collector)
	defer c.release()
	for len(lines) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n := 1
		for n < len(lines) && lines[n].File == lines[0].File {
			n++
		}
		if err := x.printFile(c, lines[:n], out); err != nil {
			return err
		}
		lines = lines[n:]
	}
	return nil
}

// printFile prints lines of one file.
func (x *Index) printFile(c *collector, lines []Posting, out *grep.Printer) error {
	path := x.Tree.Files[lines[0].File].Path
	rest, err := c.read(x.Tree.FS, path)
	if err != nil {
		return out.Print(grep.Finding{Path: path, Err: err})
	}
	at := int32(1)
	for _, l := range lines {
		for ; at < l.Line; at++ {
			_, rest, _ = bytes.Cut(rest, newline)
		}
		if len(rest) == 0 {
			return out.Print(grep.Finding{Path: path, Err: errChanged})
		}
		line, _, _ := bytes.Cut(rest, newline)
		if err := out.Print(grep.Finding{Path: path, Line: int(l.Line), Text: string(line)}); err != nil {
			return err
		}
	}
	return nil
}

var newline = []byte{'\n'}

// PrintUnread prints what could not be read when the index was made.
func (x *Index) PrintUnread(out *grep.Printer) error { return PrintUnread(x.Tree, x.Errs, out) }

// PrintUnread prints what could not be read of a tree: directories when it was walked, and files, by their index, for the reason that there is.
func PrintUnread(t *index.Tree, errs []error, out *grep.Printer) error {
	for _, err := range t.Unlisted {
		if err := out.Print(grep.Finding{Path: pathOf(err), Err: err}); err != nil {
			return err
		}
	}
	for i, err := range errs {
		if err != nil {
			if err := out.Print(grep.Finding{Path: t.Files[i].Path, Err: err}); err != nil {
				return err
			}
		}
	}
	return nil
}

// pathOf returns the path that an error is about.
func pathOf(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Path
	}
	return ""
}
