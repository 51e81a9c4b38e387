package parallelfor

import (
	"context"

	"example.com/custody/internal/origin"
)

// Each calls body(v, i, &slice[i]) for every element of slice, in parallel: it is a [For] over a slice that
// no container has. Element i belongs to index i alone while the loop runs; that the slice is not touched
// otherwise meanwhile, is not the same as another's, and that bodies leave each other's elements alone is
// the program's promise, which only builds with -race look at. To have it kept in every build, adopt the
// slice: array.Of(slice), and a view of that. A nil body is a violation.
func Each[T, V any](slice []T, views V, body func(v *V, i int, element *T), opts ...Option) {
	checkBody(body == nil)
	_ = build(context.Background(), len(slice), &views, &eachFunc[T, V]{slice, body}, false, opts, inCall).run()
}

// EachErr is [Each] for bodies that can fail, under a context; see [RunErr].
func EachErr[T, V any](ctx context.Context, slice []T, views V, body func(v *V, i int, element *T) error, opts ...Option) error {
	checkBody(body == nil)
	return build(ctx, len(slice), &views, &eachErrFunc[T, V]{slice, body}, false, opts, inCall).run()
}

type eachFunc[T, V any] struct {
	slice []T
	body  func(v *V, i int, element *T)
}

// Code implements origin.Coded.
func (k *eachFunc[T, V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (*eachFunc[T, V]) Form() string { return "each" }

// PerIndex implements Kind.
func (*eachFunc[T, V]) PerIndex() bool { return true }

// Loop implements Kind.
func (k *eachFunc[T, V]) Loop(v *V, r *Cells) error {
	for r.Next() {
		begin, s := r.Begin(), k.slice[r.Begin():r.End()]
		for i := range s {
			k.body(v, begin+i, &s[i])
		}
	}
	return nil
}

type eachErrFunc[T, V any] struct {
	slice []T
	body  func(v *V, i int, element *T) error
}

// Code implements origin.Coded.
func (k *eachErrFunc[T, V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (*eachErrFunc[T, V]) Form() string { return "each" }

// PerIndex implements Kind.
func (*eachErrFunc[T, V]) PerIndex() bool { return true }

// Loop implements Kind.
func (k *eachErrFunc[T, V]) Loop(v *V, r *Cells) error {
	for r.Next() {
		begin, s := r.Begin(), k.slice[r.Begin():r.End()]
		for i := range s {
			if err := k.body(v, begin+i, &s[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
