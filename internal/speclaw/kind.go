package speclaw

import (
	"math/rand/v2"

	"example.com/custody/internal/linear"
)

// Kind is a container: its specification, and what is needed to make histories of it.
type Kind[S comparable, I, O any] struct {
	// Name tells kinds apart.
	Name string
	// Spec is the specification that the histories are for.
	Spec *linear.Spec[S, I, O]
	// New returns a model: a container that nobody used, as a function that does an operation.
	New func() func(in I) O
	// Draw returns a random operation.
	Draw func(r *rand.Rand) I
	// Spoil changes an answer.
	Spoil func(r *rand.Rand, in I, out *O)
}

// small returns a random number of [0, n), as often as not 0.
func small(r *rand.Rand, n int) int { return r.IntN(1 + r.IntN(n)) }

// one returns one of these at random.
func one[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }
