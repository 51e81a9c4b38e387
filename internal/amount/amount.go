// Package amount refuses numbers that are no sizes: those below what a container can have, and
// those above what memory can hold, which the runtime refuses by a panic that names nothing.
package amount

import (
	"math"
	"runtime"
	"strconv"
	"unsafe"

	"example.com/custody/internal/phrase"
	"example.com/custody/safety"
)

// memory returns the number of bytes that the addresses of a program reach. The runtime tries to
// allocate a block of that size, whether or not the machine has so much. The result is less than
// math.MaxInt, so that a number that Sum returned for an overflow is too large.
func memory() int {
	if strconv.IntSize == 32 || runtime.GOARCH == "wasm" {
		return math.MaxInt32 - 1
	}
	return math.MaxInt >> 16
}

// Most returns the largest number of values of type T in one slice. A value without a size counts
// as a byte: more of them fit, but sums of their numbers overflow, and what containers keep for
// each of them does not fit.
func Most[T any]() int { return MostOf(unsafe.Sizeof(*new(T))) }

// MostOf is Most for a type of that size.
func MostOf(size uintptr) int { return memory() / max(int(size), 1) }

// Size returns the number of bytes of a value of type T, which the compiler knows.
func Size[T any]() int { return int(unsafe.Sizeof(*new(T))) }

// Sum returns the sum of two numbers of elements, or math.MaxInt if that overflows.
func Sum(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// Refusal returns the violation of a size n of a container that is below least or above most. what
// is the text before n, and unit is the word for one element, as in: array.List[int] was to grow by
// -1 elements.
func Refusal(g *safety.Guard, what string, n, least, most int, unit string) *safety.Violation {
	what, do := text(g.Container()+" "+what, n, least, most, unit)
	v := g.Violation(safety.ErrLength, what, do)
	v.N = n
	return v
}

// Unowned is Refusal for a size that belongs to no container. what begins with the owner.
func Unowned(what string, n, least, most int, unit string) *safety.Violation {
	what, do := text(what, n, least, most, unit)
	v := safety.NewViolation(safety.ErrLength, what, do)
	v.N = n
	return v
}

// Added is Refusal for the n elements that a body was to append through a view. by is the hold of
// the view, or nil if there is no view.
func Added(by *safety.Hold, n, most int, unit string) *safety.Violation {
	if by == nil {
		return Unowned("a job was to append", n, 0, most, unit)
	}
	of := GuardOf(by).Violation(safety.ErrLength, "", "")
	v := Unowned(of.Container+" was to get", n, 0, most, unit)
	v.Container, v.Made = of.Container, of.Made
	return by.Blame(v)
}

// GuardOf returns the guard of the container of a view that is bound.
func GuardOf(by *safety.Hold) *safety.Guard {
	var job safety.Ticket
	job.ClaimOf(safety.FieldOf(by, ""))
	return job.Claimed(0).Guard
}

func text(what string, n, least, most int, unit string) (all, do string) {
	do = "There can be " + phrase.Amount(least, unit) + " or more."
	if n > most {
		do = "There can be " + phrase.Amount(most, unit) + " at most, by what memory can hold."
	}
	return what + " " + phrase.Amount(n, unit), do
}
