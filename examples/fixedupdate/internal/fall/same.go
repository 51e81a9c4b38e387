package fall

import (
	"fmt"
	"math"

	"example.com/custody/examples/fixedupdate/internal/motion"
)

// Same returns an error that names the first difference between what two scripts have led to: in any bit of any item there ever was, or in what
// has been counted.
func Same(a, b *Script) error {
	for i := range min(len(a.all), len(b.all)) {
		if x, y := a.all[i], b.all[i]; bits(x) != bits(y) {
			return fmt.Errorf("object %d, a %T, is %+v and not %+v", i, x, *y.self(), *x.self())
		}
	}
	if len(a.all) != len(b.all) || a.Len() != b.Len() {
		return fmt.Errorf("%d of %d objects are there, and not %d of %d", b.Len(), len(b.all), a.Len(), len(a.all))
	}
	if x, y := a.Tally(), b.Tally(); x != y || a.Wrong != b.Wrong {
		return fmt.Errorf("it counted %+v and %d, and not %+v and %d", y, b.Wrong, x, a.Wrong)
	}
	return nil
}

// pattern is all bits of an object.
type pattern [18]uint32

func bits(o Object) (p pattern) {
	c := o.self()
	v := func(at int, v motion.Vec) {
		p[at], p[at+1], p[at+2] = math.Float32bits(v.X), math.Float32bits(v.Y), math.Float32bits(v.Z)
	}
	b := &c.body
	v(0, b.At)
	v(3, b.Speed)
	v(6, b.Spin)
	v(9, motion.Vec{X: b.Turn.X, Y: b.Turn.Y, Z: b.Turn.Z})
	v(12, motion.Vec{X: b.Turn.W, Y: b.Shape.Drag, Z: b.Shape.Friction})
	p[15], p[16] = uint32(b.Left), uint32(c.wraps)
	if c.dead {
		p[17] = 1
	}
	if t, ok := o.(*Top); ok {
		p[17] |= uint32(t.wound) << 1
	}
	return p
}

// Sum returns a checksum of all objects there ever were.
func (s *Script) Sum() uint64 {
	sum := uint64(14695981039346656037) // FNV-1a, by words
	for _, o := range s.all {
		for _, x := range bits(o) {
			sum = (sum ^ uint64(x)) * 1099511628211
		}
	}
	return sum
}

// Made returns how many objects there ever were, and how often one of them fell below the floor.
func (s *Script) Made() (objects, wraps int) {
	for _, o := range s.all {
		wraps += o.self().wraps
	}
	return len(s.all), wraps
}
