package parallelfor

import (
	"context"
	"math/bits"

	"example.com/custody/internal/origin"
)

// Filter returns the indices of [0, n) that keep holds for, in ascending order. keep is called once for each
// index, in parallel, with the worker's copy of views; otherwise it is [For]. To have the indices, or what
// belongs to them, in a container, see [FilterAppend].
//
// It needs a bit for each index while it runs, in words of 64 for each cell. The result is nil when a loop that it was to run [After]
// failed. A nil keep is a violation.
func Filter[V any](n int, views V, keep func(v *V, i int) bool, opts ...Option) []int {
	checkBody(keep == nil)
	return filter(n, &views, keep, opts)
}

// FilterErr is [Filter] for a keep that can fail, under a context; see [RunErr]. With an error the result is
// nil.
func FilterErr[V any](ctx context.Context, n int, views V, keep func(v *V, i int) (bool, error), opts ...Option) ([]int, error) {
	checkBody(keep == nil)
	return filterErr(ctx, n, &views, keep, opts)
}

// RunFilter is [Filter] for a struct job, whose Execute says which indices to keep.
func RunFilter[J any, P Predicate[J]](n int, job J, opts ...Option) []int {
	return filter(n, &job, predicateOf[J, P](), opts)
}

// RunFilterErr is [FilterErr] for a struct job.
func RunFilterErr[J any, P PredicateErr[J]](ctx context.Context, n int, job J, opts ...Option) ([]int, error) {
	return filterErr(ctx, n, &job, predicateErrOf[J, P](), opts)
}

func filter[J any](n int, job *J, keep func(job *J, i int) bool, opts []Option) []int {
	k := &masking[J]{mask: newMask(n, opts), keep: keep, form: "filter"}
	if build(context.Background(), n, job, k, false, opts, inCall).run() != nil {
		return nil
	}
	return k.indices(opts)
}

func filterErr[J any](ctx context.Context, n int, job *J, keep func(job *J, i int) (bool, error), opts []Option) ([]int, error) {
	k := &maskingErr[J]{mask: newMask(n, opts), keep: keep, form: "filter"}
	if err := build(ctx, n, job, k, false, opts, inCall).run(); err != nil {
		return nil, err
	}
	return k.indices(opts), nil
}

// listing is the views value of the loop that makes a list of a mask. It has no views.
type listing struct{}

// listAtLeast is how many indices are worth a cell of a loop that lists them.
const listAtLeast = 1 << 14

// indices lists the indices whose bits are set.
func (m *mask) indices(opts []Option) []int {
	at := m.starts()
	total := at[m.cells]
	list := make([]int, total)
	batch := m.cells
	if total > listAtLeast {
		batch = divUp(m.cells, divUp(total, listAtLeast))
	}
	ForBatch(m.cells, listing{}, func(_ *listing, begin, end int) {
		for c := begin; c < end; c++ {
			m.list(c, list[at[c]:at[c+1]])
		}
	}, crewOf(opts, Batch(batch))...)
	return list
}

// list lists the indices of one cell.
func (m *mask) list(cell int, list []int) {
	words, first := m.of(cell)
	k := 0
	for _, w := range words {
		for ; w != 0; w &= w - 1 {
			list[k] = first + bits.TrailingZeros64(w)
			k++
		}
		first += 64
	}
}

// IndexAppender is a view that indices can be added to, in the mode Append or any other in which what
// several cells add is put into the order of the loop.
type IndexAppender[A any] interface {
	*A
	Append(i int)
}

// FilterAppend appends to a container the indices of [0, n) that keep holds for, in ascending order. It is
// a [For] over views and to, whose body calls Append: when keep fails, what was appended is that of the
// sequential loop. keep is called with the worker's copy of views. In the texts of violations the job is
// called FilterAppend unless it has a [Name], and fields of views are in a field Views. A nil keep is a
// violation.
func FilterAppend[V, A any, P IndexAppender[A]](n int, views V, keep func(v *V, i int) bool, to A, opts ...Option) {
	checkBody(keep == nil)
	job := appending[V, A]{Views: views, To: to}
	_ = build(context.Background(), n, &job, appendKind[V, A, P]{keep}, false, named("FilterAppend", opts), inCall).run()
}

// FilterAppendErr is [FilterAppend] for a keep that can fail, under a context; see [RunErr].
func FilterAppendErr[V, A any, P IndexAppender[A]](ctx context.Context, n int, views V, keep func(v *V, i int) (bool, error), to A, opts ...Option) error {
	checkBody(keep == nil)
	job := appending[V, A]{Views: views, To: to}
	return build(ctx, n, &job, appendErrKind[V, A, P]{keep}, false, named("FilterAppend", opts), inCall).run()
}

// ScheduleFilterAppend starts what [FilterAppend] does and returns at once.
func ScheduleFilterAppend[V, A any, P IndexAppender[A]](n int, views V, keep func(v *V, i int) bool, to A, opts ...Option) Handle {
	checkBody(keep == nil)
	job := appending[V, A]{Views: views, To: to}
	return build(context.Background(), n, &job, appendKind[V, A, P]{keep}, false, named("FilterAppend", opts), handedOut).job.handOut()
}

// ScheduleFilterAppendErr starts what [FilterAppendErr] does and returns at once; [Handle.Err] has the error.
func ScheduleFilterAppendErr[V, A any, P IndexAppender[A]](ctx context.Context, n int, views V, keep func(v *V, i int) (bool, error), to A, opts ...Option) Handle {
	checkBody(keep == nil)
	job := appending[V, A]{Views: views, To: to}
	return build(ctx, n, &job, appendErrKind[V, A, P]{keep}, false, named("FilterAppend", opts), handedOut).job.handOut()
}

// named puts a name before the options, which may have another.
func named(name string, opts []Option) []Option {
	return append([]Option{Name(name)}, opts...)
}

// appending is the job of FilterAppend.
type appending[V, A any] struct {
	Views V
	To    A
}

type appendKind[V, A any, P IndexAppender[A]] struct{ keep func(v *V, i int) bool }

// Code implements origin.Coded.
func (k appendKind[V, A, P]) Code() uintptr { return origin.Code(k.keep) }

// Form implements origin.Coded.
func (appendKind[V, A, P]) Form() string { return "filter" }

// PerIndex implements Kind.
func (appendKind[V, A, P]) PerIndex() bool { return true }

// Loop implements Kind.
func (k appendKind[V, A, P]) Loop(job *appending[V, A], r *Cells) error {
	for r.Next() {
		for i, end := r.Begin(), r.End(); i < end; i++ {
			if k.keep(&job.Views, i) {
				P(&job.To).Append(i)
			}
		}
	}
	return nil
}

type appendErrKind[V, A any, P IndexAppender[A]] struct {
	keep func(v *V, i int) (bool, error)
}

// Code implements origin.Coded.
func (k appendErrKind[V, A, P]) Code() uintptr { return origin.Code(k.keep) }

// Form implements origin.Coded.
func (appendErrKind[V, A, P]) Form() string { return "filter" }

// PerIndex implements Kind.
func (appendErrKind[V, A, P]) PerIndex() bool { return true }

// Loop implements Kind.
func (k appendErrKind[V, A, P]) Loop(job *appending[V, A], r *Cells) error {
	for r.Next() {
		for i, end := r.Begin(), r.End(); i < end; i++ {
			yes, err := k.keep(&job.Views, i)
			if err != nil {
				return err
			}
			if yes {
				P(&job.To).Append(i)
			}
		}
	}
	return nil
}
