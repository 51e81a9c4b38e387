package motion

// Quat is a rotation, as a unit quaternion.
type Quat struct{ X, Y, Z, W float32 }

// Upright is no rotation.
var Upright = Quat{W: 1}

// Spun returns q rotated on for a time h by an angular velocity, to the first order, as a unit quaternion again.
func (q Quat) Spun(by Vec, h float32) Quat {
	x, y, z := by.X*h/2, by.Y*h/2, by.Z*h/2
	return Quat{
		q.X + float32(x*q.W) + float32(y*q.Z) - float32(z*q.Y),
		q.Y + float32(y*q.W) + float32(z*q.X) - float32(x*q.Z),
		q.Z + float32(z*q.W) + float32(x*q.Y) - float32(y*q.X),
		q.W - float32(x*q.X) - float32(y*q.Y) - float32(z*q.Z),
	}.unit()
}

// Size returns what is 1 for a rotation.
func (q Quat) Size() float32 {
	return root(float32(q.X*q.X) + float32(q.Y*q.Y) + float32(q.Z*q.Z) + float32(q.W*q.W))
}

func (q Quat) unit() Quat {
	k := 1 / q.Size()
	return Quat{float32(k * q.X), float32(k * q.Y), float32(k * q.Z), float32(k * q.W)}
}
