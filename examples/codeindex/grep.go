package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"sync"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// The search is a pipeline. Its stages run at the same time, and its rings bound the memory.
//
//	walk --- Ring of entries ---> search --- Ring of Queues ---> print

// entry is a file to search, or a directory that could not be read.
type entry struct {
	path string
	err  error
}

// searching searches the files of a batch. The queue has what it finds in the order of the files
// and their lines.
type searching struct {
	Entries  array.Reader[entry]
	Findings queue.ParallelWriter[finding]

	FS      fs.FS          `custody:"unguarded"`
	Pattern *regexp.Regexp `custody:"unguarded"`
}

// Execute returns no error: an unreadable file is a finding.
func (s *searching) Execute(i int) error {
	searchEntry(s.FS, s.Pattern, s.Entries.At(i), s.Findings.Enqueue)
	return nil
}

func searchEntry(fsys fs.FS, pattern *regexp.Regexp, e entry, use func(finding)) {
	if e.err != nil {
		use(finding{path: e.path, err: e.err})
		return
	}
	withText(fsys, e.path, func(text []byte, err error) {
		searchText(e.path, pattern, text, use)
		if err != nil {
			use(finding{path: e.path, err: err})
		}
	})
}

// searchText finds the lines that match. A match begins with the literal prefix of the pattern, so
// lines without it are skipped. The first match in a binary file ends the search.
func searchText(path string, pattern *regexp.Regexp, text []byte, use func(finding)) {
	prefix, _ := pattern.LiteralPrefix()
	literal, binary := []byte(prefix), isBinary(text)
	for line := 1; len(text) > 0; line++ {
		if len(literal) > 0 {
			k := bytes.Index(text, literal)
			if k < 0 {
				return
			}
			k = bytes.LastIndexByte(text[:k], '\n') + 1
			line += bytes.Count(text[:k], newline)
			text = text[k:]
		}
		var this []byte
		this, text, _ = bytes.Cut(text, newline)
		if !pattern.Match(this) {
			continue
		}
		if binary {
			use(finding{path: path})
			return
		}
		use(finding{path: path, line: line, text: string(this)})
	}
}

const (
	ahead   = 1024 // files that the walk may be ahead of the search
	batch   = 256  // files that a loop searches
	batches = 2    // whose findings wait to be printed
)

// grep is what the stages share.
type grep struct {
	tree    *tree
	pattern *regexp.Regexp
	out     *printer
	opts    []parallelfor.Option

	found    *queue.Ring[entry]                 // from walk to search
	searched *queue.Ring[*queue.Queue[finding]] // from search to print
}

// search prints the lines of a tree that match, in order, with any options. When a stage fails or
// ctx ends, the waits of the others end, and search returns the first error when all stages have
// ended.
func search(ctx context.Context, t *tree, pattern *regexp.Regexp, out *printer, opts ...parallelfor.Option) error {
	g := &grep{
		tree: t, pattern: pattern, out: out, opts: append(opts, parallelfor.Name("search")),
		found:    queue.NewRing[entry](ahead, safety.Named("found")),
		searched: queue.NewRing[*queue.Queue[finding]](batches, safety.Named("searched")),
	}
	stop, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for _, stage := range []func(context.Context) error{g.walk, g.search, g.print} {
		all.Go(func() {
			if err := stage(stop); err != nil && !errors.Is(err, queue.ErrClosed) {
				cancel(err) // the first one is the cause
			}
		})
	}
	all.Wait()
	return context.Cause(stop)
}

// walk waits while the ring is full.
func (g *grep) walk(ctx context.Context) error {
	defer g.found.Close()
	return g.tree.walk(ctx, func(path string, err error) error {
		return g.found.Enqueue(ctx, entry{path: path, err: err})
	})
}

// search waits for a file, takes those that are there, and searches them in a parallel loop.
func (g *grep) search(ctx context.Context) error {
	defer g.searched.Close()
	entries := array.New[entry](batch, safety.Named("entries"))
	for {
		first, err := g.found.Dequeue(ctx)
		if err != nil {
			return err
		}
		entries.Set(0, first)
		n := 1 + g.found.DequeueInto(entries.Slice()[1:])
		findings := queue.New[finding](safety.Named("findings"))
		if err := parallelfor.ForErr(ctx, n, searching{
			Entries:  entries.Reader(),
			Findings: findings.ParallelWriter(),
			FS:       g.tree.fsys,
			Pattern:  g.pattern,
		}, (*searching).Execute, g.opts...); err != nil {
			return err
		}
		if err := g.searched.Enqueue(ctx, findings); err != nil {
			return err
		}
	}
}

// print prints queue by queue.
func (g *grep) print(ctx context.Context) error {
	for {
		findings, err := g.searched.Dequeue(ctx)
		if err != nil {
			return err
		}
		for some := range findings.Drain() {
			for _, f := range some {
				g.out.print(f)
			}
		}
		if g.searched.Len() == 0 {
			g.out.flush()
		}
		if g.out.err != nil {
			return g.out.err
		}
	}
}

// searchPlainly is search in a plain loop.
func searchPlainly(ctx context.Context, t *tree, pattern *regexp.Regexp, w io.Writer) error {
	out := newPrinter(w, w, t.prefix)
	err := t.walk(ctx, func(path string, err error) error {
		searchEntry(t.fsys, pattern, entry{path: path, err: err}, out.print)
		return out.err
	})
	out.flush()
	return err
}
