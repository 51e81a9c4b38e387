package sim

import "math"

// The box, and its squares.
const (
	edge    = 1024
	squares = 64 // along an edge
	rim     = 2  // so many of them from a wall are at the rim
)

// The bodies. Products are rounded before they are added to anything, so that no compiler makes one instruction of both: which one does
// may depend on the loop around.

// rotate turns what has a heading.
type rotate struct{ Step float32 }

func (j *rotate) Execute(h *Heading) {
	h.Angle += float32(h.Rate * j.Step)
	if h.Angle >= 2*math.Pi {
		h.Angle -= 2 * math.Pi
	}
}

// damp slows down.
type damp struct{ Keep float32 }

func (j *damp) Execute(v *Velocity) {
	v.X *= j.Keep
	v.Y *= j.Keep
}

// steer drives where the heading says.
type steer struct{ Thrust float32 }

func (j *steer) Execute(v *Velocity, h *Heading) {
	sin, cos := math.Sincos(float64(h.Angle))
	v.X += float32(j.Thrust * float32(cos))
	v.Y += float32(j.Thrust * float32(sin))
}

// move moves.
type move struct{ Step float32 }

func (j *move) Execute(p *Position, v *Velocity) {
	p.X += float32(v.X * j.Step)
	p.Y += float32(v.Y * j.Step)
}

// bound turns back what is about to leave the box. Only what was last found at the rim can be.
type bound struct{}

func (*bound) Execute(p *Position, v *Velocity, h *Heading, at *Place) {
	if !at.Rim {
		return
	}
	if x, turned := inside(p.X); turned {
		p.X, v.X = x, -v.X
		h.Angle = opposite(h.Angle)
	}
	if y, turned := inside(p.Y); turned {
		p.Y, v.Y = y, -v.Y
		h.Angle = opposite(h.Angle)
	}
}

// inside returns the place of x mirrored at the wall that it is behind.
func inside(x float32) (float32, bool) {
	switch {
	case x < 0:
		return -x, true
	case x >= edge:
		return 2*edge - 1.0/64 - x, true
	}
	return x, false
}

func opposite(angle float32) float32 {
	if angle >= math.Pi {
		return angle - math.Pi
	}
	return angle + math.Pi
}

// swerve makes what is slow and at the rim turn faster, and everything else slower.
type swerve struct{ Least float32 }

func (j *swerve) Execute(h *Heading, v *Velocity, at *Place) {
	if at.Rim && float32(v.X*v.X)+float32(v.Y*v.Y) < j.Least {
		h.Rate = min(h.Rate*1.25, 2)
	} else {
		h.Rate = max(h.Rate*0.96875, 0.125)
	}
}

// locate finds out in which square things are. Those in chunks whose positions nobody had to write since the last time are where they
// were.
type locate struct{}

func (*locate) Execute(at *Place, p *Position) {
	x, y := square(p.X), square(p.Y)
	at.Square = y*squares + x
	at.Rim = min(x, y) < rim || max(x, y) >= squares-rim
}

func square(x float32) int32 { return min(max(int32(x*(squares/float32(edge))), 0), squares-1) }

// The parameters of all steps.
var (
	rotating = rotate{Step: 1.0 / 16}
	damping  = damp{Keep: 0.99}
	steering = steer{Thrust: 0.5}
	moving   = move{Step: 1.0 / 16}
	bounding = bound{}
	swerving = swerve{Least: 400}
	locating = locate{}
)
