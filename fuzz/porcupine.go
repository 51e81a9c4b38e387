package fuzz

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/linear"
)

// judge fails the test if the history is not linearizable, or if a weak operation is out of bounds.
// It has no limit on the number of operations. If porcupine does not end in time, or the history is
// not valid, judge ends the test at once: the test was set up wrongly, and the history proves
// nothing.
func judge[S comparable, I, O any](t testing.TB, spec *linear.Spec[S, I, O], history []linear.Op[I, O], timeout time.Duration) {
	t.Helper()
	for i := range history {
		o := &history[i]
		if o.Return < o.Call {
			t.Fatalf("fuzz: an operation was called at %d and returned at %d", o.Call, o.Return)
		}
		if o.Pending() && spec.Next == nil {
			t.Fatalf("fuzz: an operation is pending and the specification has no Next")
		}
	}
	if err := spec.CheckWeak(history); err != nil {
		t.Error(err)
	}
	operations, pending := porcupineHistory(spec, history)
	model := porcupineModel(spec)
	if pending {
		model = porcupinePending(spec)
	}
	var result porcupine.CheckResult
	lawtest.Unhurried(timeout, func(limit time.Duration) bool {
		result = porcupine.CheckOperationsTimeout(model, operations, limit)
		return result != porcupine.Unknown
	})
	switch result {
	case porcupine.Unknown:
		t.Fatalf("fuzz: %d operations are too many to be judged within %v; use fewer, or fewer for each key",
			len(operations), timeout)
	case porcupine.Illegal:
		t.Error(illegal(spec, history))
	}
}

// illegal describes a history that is not linearizable. If package linear can judge it, the text
// tells how far it fits.
func illegal[S comparable, I, O any](spec *linear.Spec[S, I, O], history []linear.Op[I, O]) string {
	if ops, _ := spec.Strong(history, nil, nil); len(ops) <= 64 {
		if err := linear.NewChecker(spec).Check(history); err != nil {
			return err.Error()
		}
	}
	return "fuzz: not linearizable\n" + spec.Draw(history)
}

// porcupineIn is an operation as the input of a porcupine model.
type porcupineIn[I any] struct {
	in      I
	pending bool
	chain   int // the number of the operation of which it is a piece, or -1
	piece   int // the index of the piece in its chain
}

// porcupineState is the state of a porcupine model. Porcupine compares states with ==.
type porcupineState[S comparable] struct {
	state S
	done  string // by chain, the number of pieces that are done, in 2 bytes
}

// turn returns done after a piece, and reports whether the piece is the next one of its chain. A
// chain below 0 has one piece, which is always next.
func (s porcupineState[S]) turn(chain, piece int) (done string, ok bool) {
	if chain < 0 {
		return s.done, true
	}
	at := 2 * chain
	b := []byte(s.done)
	for len(b) < at+2 {
		b = append(b, 0)
	}
	if int(b[at])|int(b[at+1])<<8 != piece {
		return "", false
	}
	b[at], b[at+1] = byte(piece+1), byte((piece+1)>>8)
	return string(b), true
}

// porcupineHistory returns the operations and pieces of operations that porcupine puts in order. It
// reports whether some are pending.
func porcupineHistory[S comparable, I, O any](spec *linear.Spec[S, I, O], history []linear.Op[I, O]) (operations []porcupine.Operation, pending bool) {
	ops, after := spec.Strong(history, nil, nil)
	chains := 0
	in := make([]porcupineIn[I], len(ops))
	for i := range ops {
		in[i] = porcupineIn[I]{ops[i].In, ops[i].Pending(), -1, 0}
		if first := after[i]; first >= 0 {
			if in[first].chain < 0 {
				in[first].chain = chains
				chains++
			}
			in[i].chain, in[i].piece = in[first].chain, in[first].piece+1
		}
	}
	for i := range ops {
		o := &ops[i]
		operations = append(operations, porcupine.Operation{
			ClientId: o.Task, Call: o.Call, Return: o.Return, Input: in[i], Output: o.Out,
		})
		pending = pending || o.Pending()
	}
	return operations, pending
}

// porcupineModel returns a specification as a porcupine model for histories without pending
// operations.
func porcupineModel[S comparable, I, O any](spec *linear.Spec[S, I, O]) porcupine.Model {
	if spec.Part != nil && spec.Split != nil {
		panic("fuzz: pieces in parts have no model")
	}
	type state = porcupineState[S]
	m := porcupine.Model{
		Init: func() any { return state{spec.Init, ""} },
		Step: func(s, input, output any) (bool, any) {
			at, in := s.(state), input.(porcupineIn[I])
			done, ok := at.turn(in.chain, in.piece)
			if !ok {
				return false, nil
			}
			next, ok := spec.Step(at.state, in.in, output.(O))
			return ok, state{next, done}
		},
		DescribeOperation: func(input, output any) string {
			in := input.(porcupineIn[I])
			if spec.Text == nil {
				return fmt.Sprintf("%v -> %v", in.in, output)
			}
			return spec.Text(in.in, output.(O))
		},
	}
	if spec.Part != nil {
		m.Partition = func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
			index := map[string]int{}
			for _, o := range history {
				key := spec.Part(o.Input.(porcupineIn[I]).in)
				k, ok := index[key]
				if !ok {
					k = len(parts)
					index[key] = k
					parts = append(parts, nil)
				}
				parts[k] = append(parts[k], o)
			}
			return parts
		}
	}
	return m
}

// porcupinePending returns a specification as a porcupine model for histories with pending
// operations, each of which may leave several states. Porcupine puts every operation in order, so
// an operation without effect also has a place, at which it leaves the state as it is.
func porcupinePending[S comparable, I, O any](spec *linear.Spec[S, I, O]) porcupine.Model {
	type state = porcupineState[S]
	certain := porcupineModel(spec)
	m := porcupine.NondeterministicModel{
		Init:      func() []any { return []any{certain.Init()} },
		Partition: certain.Partition,
		Step: func(s, input, output any) []any {
			at, in := s.(state), input.(porcupineIn[I])
			if !in.pending {
				if ok, next := certain.Step(s, input, output); ok {
					return []any{next}
				}
				return nil
			}
			states := []any{s} // neither this piece nor a later one took effect
			done, ok := at.turn(in.chain, in.piece)
			if !ok {
				return states
			}
			for _, next := range spec.Next(at.state, in.in) {
				if s := any(state{next, done}); !slices.Contains(states, s) {
					states = append(states, s)
				}
			}
			return states
		},
		DescribeOperation: certain.DescribeOperation,
	}
	return m.ToModel()
}
