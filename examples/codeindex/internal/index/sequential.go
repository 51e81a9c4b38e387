package index

import (
	"context"
	"sync/atomic"
)

// Sequential counts the files of the tree in a plain loop over plain slices: what the parallel loop
// must equal, and what its speed is measured against. It adds each finished file to done. When ctx
// ends it returns the cause.
func Sequential(ctx context.Context, t *Tree, done *atomic.Int64) (*Result, error) {
	n := len(t.Files)
	r := &Result{Tallies: make([]Tally, n), Errs: make([]error, n)}
	for c := range r.ByExt {
		r.ByExt[c] = make([]int64, len(t.Exts))
	}
	for i, f := range t.Files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		err := readFile(t.FS, f.Path, func(tally Tally, chars *[256]int64) {
			r.Tallies[i] = tally
			for c, n := range tally.cells() {
				r.ByExt[c][f.Ext] += n
			}
			for b, n := range chars {
				r.Chars[b] += n
			}
		})
		if err != nil {
			r.Errs[i] = err
			r.ByExt[Unreadable][f.Ext]++
			r.Unreadable++
		}
		done.Add(1)
	}
	return r, nil
}
