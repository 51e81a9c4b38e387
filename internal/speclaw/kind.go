package speclaw

import (
	"math/rand/v2"

	"example.com/custody/internal/linear"
)

// Kind is a kind of container: its specification, and the functions that make histories of it.
type Kind[S comparable, I, O any] struct {
	// Name distinguishes the kinds.
	Name string
	// Spec is the specification for the histories.
	Spec *linear.Spec[S, I, O]
	// New returns a model: a function that executes operations on a new container.
	New func() func(in I) O
	// Draw returns a random operation.
	Draw func(r *rand.Rand) I
	// Spoil changes an answer.
	Spoil func(r *rand.Rand, in I, out *O)
}

// small returns a random number of [0, n). Small numbers are more frequent than large ones.
func small(r *rand.Rand, n int) int { return r.IntN(1 + r.IntN(n)) }

// one returns one of its arguments at random.
func one[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }
