package sim

import "math"

// Position is where a thing is, in the box [0, edge) x [0, edge).
type Position struct{ X, Y float32 }

// Velocity is how fast it moves.
type Velocity struct{ X, Y float32 }

// Heading is where it looks, in radians, and how fast it turns.
type Heading struct{ Angle, Rate float32 }

// Place is which square of the box it was found in, and whether that is one at the rim.
type Place struct {
	Square int32
	Rim    bool
}

// pattern is a component's value, bit by bit: floats that are equal may have different ones.
func (p Position) pattern() (a, b uint32) { return math.Float32bits(p.X), math.Float32bits(p.Y) }
func (v Velocity) pattern() (a, b uint32) { return math.Float32bits(v.X), math.Float32bits(v.Y) }
func (h Heading) pattern() (a, b uint32)  { return math.Float32bits(h.Angle), math.Float32bits(h.Rate) }
func (p Place) pattern() (a, b uint32) {
	if p.Rim {
		b = 1
	}
	return uint32(p.Square), b
}

// part is any of them.
type part interface {
	comparable
	pattern() (a, b uint32)
}
