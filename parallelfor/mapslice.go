package parallelfor

import (
	"context"
	"errors"
	"slices"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/origin"
)

// MapSlice calls f for every element of in, in parallel, and returns the results: element i of the
// result is f(in[i]). Nothing may write in meanwhile; see [Indices] for what f may touch. The
// result has the length of in and is not nil, unless a loop that it was to run [After] failed. A
// nil f is a violation, and so is a result longer than memory can hold.
func MapSlice[A, B any](in []A, f func(a A) B, opts ...Option) []B {
	fallible := func(a A) (B, error) { return f(a), nil }
	out, _ := mapSlice(context.Background(), &mapping[A, B]{about: about{origin.Code(f), "map", indexUnit}, f: fallible, in: in}, opts)
	return out
}

// MapSliceErr is [MapSlice] for an f that can fail, under a context. It returns nil and the error
// of the lowest index that fails, as the sequential loop would, and f is then not called for every
// element; see [ForErr]. With [JoinErrors] f is called for every element.
func MapSliceErr[A, B any](ctx context.Context, in []A, f func(a A) (B, error), opts ...Option) ([]B, error) {
	k := &mapping[A, B]{about: about{origin.Code(f), "map", indexUnit}, f: f, in: in}
	if last(opts, optJoinErrors) != nil {
		k.failed = make([]error, len(in))
		opts = slices.DeleteFunc(slices.Clone(opts), func(o Option) bool { return o.what == optJoinErrors })
	}
	return mapSlice(ctx, k, opts)
}

// JoinErrors makes [MapSliceErr] call its function for every element, although some return errors.
// It then returns all results, as the function returned them, and the errors of all indices in
// their order, joined by errors.Join. A panic ends the loop as in [For]. If the context ends, or a
// loop that it was to run [After] failed, it returns nil and that error alone. It allocates one
// error for each element. In other loops the option is a violation.
func JoinErrors() Option { return Option{what: optJoinErrors} }

func mapSlice[A, B any](ctx context.Context, k *mapping[A, B], opts []Option) ([]B, error) {
	checkBody(k.about.code == 0)
	if most := amount.Most[B](); len(k.in) > most {
		panic(amount.Unowned("the result of a MapSlice was to have", len(k.in), 0, most, "element").In(givenName(opts), ""))
	}
	k.out = make([]B, len(k.in))
	if err := build(ctx, len(k.in), &struct{}{}, k, k.about, opts, called, 0).run(); err != nil {
		return nil, err
	}
	return k.out, errors.Join(k.failed...)
}

// mapping is the kind of a MapSlice.
type mapping[A, B any] struct {
	about  about
	f      func(a A) (B, error)
	in     []A
	out    []B
	failed []error // with JoinErrors, of each index; otherwise nil
}

// Loop implements [Kind].
func (k *mapping[A, B]) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		for i, end := r.Begin(), r.End(); i < end; i++ {
			b, err := k.f(k.in[i])
			k.out[i] = b
			switch {
			case err == nil:
			case k.failed == nil:
				return err
			default:
				k.failed[i] = err
			}
		}
	}
	return nil
}
