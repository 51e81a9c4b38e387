package motion

const (
	// Step is how long a fixed step is, in seconds.
	Step = float32(0.02)
	// Floor is where bodies that fall below it come out again at the top: so much higher.
	Floor, Height = float32(-50), float32(100)
)

var gravity = Vec{Y: -9.81}

// Shape is how the air holds a body: each is a share of what it has that it loses, at a speed of 1, for 1 second.
type Shape struct{ Drag, Friction float32 }

// Body is all that a step needs of an object, and all that it leaves.
type Body struct {
	At    Vec   // where it is
	Speed Vec   // in metres a second
	Turn  Quat  // how it is rotated
	Spin  Vec   // its angular velocity, in radians a second
	Left  int32 // so many steps until it has burnt out
	Shape Shape
}

// Moved returns the body a fixed step later. The step is made in so many parts, the more the exacter.
func (b Body) Moved(parts int) Body {
	b.At, b.Speed, b.Turn, b.Spin = Advance(b.At, b.Speed, b.Turn, b.Spin, b.Shape, parts)
	b.Left--
	return b
}

// Advance is Moved for a body whose parts lie in columns.
func Advance(at, speed Vec, turn Quat, spin Vec, shape Shape, parts int) (Vec, Vec, Quat, Vec) {
	h := Step / float32(parts)
	for range parts {
		through := speed.Sub(wind(at))
		drag := through.Times(float32(-shape.Drag * through.Len()))
		speed = speed.Add(gravity.Add(drag).Times(h))
		at = at.Add(speed.Times(h))
		spin = spin.Times(1 - float32(shape.Friction*h))
		turn = turn.Spun(spin, h)
	}
	return at, speed, turn, spin
}

// wind is a whirl about the vertical through the origin, that rises in the middle.
func wind(at Vec) Vec {
	k := 40 / (20 + root(float32(at.X*at.X)+float32(at.Z*at.Z)))
	return Vec{float32(-at.Z * k), float32(6 * k), float32(at.X * k)}
}

// Wrapped returns where a body is that is at v, and whether it fell below the floor.
func Wrapped(v Vec) (Vec, bool) {
	if v.Y < Floor {
		v.Y += Height
		return v, true
	}
	return v, false
}
