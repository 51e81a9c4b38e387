package parallelfor

import "example.com/custody/internal/origin"

// This file has the kinds of the loops that only call a body. Each is the body itself, under a name
// that has the methods of [Kind] and origin.Coded: a func becomes an interface without an
// allocation.

type (
	perIndex[J any]    func(j *J, i int)
	perIndexErr[J any] func(j *J, i int) error
	perBatch[J any]    func(j *J, begin, end int)
	perBatchErr[J any] func(j *J, begin, end int) error
	once[J any]        func(j *J)
	onceErr[J any]     func(j *J) error
	indices            func(i int)
	indicesErr         func(i int) error
	ranges             func(begin, end int)
	rangesErr          func(begin, end int) error
)

func (k perIndex[J]) Code() uintptr { return origin.Code(k) }
func (perIndex[J]) Form() string    { return "for" }
func (perIndex[J]) PerIndex() bool  { return true }

func (k perIndex[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			k(j, i)
		}
	}
	return nil
}

func (k perIndexErr[J]) Code() uintptr { return origin.Code(k) }
func (perIndexErr[J]) Form() string    { return "for" }
func (perIndexErr[J]) PerIndex() bool  { return true }

func (k perIndexErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			if err := k(j, i); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k perBatch[J]) Code() uintptr { return origin.Code(k) }
func (perBatch[J]) Form() string    { return "for" }
func (perBatch[J]) PerIndex() bool  { return false }

func (k perBatch[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		k(j, r.begin, r.end)
	}
	return nil
}

func (k perBatchErr[J]) Code() uintptr { return origin.Code(k) }
func (perBatchErr[J]) Form() string    { return "for" }
func (perBatchErr[J]) PerIndex() bool  { return false }

func (k perBatchErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		if err := k(j, r.begin, r.end); err != nil {
			return err
		}
	}
	return nil
}

func (k once[J]) Code() uintptr { return origin.Code(k) }
func (once[J]) Form() string    { return "do" }
func (once[J]) PerIndex() bool  { return false }

func (k once[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		k(j)
	}
	return nil
}

func (k onceErr[J]) Code() uintptr { return origin.Code(k) }
func (onceErr[J]) Form() string    { return "do" }
func (onceErr[J]) PerIndex() bool  { return false }

func (k onceErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		if err := k(j); err != nil {
			return err
		}
	}
	return nil
}

func (k indices) Code() uintptr { return origin.Code(k) }
func (indices) Form() string    { return "for" }
func (indices) PerIndex() bool  { return true }

func (k indices) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			k(i)
		}
	}
	return nil
}

func (k indicesErr) Code() uintptr { return origin.Code(k) }
func (indicesErr) Form() string    { return "for" }
func (indicesErr) PerIndex() bool  { return true }

func (k indicesErr) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			if err := k(i); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k ranges) Code() uintptr { return origin.Code(k) }
func (ranges) Form() string    { return "for" }
func (ranges) PerIndex() bool  { return false }

func (k ranges) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		k(r.begin, r.end)
	}
	return nil
}

func (k rangesErr) Code() uintptr { return origin.Code(k) }
func (rangesErr) Form() string    { return "for" }
func (rangesErr) PerIndex() bool  { return false }

func (k rangesErr) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		if err := k(r.begin, r.end); err != nil {
			return err
		}
	}
	return nil
}
