package parallelfor

import (
	"context"

	"example.com/custody/internal/origin"
)

// Scan computes prefixes: element i of the slice that out returns becomes the elements 0 to i of
// the slice that in returns, both included, joined by combine. Scan returns all n elements joined.
// combine must be associative, as far as the program cares, and need not be commutative: a is the
// stretch of elements below b.
//
// in and out return elements from the worker's copy of views: those of the batch, as the Slice of a
// Writer does, or all, as that of a Reader. They may be the same func, which scans in place. A
// method expression is enough for views that are one view:
//
//	parallelfor.Scan(n, a.Writer(), (*array.Writer[int]).Slice, (*array.Writer[int]).Slice, add)
//
// The loop runs twice, over the views both times: first each batch by itself, then the batches are
// joined, and each adds what is below it. The grid alone decides how: floats have the same bits for
// any number of workers and under [Sequential], though not those of the plain loop. It is twice the
// work of the plain loop, with 2n calls of combine: worth it when there are more than two workers,
// or combine is expensive. Within a batch bodies call combine, which may do what a body may.
//
// With n = 0 the total is the zero T. When combine panics, Scan panics as [For] would, or with the
// plain value if combine was joining batches on the caller; the elements of out are then
// unspecified. The total of a loop that did not run, because a loop that it was to run [After]
// failed, is the zero T. Fewer elements than indices are a violation, and so are nil funcs.
func Scan[V, T any](n int, views V, in, out func(v *V) []T, combine func(a, b T) T, opts ...Option) T {
	checkBody(in == nil || out == nil || combine == nil)
	t, _ := scan(context.Background(), n, &views, &scanning[V, T]{in: in, out: out, combine: combine}, opts)
	return t
}

// ScanExclusive is [Scan] with element i becoming first joined with the elements 0 to i-1 only; element 0
// becomes first. The total is first joined with all elements, for n = 0 it is first.
func ScanExclusive[V, T any](n int, views V, in, out func(v *V) []T, first T, combine func(a, b T) T, opts ...Option) T {
	checkBody(in == nil || out == nil || combine == nil)
	t, _ := scan(context.Background(), n, &views, &scanning[V, T]{in: in, out: out, combine: combine, exclusive: true, first: first}, opts)
	return t
}

// ScanFunc is [Scan] over what value returns for each index, for which it is called once.
func ScanFunc[V, T any](n int, views V, value func(v *V, i int) T, out func(v *V) []T, combine func(a, b T) T, opts ...Option) T {
	checkBody(value == nil || out == nil || combine == nil)
	t, _ := scan(context.Background(), n, &views, &scanning[V, T]{value: sure(value), code: origin.Code(value), out: out, combine: combine}, opts)
	return t
}

// ScanExclusiveFunc is [ScanExclusive] over what value returns for each index, for which it is called once.
// With lengths for values, it makes the offsets at which things of these lengths lie one after the other.
func ScanExclusiveFunc[V, T any](n int, views V, value func(v *V, i int) T, out func(v *V) []T, first T, combine func(a, b T) T, opts ...Option) T {
	checkBody(value == nil || out == nil || combine == nil)
	t, _ := scan(context.Background(), n, &views, &scanning[V, T]{value: sure(value), code: origin.Code(value), out: out, combine: combine, exclusive: true, first: first}, opts)
	return t
}

// ScanFuncErr is [ScanFunc] for values that can fail, under a context; see [RunErr]. With an error the total
// is the zero T, and what is in out is unspecified.
func ScanFuncErr[V, T any](ctx context.Context, n int, views V, value func(v *V, i int) (T, error), out func(v *V) []T, combine func(a, b T) T, opts ...Option) (T, error) {
	checkBody(value == nil || out == nil || combine == nil)
	return scan(ctx, n, &views, &scanning[V, T]{value: value, code: origin.Code(value), out: out, combine: combine}, opts)
}

// ScanExclusiveFuncErr is [ScanExclusiveFunc] for values that can fail, under a context; see [ScanFuncErr].
func ScanExclusiveFuncErr[V, T any](ctx context.Context, n int, views V, value func(v *V, i int) (T, error), out func(v *V) []T, first T, combine func(a, b T) T, opts ...Option) (T, error) {
	checkBody(value == nil || out == nil || combine == nil)
	return scan(ctx, n, &views, &scanning[V, T]{value: value, code: origin.Code(value), out: out, combine: combine, exclusive: true, first: first}, opts)
}

