package main

import (
	"bytes"
	"context"
	"io/fs"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// tally is what a file has: its bytes, lines, words and zero bytes.
type tally struct{ bytes, lines, words, zeros int64 }

// column is a count that is kept for each extension.
type column int

// The columns, in the order of the table.
const (
	files column = iota
	lines
	words
	bytesRead
	zeros
	unreadable
	columns
)

var columnNames = [columns]string{"files", "lines", "words", "bytes", "zero bytes", "unreadable"}

func (t tally) cells() [columns]int64 {
	return [columns]int64{files: 1, lines: t.lines, words: t.words, bytesRead: t.bytes, zeros: t.zeros}
}

// counts is everything that a loop counts in a tree.
type counts struct {
	tallies []tally          // by file
	errs    []error          // by file: why it could not be read
	byExt   [columns][]int64 // by extension; an unreadable file counts as that only
}

// count counts the file of its index. Its fields are all that it touches: it reads the list of
// files, writes the elements of its own index, and adds to sums that all workers add to.
type count struct {
	Files   array.Reader[file]
	Tallies array.Writer[tally]
	Errs    array.Writer[error]
	ByExt   [columns]counter.HistogramParallelWriter // a bin for each extension

	FS fs.FS `custody:"unguarded"` // a file system may be used by any number of goroutines
}

// Execute counts one file. A file that cannot be read is a result, so Execute returns no error:
// only the context ends the loop early.
func (c *count) Execute(i int) error {
	f := c.Files.At(i)
	withText(c.FS, f.path, func(text []byte, err error) {
		if err != nil {
			c.Errs.Set(i, err)
			c.ByExt[unreadable].Add(f.ext, 1)
			return
		}
		t := scan(text)
		c.Tallies.Set(i, t)
		for k, n := range t.cells() {
			c.ByExt[k].Add(f.ext, n)
		}
	})
	return nil
}

// countFiles counts the files of a tree in a parallel loop. What it returns does not depend on the
// options. It returns the cause when ctx ends.
func countFiles(ctx context.Context, t *tree, opts ...parallelfor.Option) (*counts, error) {
	var (
		list    = array.Of(t.files, safety.Named("files"))
		tallies = array.New[tally](list.Len(), safety.Named("tallies"))
		errs    = array.New[error](list.Len(), safety.Named("errors"))
		byExt   [columns]*counter.Histogram
	)
	job := count{
		Files:   list.Reader(),
		Tallies: tallies.Writer(),
		Errs:    errs.Writer(),
		FS:      t.fsys,
	}
	for k := range byExt {
		byExt[k] = counter.NewHistogram(max(len(t.exts), 1), safety.Named(columnNames[k]))
		job.ByExt[k] = byExt[k].ParallelWriter()
	}

	err := parallelfor.ForErr(ctx, list.Len(), job, (*count).Execute, append(opts, parallelfor.Name("count"))...)
	if err != nil {
		return nil, err
	}

	c := &counts{tallies: tallies.Slice(), errs: errs.Slice()}
	for k := range byExt {
		c.byExt[k] = byExt[k].Counts(nil)[:len(t.exts)]
	}
	return c, nil
}

// blank is 1 for each byte that is white space in C's locale.
var blank = [256]uint8{' ': 1, '\t': 1, '\n': 1, '\v': 1, '\f': 1, '\r': 1}

// scan counts a text. A word begins where white space ends.
func scan(text []byte) tally {
	t := tally{
		bytes: int64(len(text)),
		lines: int64(bytes.Count(text, []byte{'\n'})),
		zeros: int64(bytes.Count(text, []byte{0})),
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		t.lines++ // the last line has no newline
	}
	before := uint8(1)
	for _, b := range text {
		t.words += int64(before &^ blank[b])
		before = blank[b]
	}
	return t
}
