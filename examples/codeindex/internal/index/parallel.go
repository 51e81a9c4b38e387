package index

import (
	"context"
	"io/fs"
	"sync/atomic"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// job counts the file of its index. Its fields say all that it does: it reads the list of files, writes
// what belongs to its own index, and adds to counts that everybody adds to.
type job struct {
	Files      array.Reader[File]
	Tallies    array.Writer[Tally]
	Errs       array.Writer[error]
	ByExt      [columns]counter.HistogramParallelWriter // a bin for each extension
	Chars      counter.HistogramParallelWriter          // a bin for each byte
	Unreadable counter.ParallelWriter

	FS   fs.FS         `custody:"unguarded"` // file systems may be used by any number of goroutines
	Done *atomic.Int64 `custody:"unguarded"` // no container: whoever watches reads it meanwhile
}

// Execute counts one file. A file that cannot be read is a result like any other, not a failure of the
// loop, so the error is always nil: what ends the loop early is its context.
func (j *job) Execute(i int) error {
	f := j.Files.At(i)
	err := readFile(j.FS, f.Path, func(t Tally, chars *[256]int64) {
		j.Tallies.Set(i, t)
		for c, n := range t.cells() {
			j.ByExt[c].Add(f.Ext, n)
		}
		for b, n := range chars {
			if n != 0 {
				j.Chars.Add(b, n)
			}
		}
	})
	if err != nil {
		j.Errs.Set(i, err)
		j.ByExt[Unreadable].Add(f.Ext, 1)
		j.Unreadable.Inc()
	}
	j.Done.Add(1)
	return nil
}

// Parallel counts the files of the tree in a parallel loop and adds each finished one to done. When
// ctx ends it returns the cause. The result does not depend on the options.
func Parallel(ctx context.Context, t *Tree, done *atomic.Int64, opts ...parallelfor.Option) (*Result, error) {
	n := len(t.Files)
	var (
		files      = array.Of(t.Files, safety.Named("files"))
		tallies    = array.New[Tally](n, safety.Named("tallies"))
		errs       = array.New[error](n, safety.Named("errors"))
		chars      = counter.NewHistogram(256, safety.Named("chars"))
		unreadable = counter.New(safety.Named("unreadable"))
		byExt      [columns]*counter.Histogram
	)
	j := job{
		Files: files.Reader(), Tallies: tallies.Writer(), Errs: errs.Writer(),
		Chars: chars.ParallelWriter(), Unreadable: unreadable.ParallelWriter(),
		FS: t.FS, Done: done,
	}
	for c := range byExt {
		byExt[c] = counter.NewHistogram(max(len(t.Exts), 1), safety.Named(Column(c).String()))
		j.ByExt[c] = byExt[c].ParallelWriter()
	}

	if err := parallelfor.ForErr(ctx, n, j, (*job).Execute, append(opts, parallelfor.Name("count"))...); err != nil {
		return nil, err
	}

	r := &Result{Tallies: tallies.Slice(), Errs: errs.Slice(), Unreadable: unreadable.Value()}
	chars.Counts(r.Chars[:])
	for c := range byExt {
		r.ByExt[c] = byExt[c].Counts(nil)[:len(t.Exts)]
	}
	return r, nil
}