// sure makes a value that can fail of one that cannot.
func sure[V, T any](value func(v *V, i int) T) func(v *V, i int) (T, error) {
	return func(v *V, i int) (T, error) { return value(v, i), nil }
}

// scan runs both passes of a scan.
func scan[V, T any](ctx context.Context, n int, views *V, k *scanning[V, T], opts []Option) (total T, err error) {
	k.parts = placesOf[T](n, opts)
	if k.code == 0 {
		k.code = origin.Code(k.combine)
	}
	if err := build(ctx, n, views, k, false, opts, inCall).run(); err != nil {
		return total, err
	}
	total = k.below()
	if k.exclusive || len(k.parts) > 1 {
		err = build(ctx, n, views, (*shifting[V, T])(k), false, opts, inCall).run()
	}
	if err != nil {
		var none T
		return none, err
	}
	return total, nil
}

// scanning is the kind of the first pass: it leaves the prefixes of each cell by itself in out, and the
// value of the whole cell in parts. An exclusive scan leaves the place of the cell's first element as it is.
type scanning[V, T any] struct {
	in        func(v *V) []T
	value     func(v *V, i int) (T, error) // in place of in
	out       func(v *V) []T
	combine   func(a, b T) T
	first     T
	exclusive bool
	code      uintptr // of the function that the scan is named by
	parts     []T     // of the batches; between the passes, what is below each
}

// Code implements origin.Coded.
func (k *scanning[V, T]) Code() uintptr { return k.code }

// Form implements origin.Coded.
func (*scanning[V, T]) Form() string { return "scan" }

// PerIndex implements Kind.
func (*scanning[V, T]) PerIndex() bool { return false }

// Loop implements Kind.
func (k *scanning[V, T]) Loop(v *V, r *Cells) error {
	for r.Next() {
		begin, end := r.Begin(), r.End()
		dst := cellOf(k.out(v), begin, end)
		src := dst
		if k.value == nil {
			src = cellOf(k.in(v), begin, end)
		} else if err := k.load(v, begin, dst); err != nil {
			return err
		}
		k.parts[r.Cell()] = k.prefixes(dst, src)
	}
	return nil
}

// load fills dst with the values of the indices from begin on.
func (k *scanning[V, T]) load(v *V, begin int, dst []T) (err error) {
	for i := range dst {
		if dst[i], err = k.value(v, begin+i); err != nil {
			return err
		}
	}
	return nil
}

// prefixes scans one cell by itself and returns its value. dst and src may be the same.
func (k *scanning[V, T]) prefixes(dst, src []T) T {
	dst = dst[:len(src)]
	sum, combine := src[0], k.combine
	if k.exclusive {
		for i := 1; i < len(src); i++ {
			x := src[i]
			dst[i] = sum
			sum = combine(sum, x)
		}
		return sum
	}
	dst[0] = sum
	for i := 1; i < len(src); i++ {
		sum = combine(sum, src[i])
		dst[i] = sum
	}
	return sum
}

// below replaces the value of each cell by what is below it, and returns the total. What is below the
// first cell of an inclusive scan is nothing, which has no value.
func (k *scanning[V, T]) below() T {
	sum, cells := k.first, k.parts
	if !k.exclusive && len(cells) > 0 {
		sum, cells = cells[0], cells[1:]
	}
	for i, part := range cells {
		cells[i] = sum
		sum = k.combine(sum, part)
	}
	return sum
}

// shifting is the kind of the second pass: it joins what is below a cell with each of its prefixes.
type shifting[V, T any] scanning[V, T]

// Code implements origin.Coded.
func (k *shifting[V, T]) Code() uintptr { return k.code }

// Form implements origin.Coded.
func (*shifting[V, T]) Form() string { return "scan" }

// PerIndex implements Kind.
func (*shifting[V, T]) PerIndex() bool { return false }

// Loop implements Kind.
func (k *shifting[V, T]) Loop(v *V, r *Cells) error {
	combine := k.combine
	for r.Next() {
		if r.Cell() == 0 && !k.exclusive {
			continue
		}
		dst, sum := cellOf(k.out(v), r.Begin(), r.End()), k.parts[r.Cell()]
		if k.exclusive {
			dst[0] = sum
			dst = dst[1:]
		}
		for i := range dst {
			dst[i] = combine(sum, dst[i])
		}
	}
	return nil
}
