//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"maps"

	"example.com/custody/internal/linear"
	"example.com/custody/safety"
)

// sequential is a model of a container. It begins with what is in c, and returns in which state
// operations with those answers leave it, one after the other. The state is "" if the model lacks
// one of them. An answer that the model does not give is an error.
type sequential[C any] func(c C) (after func(done ...answered[C]) (state string, err error))

// answered is an operation that was done on c, and its answer.
type answered[C any] struct {
	c      C
	name   string
	answer any
}

// by gives a subject a model.
func (s *subject[C]) by(m sequential[C]) *subject[C] {
	s.model = m
	return s
}

// specified is the model of a specification. given returns operations that lead from a new
// container to c, and said what the specification calls an operation and its answer, if it has it.
func specified[C any, S comparable, I, O any](of *linear.Spec[S, I, O], given func(c C) []I, said func(c C, name string, answer any) (I, O, bool)) sequential[C] {
	part := func(in I) string {
		if of.Part == nil {
			return ""
		}
		return of.Part(in)
	}
	return func(c C) func(...answered[C]) (string, error) {
		begin := map[string]S{}
		for _, in := range given(c) {
			begin[part(in)] = of.Next(begin[part(in)], in)[0]
		}
		return func(done ...answered[C]) (string, error) {
			state := maps.Clone(begin)
			for _, d := range done {
				in, out, ok := said(d.c, d.name, d.answer)
				if !ok || d.answer == errWaits {
					return "", nil
				}
				if v, ok := d.answer.(*safety.Violation); ok {
					return "", v
				}
				before := state[part(in)]
				if state[part(in)], ok = of.Step(before, in, out); !ok {
					return "", fmt.Errorf("the specification refuses %s after %v", of.Text(in, out), before)
				}
			}
			return fmt.Sprint(state), nil
		}
	}
}
