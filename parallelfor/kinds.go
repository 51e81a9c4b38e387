package parallelfor

import "example.com/custody/internal/origin"

// This file has the kinds of the loops that only call a body, and what other kinds have in common.

// about implements origin.Coded, and PerIndex of [Kind], for kinds that embed it.
type about struct {
	code uintptr // of the program's function
	form string
	fine bool // the indices of a batch are independent of each other
}

// Code implements origin.Coded.
func (a *about) Code() uintptr { return a.code }

// Form implements origin.Coded.
func (a *about) Form() string { return a.form }

// PerIndex implements [Kind].
func (a *about) PerIndex() bool { return a.fine }

// bodyOf is about for kinds that are nothing but a function: such a kind is one word, which becomes
// an interface without an allocation.
type bodyOf[F any] struct{ call F }

// calls returns what a kind embeds that calls f.
func calls[F any](f F) bodyOf[F] { return bodyOf[F]{f} }

// Code implements origin.Coded.
func (b bodyOf[F]) Code() uintptr { return origin.Code(b.call) }

// Form implements origin.Coded.
func (bodyOf[F]) Form() string { return "for" }

// PerIndex implements [Kind].
func (bodyOf[F]) PerIndex() bool { return false }

type (
	perIndex[J any]    struct{ bodyOf[func(j *J, i int)] }
	perIndexErr[J any] struct {
		bodyOf[func(j *J, i int) error]
	}
	perBatch[J any] struct {
		bodyOf[func(j *J, begin, end int)]
	}
	perBatchErr[J any] struct {
		bodyOf[func(j *J, begin, end int) error]
	}
	once[J any]    struct{ bodyOf[func(j *J)] }
	onceErr[J any] struct{ bodyOf[func(j *J) error] }
	indices        struct{ bodyOf[func(i int)] }
	indicesErr     struct{ bodyOf[func(i int) error] }
	ranges         struct{ bodyOf[func(begin, end int)] }
	rangesErr      struct {
		bodyOf[func(begin, end int) error]
	}
)

// PerIndex implements [Kind].
func (perIndex[J]) PerIndex() bool { return true }

// Loop implements [Kind].
func (k perIndex[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			k.call(j, i)
		}
	}
	return nil
}

// PerIndex implements [Kind].
func (perIndexErr[J]) PerIndex() bool { return true }

// Loop implements [Kind].
func (k perIndexErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			if err := k.call(j, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Loop implements [Kind].
func (k perBatch[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		k.call(j, r.begin, r.end)
	}
	return nil
}

// Loop implements [Kind].
func (k perBatchErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		if err := k.call(j, r.begin, r.end); err != nil {
			return err
		}
	}
	return nil
}

// Form implements origin.Coded.
func (once[J]) Form() string { return "do" }

// Loop implements [Kind].
func (k once[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		k.call(j)
	}
	return nil
}

// Form implements origin.Coded.
func (onceErr[J]) Form() string { return "do" }

// Loop implements [Kind].
func (k onceErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		if err := k.call(j); err != nil {
			return err
		}
	}
	return nil
}

// PerIndex implements [Kind].
func (indices) PerIndex() bool { return true }

// Loop implements [Kind].
func (k indices) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			k.call(i)
		}
	}
	return nil
}

// PerIndex implements [Kind].
func (indicesErr) PerIndex() bool { return true }

// Loop implements [Kind].
func (k indicesErr) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			if err := k.call(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Loop implements [Kind].
func (k ranges) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		k.call(r.begin, r.end)
	}
	return nil
}

// Loop implements [Kind].
func (k rangesErr) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		if err := k.call(r.begin, r.end); err != nil {
			return err
		}
	}
	return nil
}
