package array

import (
	"iter"
	"slices"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Parts are neighbouring ranges of the elements of an array that was split. Each part is an Array
// with a custody of its own, so jobs on different parts need no order, and one part can be written
// while another is read. Nothing is copied: a write to a part is a write to the array.
//
// Index 0 of a part is its first element. While the array is split, every use of it except Len is a
// violation; [Parts.Join] ends that. A part can be split again. [Array.Split] and [Array.SplitAt]
// make Parts; they must not be copied.
//
// Len, Part, Range, All: constant; wait-free; O(1); allocates never.
// Join: ledger; lock; O(parts); allocates never.
type Parts[T any] struct {
	of       *Array[T]
	division safety.Division
	parts    []*Array[T]
	begins   []int // of the parts, and the end of the last
}

// parts has the layout of Parts.
type parts struct {
	of       *core
	division safety.Division
	parts    []*core
	begins   []int
}

// Split splits the array into n parts whose lengths differ by at most one, the longer parts first.
// If there are more parts than elements, the last parts are empty.
//
// It is a violation if n is below 1 or more than memory can hold, if the array is split already,
// and if an uncompleted job holds it.
func (a *Array[T]) Split(n int) *Parts[T] {
	of := (*core)(elem.Pointer(a))
	return (*Parts[T])(elem.Pointer(of.split(a, of.even(n))))
}

// even returns the begins of n parts of a that are about equally long.
func (a *core) even(n int) []int {
	if most := amount.Most[core](); n < 1 || n > most {
		panic(amount.Refusal(&a.guard, "was to be split into", n, 1, most, "part"))
	}
	begins := make([]int, n+1)
	for i := range begins {
		begins[i] = i*(a.n/n) + min(i, a.n%n)
	}
	return begins
}

// SplitAt splits the array before each of the given indices, into one part more than there are
// indices. It is a violation if they fall or do not lie in [0, Len]. In all else it is as
// [Array.Split].
func (a *Array[T]) SplitAt(at ...int) *Parts[T] {
	of := (*core)(elem.Pointer(a))
	return (*Parts[T])(elem.Pointer(of.split(a, of.before(at))))
}

// before returns the begins of the parts of a that end before the given indices.
func (a *core) before(at []int) []int {
	begins := append(append(make([]int, 1, len(at)+2), at...), a.n)
	if slices.IsSorted(begins) {
		return begins
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

// Len returns the number of parts.
func (p *Parts[T]) Len() int { return len(p.parts) }

// Part returns part i, counted from 0. An index outside [0, Len) is a violation.
func (p *Parts[T]) Part(i int) *Array[T] {
	(*parts)(elem.Pointer(p)).check(i)
	return p.parts[i]
}

// Range returns the indices, in the array, of the elements of part i: begin <= index < end.
func (p *Parts[T]) Range(i int) (begin, end int) {
	(*parts)(elem.Pointer(p)).check(i)
	return p.begins[i], p.begins[i+1]
}

// check panics with a violation if there is no part i.
func (p *parts) check(i int) {
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

// All returns an iterator over the parts in order.
func (p *Parts[T]) All() iter.Seq2[int, *Array[T]] { return slices.All(p.parts) }

// Join ends the parts and makes the array usable again. It is a violation, and changes nothing,
// while an uncompleted job holds a part or while a part is split. A second Join is a violation.
func (p *Parts[T]) Join() { p.division.Join() }
