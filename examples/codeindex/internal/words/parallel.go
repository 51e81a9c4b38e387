package words

import (
	"context"
	"io/fs"
	"sync/atomic"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/examples/codeindex/internal/index"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// job indexes the files of a batch. Its fields say all that it does: it reads the list of files, adds lines to
// identifiers, and writes what belongs to its own indices.
type job struct {
	Files  array.Reader[index.File]
	Lines  hashmap.MultiParallelWriter[string, Posting]
	Errs   array.Writer[error]
	Binary counter.ParallelWriter
	Bytes  counter.ParallelWriter
	From   int // which file of the tree is that of index 0

	FS   fs.FS         `custody:"unguarded"` // file systems may be used by any number of goroutines
	Done *atomic.Int64 `custody:"unguarded"` // no container: whoever watches reads it meanwhile
}

// ExecuteBatch indexes files one after the other, so that what an identifier's text costs is shared. A file that cannot
// be read is a result like any other, not a failure of the loop, so the error is always nil: what ends the loop early
// is its context.
func (j *job) ExecuteBatch(begin, end int) error {
	c := collectors.Get().(*collector)
	defer c.release()
	for i := begin; i < end; i++ {
		text, err := c.read(j.FS, j.Files.At(i).Path)
		switch {
		case err != nil:
			j.Errs.Set(i, err)
		case IsBinary(text):
			j.Binary.Inc()
		default:
			j.Bytes.Add(int64(len(text)))
			c.collect(j.From+i, text, j.Lines.Add)
		}
		j.Done.Add(1)
	}
	return nil
}

// stretch is how many files a loop indexes. The next loop adds behind what the ones before have added, and uses the memory
// again in which the multimap has grouped that.
const stretch = 1024

// Parallel indexes the tree in parallel loops and adds each finished file to done. When ctx ends it returns the cause.
// The index does not depend on the options.
func Parallel(ctx context.Context, t *index.Tree, done *atomic.Int64, opts ...parallelfor.Option) (*Index, error) {
	return parallel(ctx, t, done, stretch, opts)
}

func parallel(ctx context.Context, t *index.Tree, done *atomic.Int64, stretch int, opts []parallelfor.Option) (*Index, error) {
	var (
		errs   = make([]error, len(t.Files))
		lines  = hashmap.NewMulti[string, Posting](safety.Named("lines"))
		binary = counter.New(safety.Named("binary files"))
		bytes  = counter.New(safety.Named("bytes"))
	)
	for from := 0; from < len(t.Files); from += stretch {
		to := min(from+stretch, len(t.Files))
		files := array.Of(t.Files[from:to], safety.Named("files"))
		err := parallelfor.ForBatchErr(ctx, files.Len(), job{
			Files: files.Reader(), Lines: lines.ParallelWriter(),
			Errs:   array.Of(errs[from:to], safety.Named("errors")).Writer(),
			Binary: binary.ParallelWriter(), Bytes: bytes.ParallelWriter(),
			From: from, FS: t.FS, Done: done,
		}, (*job).ExecuteBatch, append(opts, parallelfor.Name("index"))...)
		if err != nil {
			return nil, err
		}
	}
	return &Index{Tree: t, Errs: errs, Binary: binary.Value(), Bytes: bytes.Value(), lines: grouped{lines}}, nil
}
