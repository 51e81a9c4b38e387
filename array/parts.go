package array

import (
	"iter"
	"sort"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/safety"
)

// Parts are what an array was split into: neighbouring ranges of its elements, each an Array of its own with a
// custody of its own. So jobs on different parts need no order, and one part can be written while another is read.
// Nothing is copied: what is written to a part is the array's.
//
// Index 0 of a part is its first element. While the array is split it is refused itself, but for Len; [Parts.Join]
// gives it back. Parts can be split again. Parts are made by [Array.Split] and [Array.SplitAt] and must not be copied.
type Parts[T any] struct {
	of       *Array[T]
	division safety.Division
	parts    []*Array[T]
	begins   []int // of the parts, and the end of the last
}

// Split splits the array into n parts whose lengths differ by at most one, the longer parts first.
// If there are more parts than elements, the last parts are empty.
//
// An n below 1 is a violation, and so is one beyond what memory can hold. It is a violation to
// split an array that is split already, or that is held by a job that was not completed.
func (a *Array[T]) Split(n int) *Parts[T] {
	if most := amount.Most[Array[T]](); n < 1 || n > most {
		panic(amount.Refusal(&a.guard, "was to be split into", n, 1, most, "part"))
	}
	begins := make([]int, n+1)
	each, longer := a.n/n, a.n%n
	for i := range n {
		begins[i+1] = begins[i] + each
		if i < longer {
			begins[i+1]++
		}
	}
	return a.split(begins)
}

// SplitAt splits the array before each of the given indices: into one part more than there are. They must not fall,
// and must lie in [0, Len]; otherwise it is a violation, and so is what is one for [Array.Split].
func (a *Array[T]) SplitAt(at ...int) *Parts[T] {
	begins := append(append(make([]int, 1, len(at)+2), at...), a.n)
	if sort.IntsAreSorted(begins) {
		return a.split(begins)
	}
	k := 1
	for begins[k] >= begins[k-1] && begins[k] <= a.n {
		k++
	}
	wrong := "which is outside"
	if begins[k] >= 0 && begins[k] <= a.n {
		wrong = "after " + strconv.Itoa(begins[k-1])
	}
	v := a.guard.Violation(safety.ErrArgument, a.guard.Container()+" of length "+strconv.Itoa(a.n)+" was to be split at "+strconv.Itoa(begins[k])+", "+wrong,
		"The indices to split at must not fall, and must lie in [0, Len].")
	v.Index, v.Min, v.Max, v.Length = begins[k], begins[k-1], a.n+1, a.n
	panic(v)
}

func (a *Array[T]) split(begins []int) *Parts[T] {
	p := &Parts[T]{of: a, begins: begins}
	guards := make([]*safety.Guard, len(begins)-1)
	for i := range guards {
		lo, hi := begins[i], begins[i+1]
		part := &Array[T]{n: hi - lo}
		if hi <= len(a.data) { // what is disposed has none, and is refused below
			part.data = a.data[lo:hi:hi]
		}
		part.guard.Init(part, 1, safety.Named(a.guard.Name()+"["+strconv.Itoa(lo)+":"+strconv.Itoa(hi)+"]"))
		if a.takes {
			part.adopts()
		}
		guards[i] = &part.guard
		p.parts = append(p.parts, part)
	}
	p.division.Divide(&a.guard, guards, 1)
	return p
}

// Len returns the number of parts.
func (p *Parts[T]) Len() int { return len(p.parts) }

// Part returns part i, counted from 0. An index outside [0, Len) is a violation.
func (p *Parts[T]) Part(i int) *Array[T] {
	p.check(i)
	return p.parts[i]
}

// Range returns the elements of the array that part i is: begin <= index < end.
func (p *Parts[T]) Range(i int) (begin, end int) {
	p.check(i)
	return p.begins[i], p.begins[i+1]
}

func (p *Parts[T]) check(i int) {
	if uint(i) < uint(len(p.parts)) {
		return
	}
	if p.of == nil {
		panic(safety.NewViolation(safety.ErrUnassigned, "part "+strconv.Itoa(i)+" was asked for of what was never split", "Parts are what an array's Split returns."))
	}
	g := &p.of.guard
	v := g.Violation(safety.ErrIndex, "part "+strconv.Itoa(i)+" of "+g.Container()+" was asked for, which is split into "+strconv.Itoa(len(p.parts)), "Parts are counted from 0.")
	v.Index, v.Max, v.Length = i, len(p.parts), len(p.parts)
	panic(v)
}

// All ranges over the parts in order.
func (p *Parts[T]) All() iter.Seq2[int, *Array[T]] {
	return func(yield func(int, *Array[T]) bool) {
		for i, part := range p.parts {
			if !yield(i, part) {
				return
			}
		}
	}
}

// Join ends the parts and gives the array back. It is a violation while a job that was not completed holds a part or
// a part is split itself, and then changes nothing; and the second time.
func (p *Parts[T]) Join() { p.division.Join() }
