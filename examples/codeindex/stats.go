package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"text/tabwriter"

	"example.com/custody/array"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// facts are what a file has, or all files together. Of a binary file only the bytes are known.
type facts struct {
	files, bytes, lines, blank, names int64
	empty, binary, unreadable         int64
}

func (f facts) plus(g facts) facts {
	f.files, f.bytes, f.lines, f.blank = f.files+g.files, f.bytes+g.bytes, f.lines+g.lines, f.blank+g.blank
	f.names, f.empty, f.binary = f.names+g.names, f.empty+g.empty, f.binary+g.binary
	f.unreadable += g.unreadable
	return f
}

// look returns the facts of the file with index i and adds its identifiers to known.
func look(i int, text []byte, err error, known *names) facts {
	f := facts{files: 1, bytes: int64(len(text))}
	switch {
	case err != nil:
		return facts{files: 1, unreadable: 1}
	case len(text) == 0:
		f.empty = 1
	case isBinary(text):
		f.binary = 1
		return f
	}
	for line := range bytes.Lines(text) {
		f.lines++
		if len(bytes.TrimSpace(line)) == 0 {
			f.blank++
		}
	}
	identifiers(text, func(word []byte, _ int32) {
		f.names++
		n := &known.list[known.number(word)]
		n.use.times++
		if n.last != at(i, 1) {
			n.last = at(i, 1)
			n.use.files++
		}
	})
	return f
}

// looking writes the facts of the files of a batch and merges the uses of their identifiers.
type looking struct {
	Files array.Reader[file]
	Facts array.Writer[facts]
	Errs  array.Writer[error]
	Names hashmap.ParallelMerger[string, use]

	FS fs.FS `custody:"unguarded"`
}

// ExecuteBatch merges at its end: there are fewer identifiers than places where they occur.
func (l *looking) ExecuteBatch(begin, end int) error {
	known := newNames()
	for i := begin; i < end; i++ {
		withText(l.FS, l.Files.At(i).path, func(text []byte, err error) {
			l.Errs.Set(i, err)
			l.Facts.Set(i, look(i, text, err, known))
		})
	}
	for _, n := range known.list {
		l.Names.Merge(n.text, n.use)
	}
	return nil
}

// stats are the facts of a tree.
type stats struct {
	files []facts
	errs  []error
	names []name // in the order in which they first occur
	total facts
}

// makeStats looks at all files, then adds up their facts with Reduce, in the order of the batches.
func makeStats(ctx context.Context, t *tree, opts ...parallelfor.Option) (*stats, error) {
	n := len(t.files)
	all := array.New[facts](n, safety.Named("facts"))
	errs := array.New[error](n, safety.Named("errors"))
	uses := hashmap.New[string, use](safety.Named("names"))
	if err := parallelfor.ForBatchErr(ctx, n, looking{
		Files: array.Of(t.files, safety.Named("files")).Reader(),
		Facts: all.Writer(),
		Errs:  errs.Writer(),
		Names: uses.ParallelMerger(use.plus),
		FS:    t.fsys,
	}, (*looking).ExecuteBatch, append(opts, parallelfor.Name("look"))...); err != nil {
		return nil, err
	}
	s := &stats{files: all.Slice(), errs: errs.Slice()}
	for text, use := range uses.All() {
		s.names = append(s.names, name{text: text, use: use})
	}
	s.total = parallelfor.Reduce(n, all.Reader(), func(f *array.Reader[facts], begin, end int) (sum facts) {
		for i := begin; i < end; i++ {
			sum = sum.plus(f.At(i))
		}
		return sum
	}, facts.plus, parallelfor.Name("total"))
	return s, nil
}

// statsPlainly is makeStats in a plain loop.
func statsPlainly(ctx context.Context, t *tree) (*stats, error) {
	s, known := &stats{files: make([]facts, len(t.files)), errs: make([]error, len(t.files))}, newNames()
	err := t.each(ctx, func(i int, text []byte, err error) {
		s.files[i], s.errs[i] = look(i, text, err, known), err
		s.total = s.total.plus(s.files[i])
	})
	for _, n := range known.list {
		s.names = append(s.names, name{text: n.text, use: n.use})
	}
	return s, err
}

// write writes no times, so its output is the same on every run.
func (s *stats) write(w io.Writer, t *tree, top int) error {
	fmt.Fprintf(w, "%s\n\n", t.name)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(what string, n int64, format string, args ...any) {
		fmt.Fprintf(tw, "%s\t%s\t  %s\n", what, grouped(n), fmt.Sprintf(format, args...))
	}
	f := s.total
	line("files", f.files, "%d empty, %d binary, %d unreadable", f.empty, f.binary, f.unreadable)
	line("bytes", f.bytes, "in those that could be read")
	line("lines", f.lines, "of texts, %s blank", grouped(f.blank))
	line("identifiers", f.names, "%s different", grouped(int64(len(s.names))))
	fmt.Fprint(tw, "\nbytes\tlines\t  largest files\n")
	largest := make([]int, 0, len(s.files))
	for i := range s.files {
		largest = append(largest, i)
	}
	for _, i := range first(largest, top, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.files[b].bytes, s.files[a].bytes), cmp.Compare(a, b))
	}) {
		fmt.Fprintf(tw, "%s\t%s\t  %s\n", grouped(s.files[i].bytes), grouped(s.files[i].lines), t.files[i].path)
	}
	fmt.Fprint(tw, "\ntimes\tfiles\t  most frequent identifiers\n")
	for _, n := range first(slices.Clone(s.names), top, moreFrequent) {
		fmt.Fprintf(tw, "%s\t%s\t  %s\n", grouped(n.use.times), grouped(n.use.files), n.text)
	}
	return tw.Flush()
}
