package parallelfor

import (
	"context"
	"reflect"
	"strconv"

	"example.com/custody/internal/origin"
)

// Scan computes prefixes: element i of the slice that out returns becomes the values of the indices
// 0 to i, both included, joined by combine. Scan returns the values of all n indices joined. value
// is called once for each index. combine must be associative, as far as the program cares, and need
// not be commutative: a is the value of the indices just below those of b.
//
// j points to the worker's copy of job, as in [For]. out returns the elements of the batch, as the
// Slice of a Writer does, or all n elements of a slice of the program's own. If value reads element
// i of the same Writer, the scan is in place. Method expressions are enough for a job that is one
// view:
//
//	parallelfor.Scan(n, a.Writer(), (*array.Writer[int]).At, (*array.Writer[int]).Slice, add)
//
// To compute offsets, at which things of given lengths lie one after the other, scan n+1 indices:
// the value of index 0 is 0, and that of index i is the length of thing i-1.
//
// The loop runs twice, with the job's views both times: first each batch by itself, then the
// batches are joined, and each adds what is below it. The grid alone decides how: floats have the
// same bits for any number of workers and under [Sequential], though not those of the plain loop.
// It is twice the work of the plain loop, with 2n calls of combine: worth it when there are more
// than two workers, or combine is expensive. Within a batch bodies call combine, which may do what
// a body may.
//
// With n = 0 the total is the zero T. When combine panics, Scan panics as [For] would, or with the
// plain value if combine was joining batches on the caller; the elements of out are then
// unspecified. The total of a loop that did not run, because a loop that it was to run [After]
// failed, is the zero T. Fewer elements than indices are a violation, and so are nil functions, and
// an out that returns the same elements for two batches.
func Scan[J, T any](n int, job J, value func(j *J, i int) T, out func(j *J) []T, combine func(a, b T) T, opts ...Option) T {
	fallible := func(j *J, i int) (T, error) { return value(j, i), nil }
	t, _ := scan(context.Background(), n, &job, &scanning[J, T]{about: about{origin.Code(value), "scan", batchUnit}, value: fallible, out: out, combine: combine}, opts)
	return t
}

// ScanErr is [Scan] for values that can fail, under a context; see [ForErr]. With an error the
// total is the zero T, and the elements of out are unspecified.
func ScanErr[J, T any](ctx context.Context, n int, job J, value func(j *J, i int) (T, error), out func(j *J) []T, combine func(a, b T) T, opts ...Option) (T, error) {
	return scan(ctx, n, &job, &scanning[J, T]{about: about{origin.Code(value), "scan", batchUnit}, value: value, out: out, combine: combine}, opts)
}

// scan runs both passes of a scan.
func scan[J, T any](ctx context.Context, n int, job *J, k *scanning[J, T], opts []Option) (total T, err error) {
	checkBody(k.about.code == 0)
	checkFunction("Scan", "out", k.out == nil)
	checkFunction("Scan", "combine", k.combine == nil)
	k.parts = placesOf[T](n, opts)
	if err := build(ctx, n, job, k, k.about, opts, called, 0).run(); err != nil || len(k.parts) == 0 {
		return total, err
	}
	k.checkHeads(n, opts)
	sum := k.below()
	if len(k.parts) > 1 {
		if err := build(ctx, n, job, (*shifting[J, T])(k), k.about, opts, called, 0).run(); err != nil {
			return total, err
		}
	}
	return sum, nil
}

// scanning is the kind of the first pass: it leaves the prefixes of each batch by itself in out,
// and the value of the whole batch in parts.
type scanning[J, T any] struct {
	about   about
	value   func(j *J, i int) (T, error)
	out     func(j *J) []T
	combine func(a, b T) T
	parts   []T   // the value of each batch; between the passes, of all batches below it
	heads   [2]*T // the first elements of batches 0 and 1, each written by the worker of its batch
}

// Loop implements [Kind].
func (k *scanning[J, T]) Loop(j *J, r *Batches) error {
	for r.Next() {
		begin, end := r.Begin(), r.End()
		dst := batchOf(k.out, j, begin, end)
		sum, err := k.value(j, begin)
		if err != nil {
			return err
		}
		dst[0] = sum
		for i := 1; i < len(dst); i++ {
			x, err := k.value(j, begin+i)
			if err != nil {
				return err
			}
			sum = k.combine(sum, x)
			dst[i] = sum
		}
		k.parts[r.Batch()] = sum
		if r.Batch() < len(k.heads) {
			k.heads[r.Batch()] = &dst[0]
		}
	}
	return nil
}

// checkHeads panics if out returned the same elements for batches 0 and 1: those of one batch, for
// all batches. Elements without a size may all have one address.
func (k *scanning[J, T]) checkHeads(n int, opts []Option) {
	if k.heads[1] == nil || k.heads[0] != k.heads[1] || reflect.TypeFor[T]().Size() == 0 {
		return
	}
	size := gridOf(n, opts).size
	s := strconv.Itoa(size)
	panic(misgiven(origin.Code(k.out), "the same "+s+" for the indices 0 <= i < "+s+" and from "+s+" on", size).In(givenName(opts), ""))
}

// below replaces each batch's value, except that of batch 0, by that of all batches below the
// batch. It returns the total.
func (k *scanning[J, T]) below() T {
	sum := k.parts[0]
	for i, part := range k.parts[1:] {
		k.parts[i+1] = sum
		sum = k.combine(sum, part)
	}
	return sum
}

// shifting is the kind of the second pass. It joins the value below a batch with each prefix in it.
type shifting[J, T any] scanning[J, T]

// Loop implements [Kind].
func (k *shifting[J, T]) Loop(j *J, r *Batches) error {
	for r.Next() {
		if r.Batch() == 0 {
			continue
		}
		dst, sum := batchOf(k.out, j, r.Begin(), r.End()), k.parts[r.Batch()]
		for i := range dst {
			dst[i] = k.combine(sum, dst[i])
		}
	}
	return nil
}
