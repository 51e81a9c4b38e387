package sim

import "math"

const (
	perSecond = 60 // frames
	speed     = 60 // metres per second along the ground
	stride    = speed / float64(perSecond)
)

// Flight is how far a projectile has come.
type Flight struct {
	Ground Vec     // what it is above
	Flown  float32 // metres along the ground
}

// fly moves a projectile by a frame towards what it aims at, and writes what is seen of it.
//
// Along the ground it goes straight to its aim, which may have moved since the last frame. It is as high as the parabola is that begins where
// it was launched, ends at the aim, and rises and falls by 45 degrees at its ends. If the way that lies before it is no longer than a frame's it
// has arrived. There may be no way at all, and then no direction in which it lies: its course is that of the X axis.
func fly(f *Flight, aim Vec, p *Pose) {
	x, y := float64(aim.X)-float64(f.Ground.X), float64(aim.Y)-float64(f.Ground.Y)
	left, flown := math.Sqrt(x*x+y*y), float64(f.Flown)
	if left > 0 {
		x, y = x/left, y/left
	} else {
		x, y = 1, 0
	}
	p.Landed = left <= stride
	if p.Landed {
		f.Ground = aim
		flown += left
		left = 0
	} else {
		f.Ground = Vec{float32(float64(f.Ground.X) + x*stride), float32(float64(f.Ground.Y) + y*stride)}
		flown += stride
		left -= stride
	}
	f.Flown = float32(flown)
	height, slope := 0.0, -1.0 // the slope is 1 at the launch, and -1 at the aim
	if whole := flown + left; whole > 0 {
		height = flown * left / whole
		slope = (left - flown) / whole
	}
	p.Place = Place{f.Ground.X, f.Ground.Y, float32(height)}
	p.Turn = heading(x, y, slope)
}

// heading returns the turn to a course, of length 1, up by a slope: first to the height and then to the course. It takes and computes what is
// more exact than a Turn, because the cosine of a small angle says little about it.
func heading(x, y, slope float64) Turn {
	level := 1 / math.Sqrt(1+slope*slope) // the cosine of the angle of the slope
	rise, up := half(level, slope)
	yaw, side := half(x, y)
	return Turn{float32(yaw * rise), float32(side * up), float32(-yaw * up), float32(side * rise)}
}

// half returns the cosine and the sine of half an angle of which it is given the cosine, and a number that has the sign of the sine.
func half(cos, sign float64) (c, s float64) {
	c = math.Sqrt(max(0, (1+cos)/2))
	s = math.Sqrt(max(0, (1-cos)/2))
	return c, math.Copysign(s, sign)
}
