package sim

// Vec is a place on the ground, or a way along it, in metres.
type Vec struct{ X, Y float32 }

func (v Vec) add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y} }

func (v Vec) times(f float32) Vec { return Vec{v.X * f, v.Y * f} }

// Pose is what is to be drawn of a projectile.
type Pose struct {
	Gun    uint32 // whose projectile it is
	Landed bool   // in this frame, its last
	Place  Place
	Turn   Turn
}

// Place is a place in space: Z metres above the ground.
type Place struct{ X, Y, Z float32 }

// Turn is a rotation, as a quaternion of length 1. It turns the X axis to where a projectile heads.
type Turn struct{ W, X, Y, Z float32 }
