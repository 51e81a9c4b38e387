package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"text/tabwriter"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// posting is a line in which an identifier occurs, once or several times: the index of the file in
// the tree, and in the lower 32 bits the number of the line, from 1 on.
type posting uint64

func at(file int, line int32) posting { return posting(file)<<32 | posting(line) }

func (p posting) file() int   { return int(p >> 32) }
func (p posting) line() int32 { return int32(p) }

// index has the lines of each identifier. The multimap has the identifiers, and the lines of each,
// in the order of the sequential loop. Files that are binary or cannot be read are not in it.
type index struct {
	tree          *tree
	lines         *hashmap.MultiMap[string, posting]
	errs          []error // by file
	binary, bytes int64   // binary files, and bytes of the others
}

// indexing adds the lines of a batch of files to their identifiers.
type indexing struct {
	Files         array.Reader[file]
	Lines         hashmap.MultiParallelWriter[string, posting]
	Errs          array.Writer[error]
	Binary, Bytes counter.ParallelWriter
	From          int // the file with index 0

	FS fs.FS `custody:"unguarded"`
}

// ExecuteBatch makes one string of each identifier of the batch.
func (j *indexing) ExecuteBatch(begin, end int) error {
	known := newNames()
	for i := begin; i < end; i++ {
		withText(j.FS, j.Files.At(i).path, func(text []byte, err error) {
			switch {
			case err != nil:
				j.Errs.Set(i, err)
			case isBinary(text):
				j.Binary.Inc()
			default:
				j.Bytes.Add(int64(len(text)))
				known.collect(j.From+i, text, func(k int, at posting) { j.Lines.Add(known.list[k].text, at) })
			}
		})
	}
	return nil
}

// collect calls add with the number of each identifier of a text and each line that has it, once.
func (n *names) collect(file int, text []byte, add func(k int, at posting)) {
	identifiers(text, func(word []byte, line int32) {
		here := at(file, line)
		if k := n.number(word); n.list[k].last != here {
			n.list[k].last = here
			add(k, here)
		}
	})
}

// stretch is how many files a loop indexes. A posting takes about 60 bytes until the loop ends and
// the multimap groups it, 8 bytes from then on.
const stretch = 1024

// makeIndex indexes the files of a tree. It returns the cause when ctx ends.
func makeIndex(ctx context.Context, t *tree, opts ...parallelfor.Option) (*index, error) {
	x := &index{tree: t, lines: hashmap.NewMulti[string, posting](safety.Named("lines")), errs: make([]error, len(t.files))}
	binary, bytes := counter.New(safety.Named("binary")), counter.New(safety.Named("bytes"))
	for from := 0; from < len(t.files); from += stretch {
		to := min(from+stretch, len(t.files))
		err := parallelfor.ForBatchErr(ctx, to-from, indexing{
			Files:  array.Of(t.files[from:to], safety.Named("files")).Reader(),
			Lines:  x.lines.ParallelWriter(),
			Errs:   array.Of(x.errs[from:to], safety.Named("errors")).Writer(),
			Binary: binary.ParallelWriter(),
			Bytes:  bytes.ParallelWriter(),
			From:   from,
			FS:     t.fsys,
		}, (*indexing).ExecuteBatch, append(opts, parallelfor.Name("index"))...)
		if err != nil {
			return nil, err
		}
	}
	x.binary, x.bytes = binary.Value(), bytes.Value()
	return x, nil
}

// plainIndex is what the sequential loop makes, with Go's map.
type plainIndex struct {
	*names
	lines [][]posting // by number of the identifier
}

func indexPlainly(ctx context.Context, t *tree) (*plainIndex, error) {
	x := &plainIndex{names: newNames()}
	return x, t.each(ctx, func(i int, text []byte, err error) {
		if err != nil || isBinary(text) {
			return
		}
		x.collect(i, text, func(k int, at posting) {
			if k == len(x.lines) {
				x.lines = append(x.lines, nil)
			}
			x.lines[k] = append(x.lines[k], at)
		})
	})
}

// same reports whether two indexes are equal, in the order of the identifiers too.
func (x *index) same(plain *plainIndex) bool {
	k := 0
	for name, lines := range x.lines.Groups() {
		if k == len(plain.list) || name != plain.list[k].text || !slices.Equal(lines, plain.lines[k]) {
			return false
		}
		k++
	}
	return k == len(plain.list)
}

// frequent returns the n identifiers with most lines. Each batch finds its own, and a Reduce joins
// neighbouring lists.
func (x *index) frequent(n int) []name {
	return parallelfor.Reduce(x.lines.LenKeys(), x.lines.Reader(),
		func(r *hashmap.MultiReader[string, posting], begin, end int) (list []name) {
			for i := begin; i < end; i++ {
				text, lines := r.At(i)
				list = append(list, name{text: text, use: use{times: int64(len(lines))}})
			}
			return first(list, n, moreFrequent)
		},
		func(a, b []name) []name { return first(append(a, b...), n, moreFrequent) })
}

// first returns the first n of a list in order, or all with n 0.
func first[T any](list []T, n int, order func(a, b T) int) []T {
	slices.SortFunc(list, order)
	if n > 0 && n < len(list) {
		return slices.Clone(list[:n])
	}
	return list
}

// writeWords writes the identifiers with most lines.
func (x *index) writeWords(w io.Writer, top int) error {
	fmt.Fprintf(w, "%s: %s identifiers with %s postings; left out: %d binary files\n\n", x.tree.name,
		grouped(int64(x.lines.LenKeys())), grouped(int64(x.lines.Len())), x.binary)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "lines\t  identifier\n")
	for _, f := range x.frequent(top) {
		fmt.Fprintf(tw, "%s\t  %s\n", grouped(f.use.times), f.text)
	}
	return tw.Flush()
}
