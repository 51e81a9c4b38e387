//go:build custody_explore

package hashmap

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
	"example.com/custody/safety"
)

// denied is what an operation is in a history that a job refused: it has done nothing, and is no
// part of it.
const denied spec.Op = 200

// slipping is a multimap that a job comes to hold while others use it, and what they and the job
// did.
type slipping struct {
	*MultiMap[int, int]
	readable bool // the job reads, so who looks is never refused
	history  explore.History[spec.MultiMapIn, spec.MultiMapOut]
	turns    atom.Uint32
	wrong    error
}

// noted is what was asked, and answered.
type noted struct {
	in  spec.MultiMapIn
	out spec.MultiMapOut
}

// do does an operation, which a job may refuse if it holds the multimap against that.
func (s *slipping) do(task int, op spec.Op, k int, vs ...int) {
	in := spec.MultiMapIn{Op: op, Key: k, Values: spec.BatchOf(vs...)}
	s.history.Note(task, func() (spec.MultiMapIn, spec.MultiMapOut) {
		var out spec.MultiMapOut
		err := lawtest.Failure(func() error {
			switch op {
			case spec.AddAll:
				s.AddAll(k, vs)
			case spec.Replace:
				out.N = s.Replace(k, vs)
			case spec.Delete:
				out.N = s.Delete(k)
			case spec.Count:
				out.N = s.Count(k)
			case spec.Values:
				out.Values = spec.BatchOf(s.Values(k)...)
			}
			return nil
		})
		switch looks := op == spec.Count || op == spec.Values; {
		case errors.Is(err, safety.ErrInFlight) && !(s.readable && looks):
			in.Op = denied
		case err != nil:
			s.wrong = err
		}
		return in, out
	})
}

// during has a job hold a view. What it does to two keys is noted as operations of two tasks, of
// all the time that it takes.
func (s *slipping) during(task int, view safety.View, do func() [2]noted) {
	s.history.Note(task, func() (spec.MultiMapIn, spec.MultiMapOut) {
		var did [2]noted
		s.turns.Add(1) // the moment of the one is not that of the other
		s.history.Note(task+1, func() (spec.MultiMapIn, spec.MultiMapOut) {
			err := lawtest.Held(view, 1, func() { did = do() })
			s.wrong = errors.Join(s.wrong, err)
			return did[1].in, did[1].out
		})
		return did[0].in, did[0].out
	})
}

// adds has a job add to keys 1 and 2.
func (s *slipping) adds(task int) {
	w := s.ParallelWriter()
	s.during(task, &w, func() [2]noted {
		l := s.in.lanes.Lane(0)
		l.BeginSpan(0)
		add := func(k, v int) { lanes.Append(l, nil, pair[int, int]{key: k, val: v}) }
		add(1, 10)
		s.turns.Add(1) // others may go on here
		add(2, 20)
		add(1, 11)
		return [2]noted{
			{in: spec.MultiMapIn{Op: spec.AddAll, Key: 1, Values: spec.BatchOf(10, 11)}},
			{in: spec.MultiMapIn{Op: spec.AddAll, Key: 2, Values: spec.BatchOf(20)}},
		}
	})
}

// reads has a job look at all keys twice: nothing changes meanwhile.
func (s *slipping) reads(task int) {
	r := s.Reader()
	s.during(task, &r, func() [2]noted {
		look := func() (found [3]spec.Batch) {
			for _, x := range s.in.order.keys {
				s.turns.Add(1) // others may go on here
				k, all := s.in.at(x.ref)
				key, vals := *(*int)(k), *(*[]int)(ref(all))
				if len(vals) == 0 || found[key-1] != "" {
					s.wrong = fmt.Errorf("key %d comes with %v behind %v", key, vals, found)
				}
				found[key-1] = spec.BatchOf(vals...)
			}
			return found
		}
		was := look()
		if is := look(); is != was {
			s.wrong = fmt.Errorf("%v have become %v while a job reads", was, is)
		}
		return [2]noted{
			{spec.MultiMapIn{Op: spec.Values, Key: 1}, spec.MultiMapOut{Values: was[0]}},
			{spec.MultiMapIn{Op: spec.Values, Key: 2}, spec.MultiMapOut{Values: was[1]}},
		}
	})
}

// judge reports whether each operation, and what the job did to each key, took effect at one moment
// or was refused, and the multimap is sound.
func (s *slipping) judge(checker *linear.Checker[spec.Batch, spec.MultiMapIn, spec.MultiMapOut]) error {
	keys, values := []int{}, 0
	for k, vals := range s.Groups() {
		keys = append(keys, k)
		if values += len(vals); !slices.Equal(vals, s.Values(k)) {
			return fmt.Errorf("%d comes with %v and has %v", k, vals, s.Values(k))
		}
	}
	if slices.Sort(keys); len(slices.Compact(keys)) != s.LenKeys() || values != s.Len() || len(s.in.order.keys) != len(keys) && s.in.gone() == 0 {
		return fmt.Errorf("keys %v with %d values came, of %d with %d", keys, values, s.LenKeys(), s.Len())
	}
	h := slices.DeleteFunc(s.history.Ops(), func(o linear.Op[spec.MultiMapIn, spec.MultiMapOut]) bool { return o.In.Op == denied })
	return errors.Join(s.wrong, checker.Check(h))
}

// An operation that passed the guard when a job came to hold a multimap is refused, or takes effect
// before the job or after it. One that only looks at what a job reads is never refused.
func TestExploreMultiMapPhasesBesideOrdinaryUse(t *testing.T) {
	one, many := smallest, smallest
	many.few = 100
	for _, c := range []struct {
		name  string
		sizes multiSizes
		job   func(s *slipping, task int)
		reads bool
	}{
		{"a job adds and groups", one, (*slipping).adds, false},
		{"a job adds one by one", many, (*slipping).adds, false},
		{"a job reads", one, (*slipping).reads, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			checker := linear.NewChecker(spec.MultiMap())
			s := &slipping{readable: c.reads}
			explore.Run(t, explore.Options{}, func(x *explore.Program) {
				s.MultiMap, s.wrong = multi[int, int](c.sizes, asked{func(int) { s.turns.Add(1) }}), nil // others may go on where a key is hashed
				s.history.Reset(5)
				s.do(4, spec.AddAll, 1, 1, 2)
				s.do(4, spec.AddAll, 2, 3)
				s.do(4, spec.AddAll, 3, 4)
				s.do(4, spec.Delete, 3)
				x.Go("job", func() { c.job(s, 0) })
				x.Go("changes", func() {
					s.do(2, spec.AddAll, 1, 5)
					s.do(2, spec.Delete, 2)
					s.do(2, spec.AddAll, 3, 6)
				})
				x.Go("looks", func() {
					s.do(3, spec.Count, 1)
					s.do(3, spec.Replace, 1, 7)
					s.do(3, spec.Values, 2)
				})
				x.Then(func() {
					for k := 1; k <= 3; k++ {
						s.do(4, spec.Values, k)
					}
				})
				x.Judge(func() error { return s.judge(checker) })
			}, searching(2000)...)
		})
	}
}
