package fall

import "example.com/custody/examples/fixedupdate/internal/motion"

// Object is an item of a [Script].
type Object interface {
	Item
	self() *object
}

// object is what all kinds have.
type object struct {
	number int
	body   motion.Body
	wraps  int
	dead   bool
}

func (o *object) self() *object { return o }

// Alive implements Item.
func (o *object) Alive() bool { return !o.dead }

// moved takes a result: whoever falls below the floor comes out at the top.
func (o *object) moved(b motion.Body) {
	at, wrapped := motion.Wrapped(b.At)
	if b.At = at; wrapped {
		o.wraps++
	}
	o.body = b
}

// Stone falls.
type Stone struct{ object }

// Body implements Item.
func (s *Stone) Body() motion.Body { return s.body }

// Moved implements Item.
func (s *Stone) Moved(b motion.Body) { s.moved(b) }

// FixedUpdate implements Item.
func (s *Stone) FixedUpdate(parts int) (burnt bool) {
	s.Moved(s.Body().Moved(parts))
	return s.body.Left == 0
}

// Feather falls slowly, the more so the flatter it lies in the air.
type Feather struct{ object }

// Body implements Item.
func (f *Feather) Body() motion.Body {
	b := f.body
	tilt := float32(b.Turn.X*b.Turn.X) + float32(b.Turn.Z*b.Turn.Z) // 0: flat, 1: head down
	b.Shape.Drag += float32(0.5 * float32(tilt*(1-tilt)))
	return b
}

// Moved implements Item.
func (f *Feather) Moved(b motion.Body) {
	b.Shape = f.body.Shape
	f.moved(b)
}

// FixedUpdate implements Item.
func (f *Feather) FixedUpdate(parts int) (burnt bool) {
	f.Moved(f.Body().Moved(parts))
	return f.body.Left == 0
}

// Top spins, and is wound up again when it has become slow.
type Top struct {
	object
	wound int
}

// Body implements Item.
func (t *Top) Body() motion.Body { return t.body }

// Moved implements Item.
func (t *Top) Moved(b motion.Body) {
	if b.Spin.Len() < slow {
		b.Spin = b.Spin.Times(8)
		t.wound++
	}
	t.moved(b)
}

// slow is an angular velocity at which a top is wound up.
const slow = 5

// FixedUpdate implements Item.
func (t *Top) FixedUpdate(parts int) (burnt bool) {
	t.Moved(t.Body().Moved(parts))
	return t.body.Left == 0
}
