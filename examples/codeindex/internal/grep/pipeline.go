package grep

import (
	"context"
	"errors"

	"example.com/custody/array"
	"example.com/custody/examples/codeindex/internal/files"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// bounds say how much of a tree the pipeline has in memory.
type bounds struct {
	ahead   int // files that the walker has found and nobody has taken
	batch   int // files that are searched in one loop, at most
	batches int // whose findings are waiting to be printed, or being searched for
}

// roomy is enough for all stages to have work, and little memory.
var roomy = bounds{ahead: 1024, batch: 256, batches: 3}

// pipeline is what the stages share.
type pipeline struct {
	query Query
	out   *Printer
	opts  []parallelfor.Option

	found    *queue.Ring[files.Entry]           // by the walker, for the search
	searched *queue.Ring[*queue.Queue[Finding]] // batches, for the printer
	printed  *queue.Ring[*queue.Queue[Finding]] // empty ones, for the search
	entries  *array.Array[files.Entry]          // of the batch that is being searched
}

// Parallel searches the tree in stages that work at the same time, and prints what [Sequential] prints, in
// the same order, whatever the options of the loops are. It ends early in the same cases. Then what was
// printed is the beginning of the whole, up to the end of a batch or to the printer's failure.
//
// Memory: what is found in three batches of 256 files, and for each worker what a searcher takes.
func Parallel(ctx context.Context, q Query, out *Printer, opts ...parallelfor.Option) error {
	return parallel(ctx, q, out, roomy, opts)
}

func parallel(ctx context.Context, q Query, out *Printer, b bounds, opts []parallelfor.Option) error {
	p := &pipeline{
		query: q, out: out, opts: opts,
		found:    queue.NewRing[files.Entry](b.ahead, safety.Named("found")),
		searched: queue.NewRing[*queue.Queue[Finding]](b.batches, safety.Named("searched")),
		printed:  queue.NewRing[*queue.Queue[Finding]](b.batches, safety.Named("printed")),
		entries:  array.New[files.Entry](b.batch, safety.Named("entries")),
	}
	for range b.batches {
		p.printed.TryEnqueue(queue.New[Finding](safety.Named("findings")))
	}
	s := newStages(ctx)
	s.start(p.walk)
	s.start(p.search)
	s.start(p.print)
	return out.End(s.wait())
}

// walk puts what it finds into the ring, and waits while that is full.
func (p *pipeline) walk(ctx context.Context) error {
	defer p.found.Close()
	return files.Walk(ctx, p.query.Source.FS, p.query.Exts, func(e files.Entry) error {
		return p.found.Enqueue(ctx, e)
	})
}

// search takes batch by batch, and has a parallel loop put what it finds into a queue for the printer.
func (p *pipeline) search(ctx context.Context) error {
	defer p.searched.Close()
	for {
		n, err := p.take(ctx)
		if err != nil {
			return unlessClosed(err)
		}
		findings, err := p.printed.Dequeue(ctx)
		if err != nil {
			return err
		}
		j := job{Entries: p.entries.Reader(), Findings: findings.ParallelWriter(), Query: p.query}
		if err := parallelfor.ForErr(ctx, n, j, (*job).Execute, append(p.opts, parallelfor.Name("search"))...); err != nil {
			return err
		}
		if err := p.searched.Enqueue(ctx, findings); err != nil {
			return err
		}
	}
}

// take waits for a file, takes those that are there, and returns how many: while the search is slower than
// the walk there is a whole batch, and otherwise nothing is waited for.
func (p *pipeline) take(ctx context.Context) (n int, err error) {
	batch := p.entries.Slice()
	if batch[0], err = p.found.Dequeue(ctx); err != nil {
		return 0, err
	}
	return 1 + p.found.DequeueInto(batch[1:]), nil
}

// print prints batch by batch, and gives back the queues. What is printed stands in a buffer only while more
// is to come at once.
func (p *pipeline) print(ctx context.Context) error {
	for {
		findings, ok := p.searched.TryDequeue()
		if !ok {
			if err := p.out.Flush(); err != nil {
				return err
			}
			var err error
			if findings, err = p.searched.Dequeue(ctx); err != nil {
				return unlessClosed(err)
			}
		}
		if err := p.empty(findings); err != nil {
			return err
		}
		if err := p.printed.Enqueue(ctx, findings); err != nil {
			return err
		}
	}
}

// empty prints what is in a queue, from its own memory.
func (p *pipeline) empty(findings *queue.Queue[Finding]) error {
	for some := range findings.Drain() {
		for _, f := range some {
			if err := p.out.Print(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// unlessClosed is the error of a wait, but for the one that says that all was taken.
func unlessClosed(err error) error {
	if errors.Is(err, queue.ErrClosed) {
		return nil
	}
	return err
}
