package linear

import "fmt"

// none is the predecessor of an operation that is not a later piece of another.
const none = -1

// CheckWeak judges only the weak operations of a history.
func (s *Spec[S, I, O]) CheckWeak(h []Op[I, O]) error {
	if s.Weak == nil || s.Bounds == nil {
		return nil
	}
	for i := range h {
		if h[i].Pending() || !s.Weak(h[i].In) {
			continue
		}
		if err := s.Bounds(h, i); err != nil {
			return fmt.Errorf("linear: out of bounds: %s: %w%s", s.text(&h[i]), err, s.draw(h))
		}
	}
	return nil
}

// Strong appends to ops the operations of a history that are to be put in order. It leaves out the
// weak ones, and replaces operations of several pieces by their pieces. For each appended operation
// it appends to after the index in ops of the piece that it comes after, or a negative number.
func (s *Spec[S, I, O]) Strong(h []Op[I, O], ops []Op[I, O], after []int) ([]Op[I, O], []int) {
	for i := range h {
		o := &h[i]
		if s.Weak != nil && s.Weak(o.In) {
			continue
		}
		var pieces []Op[I, O]
		if s.Split != nil {
			pieces = s.Split(o)
		}
		if pieces == nil {
			ops, after = append(ops, *o), append(after, none)
			continue
		}
		for k, p := range pieces {
			p.Task, p.Call, p.Return = o.Task, o.Call, o.Return
			previous := none
			if k > 0 {
				previous = len(ops) - 1
			}
			ops, after = append(ops, p), append(after, previous)
		}
	}
	return ops, after
}
