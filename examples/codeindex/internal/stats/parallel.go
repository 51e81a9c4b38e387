package stats

import (
	"context"
	"io/fs"
	"sync/atomic"

	"example.com/custody/array"
	"example.com/custody/examples/codeindex/internal/index"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// job looks at the files of a batch. Its fields say all that it does: it reads the list of files, writes what belongs to its own indices,
// and merges the counts of identifiers into what the others have merged.
type job struct {
	Files array.Reader[index.File]
	Facts array.Writer[Facts]
	Errs  array.Writer[error]
	Names hashmap.ParallelMerger[string, Use]

	FS   fs.FS         `custody:"unguarded"` // file systems may be used by any number of goroutines
	Done *atomic.Int64 `custody:"unguarded"` // no container: whoever watches reads it meanwhile
}

// ExecuteBatch looks at files one after the other and merges what it has counted at the end: there are fewer identifiers than places where
// they stand. A file that cannot be read is a result like any other, not a failure of the loop, so the error is always nil: what ends
// the loop early is its context.
func (j *job) ExecuteBatch(begin, end int) error {
	g := gatherers.Get().(*gatherer)
	defer g.release()
	for i := begin; i < end; i++ {
		f, err := g.file(i, j.FS, j.Files.At(i).Path)
		if err != nil {
			j.Errs.Set(i, err)
		} else {
			j.Facts.Set(i, f)
		}
		j.Done.Add(1)
	}
	for _, n := range g.names {
		j.Names.Merge(n.Text, n.Use)
	}
	return nil
}

// known is what the folds over all files read.
type known struct {
	Facts array.Reader[Facts]
	Errs  array.Reader[error]
}

// Parallel looks at all files of the tree in a parallel loop, and adds each finished one to done. top is how long the lists are; 0 is all.
// When ctx ends it returns the cause. The result does not depend on the options.
func Parallel(ctx context.Context, t *index.Tree, top int, done *atomic.Int64, opts ...parallelfor.Option) (*Result, error) {
	n := len(t.Files)
	var (
		files = array.Of(t.Files, safety.Named("files"))
		facts = array.New[Facts](n, safety.Named("facts"))
		errs  = array.New[error](n, safety.Named("errors"))
		names = hashmap.New[string, Use](safety.Named("names"))
	)
	err := parallelfor.ForBatchErr(ctx, n, job{
		Files: files.Reader(), Facts: facts.Writer(), Errs: errs.Writer(), Names: names.ParallelMerger(Use.plus), FS: t.FS, Done: done,
	}, (*job).ExecuteBatch, append(opts, parallelfor.Name("look"))...)
	if err != nil {
		return nil, err
	}
	r := &Result{Tree: t, Files: facts.Slice(), Errs: errs.Slice(), Names: make([]Name, 0, names.Len())}
	for text, use := range names.All() {
		r.Names = append(r.Names, Name{text, use})
	}
	list := array.Of(r.Names, safety.Named("names in order"))
	all := known{facts.Reader(), errs.Reader()}
	r.Total = parallelfor.Reduce(n, all, total, Total.plus, append(opts, parallelfor.Name("total"))...)
	r.Largest = parallelfor.Reduce(n, all, func(v *known, begin, end int) (list []int) {
		for i := begin; i < end; i++ {
			if v.Errs.At(i) == nil {
				list = append(list, i)
			}
		}
		return first(list, top, larger(v.Facts.Slice()))
	}, func(a, b []int) []int { return first(append(a, b...), top, larger(r.Files)) }, append(opts, parallelfor.Name("largest"))...)
	r.Frequent = parallelfor.Reduce(list.Len(), list.Reader(), func(v *array.Reader[Name], begin, end int) []Name {
		return first(append([]Name(nil), v.Slice()[begin:end]...), top, moreOften)
	}, func(a, b []Name) []Name { return first(append(a, b...), top, moreOften) }, append(opts, parallelfor.Name("most frequent"))...)
	return r, nil
}

// total adds up a batch's files.
func total(v *known, begin, end int) (sum Total) {
	for i := begin; i < end; i++ {
		sum = sum.plus(of(i, v.Facts.At(i), v.Errs.At(i) != nil))
	}
	return sum
}
