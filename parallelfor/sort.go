package parallelfor

import (
	"context"
	"reflect"
	"runtime"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// Sort sorts what slice returns from views, the Slice of a Writer, in ascending order by compare.
// compare returns a negative number if a comes before b, a positive one if b comes before a, and 0
// if the order is open. Sort is slices.SortStableFunc on several workers: the job holds the
// containers that views claim. Within it segments are sorted, and merged in pairs until there is
// one. Elements for which compare returns 0 stay in the order that they were in.
//
// compare must be a strict weak ordering, as for slices.SortFunc: with floats use cmp.Compare,
// which puts NaNs first. With another compare the order is unspecified, and still each element is
// there once. Bodies of the job call compare, from several goroutines at a time, and compare may do
// what a body may. When it panics, Sort panics as [For] would, and some elements may be lost while
// others are there twice.
//
// [Batch] is the length of a segment. Sort needs memory for as many elements again, and 16 bytes
// for each if a sample of 2000 or more has few kinds, which the worker keeps until the next garbage
// collection. Sorting n elements costs n log n comparisons, or a few for each if all are in order
// or 2000 or more have up to 16 kinds. [SortByKey] is faster, if an integer tells the order. Sort
// is SortByKey, and compares nothing, for a slice of int, int32, int64, uint32 or uint64 whose
// compare is [cmp.Compare] itself. Views that only read are a violation, and so is a nil slice or
// compare.
func Sort[V, T any](views V, slice func(v *V) []T, compare func(a, b T) int, opts ...Option) {
	sortBy("Sort", &views, slice, compare, opts)
}

// SortSlice sorts a plain slice as slices.SortStableFunc does, on several workers. Nothing else may
// touch the slice until SortSlice returns. See [Sort] for order, cost and panics, and [Indices] for
// what builds with -race report.
func SortSlice[T any](s []T, compare func(a, b T) int, opts ...Option) {
	sortBy("SortSlice", &struct{}{}, func(*struct{}) []T { return s }, compare, opts)
}

func sortBy[V, T any](of string, views *V, slice func(v *V) []T, compare func(a, b T) int, opts []Option) {
	checkFunction(of, "slice", slice == nil)
	checkFunction(of, "compare", compare == nil)
	k := &sorting[V, T]{slice, compare, opts}
	_ = build(context.Background(), 1, views, k, about{origin.Code(compare), "sort", jobUnit}, opts, called, 0).run()
}

// checkFunction panics with a violation if a function that is not the body is missing.
func checkFunction(of, function string, missing bool) {
	if missing {
		panic(safety.NewViolation(safety.ErrArgument, of+" was given a nil function as "+function, "Give it one."))
	}
}

// sorting is the kind of a sort: a single job that runs loops over what it holds.
type sorting[V, T any] struct {
	slice   func(v *V) []T
	compare func(a, b T) int
	opts    []Option
}

// Loop implements [Kind].
func (k *sorting[V, T]) Loop(v *V, r *Batches) error {
	for r.Next() {
		r.mayMove()
		s := k.slice(v)
		if most := amount.Most[T](); len(s) > most {
			panic(amount.Unowned("a sort was given", len(s), 0, most, "element"))
		}
		if len(s) <= amount.Most[sortKey]()/2 && (isCompare(k.compare) && byValue(s, r, k.opts) || k.byKind(s, r)) {
			continue
		}
		g := segments(len(s), k.opts)
		temp, _ := scratchOf[T](&r.state, len(s))
		t := sorter[T]{grid: g, compare: k.compare, from: s, to: temp, crew: r.crew(k.opts, g.size)}
		t.sort()
	}
	return nil
}

// byKind sorts elements of few kinds by the number of their kind, and reports whether it has. It
// moves none if a sample has many kinds, or lacks one.
func (k *sorting[V, T]) byKind(s []T, r *Batches) bool {
	kinds := kindsOf(s, k.compare)
	if kinds == nil {
		return false
	}
	var others atom.HiddenUint32 // 1 once a worker has found another kind
	known := func() bool { return others.Load() == 0 }
	radixSort(&elements[T, uint8]{s: s, state: &r.state, key: func(e T) uint8 {
		if known() {
			at, found := kindOf(kinds, e, k.compare)
			if found {
				return uint8(at)
			}
			others.Store(1)
		}
		return 0
	}}, len(s), r, k.opts, known)
	return known()
}

// isCompare reports whether a function is [cmp.Compare].
func isCompare(f any) bool {
	return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() == "cmp.Compare[...]"
}

// byValue sorts integers by themselves, and reports whether s is a slice of such.
func byValue(s any, r *Batches, opts []Option) bool {
	switch s := s.(type) {
	case []int:
		byThemselves(s, r, opts)
	case []int32:
		byThemselves(s, r, opts)
	case []int64:
		byThemselves(s, r, opts)
	case []uint32:
		byThemselves(s, r, opts)
	case []uint64:
		byThemselves(s, r, opts)
	default:
		return false
	}
	return true
}

// byThemselves sorts integers, each of which is its own key. Equal ones cannot be told apart.
func byThemselves[K integer](s []K, r *Batches, opts []Option) {
	radixSort(&elements[K, K]{s: s, key: func(v K) K { return v }, state: &r.state}, len(s), r, opts, nil)
}

// mayMove panics with a violation if the job has views, and all of them only read.
func (r *Batches) mayMove() {
	w := workerOf(r).work
	writes, n := false, len(w.bindings.views)
	for i := range n {
		writes = writes || w.ticket.Claimed(i).Mode != safety.Read
	}
	if n > 0 && !writes {
		g := w.ticket.Claimed(0).Guard
		panic(g.Violation(safety.ErrArgument, "elements were to be moved by a job that only reads "+g.Container(), "Pass the Slice of a Writer()."))
	}
}

// crew returns the options of a loop that is a part of the job, with batches of so many indices.
//
//go:noinline
func (r *Batches) crew(opts []Option, batch int) []Option {
	return crewOf(opts, Batch(batch), Name(workerOf(r).job.name))
}

// Without [Batch], a sort has up to sortSegments segments. If there are more than two, each has at
// least sortAtLeast elements.
const (
	sortSegments = 64
	sortAtLeast  = 1024
)

// segments returns how a sort cuts n elements. That depends on n and the option Batch alone.
func segments(n int, opts []Option) grid {
	batch := sizeOf(opts)
	if batch == 0 {
		batch = max(divUp(n, sortSegments), min(divUp(n, 2), sortAtLeast), 1)
	}
	return newGrid(n, batch)
}

// sorter sorts one slice, which the job around its loops holds. Elements move between the slice and
// temporary memory of the same length. Each batch of its loops makes one segment. The first loop
// sorts each segment by itself. Each later loop merges runs in pairs, and a segment is then a part
// of a merged run. So the merge of the last two runs is as parallel as the first one.
type sorter[T any] struct {
	grid
	compare  func(a, b T) int
	from, to []T
	cuts     []int // for each segment of a merged run: how many elements of the first run lie below it
	crew     []Option
}

func (t *sorter[T]) sort() {
	odd := passes(t.batches, 1)%2 != 0
	Ranges(t.n, func(begin, end int) { t.segment(begin, end, odd) }, t.crew...)
	if t.inOrder() {
		return
	}
	if odd {
		t.from, t.to = t.to, t.from
	}
	t.cuts = make([]int, t.batches+1)
	for width := 1; width < t.batches; width *= 2 {
		t.cut(width)
		Ranges(t.n, func(begin, end int) { t.merge(begin, end, width) }, t.crew...)
		t.from, t.to = t.to, t.from
	}
}

// segment sorts one segment of from. With over set, it copies the result to to.
func (t *sorter[T]) segment(begin, end int, over bool) {
	s, temp := t.from[begin:end], t.to[begin:end]
	sortSegment(s, temp, t.compare)
	if over {
		copy(temp, s)
	}
}

// inOrder reports whether the sorted segments of from are in order.
func (t *sorter[T]) inOrder() bool {
	for c := 1; c < t.batches; c++ {
		if at := c * t.size; t.compare(t.from[at-1], t.from[at]) > 0 {
			return false
		}
	}
	return true
}

// pair returns the two runs of width segments whose merge has segment c, and begin of the first.
func (t *sorter[T]) pair(c, width int) (a, b []T, begin int) {
	first := c / (2 * width) * (2 * width)
	begin = first * t.size
	mid := min((first+width)*t.size, t.n)
	end := min((first+2*width)*t.size, t.n)
	return t.from[begin:mid], t.from[mid:end], begin
}

// cut sets cuts for all pairs of runs of width segments. It searches for a cut only where the
// segment below gets as many elements as it has room for. So the segments have each element once,
// whatever compare returns.
func (t *sorter[T]) cut(width int) {
	below := 0
	for c := range t.batches {
		a, b, begin := t.pair(c, width)
		d := c*t.size - begin
		if d == 0 {
			below = 0
		} else {
			below = split(a, b, d, max(below, d-len(b)), min(below+t.size, len(a), d), t.compare)
		}
		t.cuts[c] = below
	}
}

// merge makes the segment [begin, end) of the merged runs.
func (t *sorter[T]) merge(begin, end, width int) {
	c := begin / t.size
	a, b, first := t.pair(c, width)
	i, k := t.cuts[c], len(a)
	if end-first < len(a)+len(b) {
		k = t.cuts[c+1]
	}
	merge(t.to[begin:end], t.from, first+i, first+k, len(a)+begin-i, len(a)+end-k, t.compare)
}
