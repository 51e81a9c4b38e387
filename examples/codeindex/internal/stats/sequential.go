package stats

import (
	"context"
	"slices"
	"sync/atomic"

	"example.com/custody/examples/codeindex/internal/index"
)

// Sequential looks at all files of the tree in a plain loop, with Go's map: what the parallel loop must equal. It adds each finished file
// to done. When ctx ends it returns the cause.
func Sequential(ctx context.Context, t *index.Tree, top int, done *atomic.Int64) (*Result, error) {
	n := len(t.Files)
	r := &Result{Tree: t, Files: make([]Facts, n), Errs: make([]error, n)}
	g := newGatherer()
	for i, f := range t.Files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.Files[i], r.Errs[i] = g.file(i, t.FS, f.Path)
		if r.Errs[i] == nil {
			r.Largest = append(r.Largest, i)
		}
		r.Total = r.Total.plus(of(i, r.Files[i], r.Errs[i] != nil))
		done.Add(1)
	}
	r.Names = g.names
	r.Largest = first(r.Largest, top, larger(r.Files))
	r.Frequent = first(slices.Clone(r.Names), top, moreOften)
	return r, nil
}
