package sim

import "math"

// The conversions of products to float32 are not idle: they forbid the compiler to round a product and a sum at once,
// which it does on some processors, and perhaps in one loop and not in another.

// Effect is what a particle's neighbours do to it.
type Effect struct {
	Push       Vec
	Neighbours int32
}

// add adds what those of some particles do that are near the one called self, at a place.
func (e *Effect) add(self int32, at Vec, positions []Vec, some []int32) {
	for _, other := range some {
		p := &positions[other]
		x, y, z := at[0]-p[0], at[1]-p[1], at[2]-p[2]
		square := float32(x*x) + float32(y*y) + float32(z*z)
		if square >= 1 || other == self {
			continue
		}
		e.Neighbours++
		force := 1 - square
		e.Push[0] += float32(force * x)
		e.Push[1] += float32(force * y)
		e.Push[2] += float32(force * z)
	}
}

const (
	strength = 0.02 // of a push
	drag     = 0.95 // what is left of a velocity after a step
)

// moved returns where a particle is after a step, and how fast. At the walls of the box it turns back.
func moved(p, v Vec, e Effect, edge float32) (Vec, Vec) {
	for k := range p {
		v[k] = float32(v[k]*drag) + float32(e.Push[k]*strength)
		p[k] += v[k]
		if p[k] < 0 || p[k] >= edge {
			v[k] = -v[k]
			p[k] = min(max(p[k], 0), math.Nextafter32(edge, 0))
		}
	}
	return p, v
}

// particleSum is a checksum of one particle's state. Those of all particles may be added in any order, as each has its
// index in it.
func particleSum(i int, p, v Vec, e Effect) uint64 {
	h := mix(uint64(i), uint64(e.Neighbours))
	for k := range p {
		h = mix(h, uint64(math.Float32bits(p[k]))<<32|uint64(math.Float32bits(v[k])))
	}
	return h
}

// groupSum is a checksum of one group: the particles of a cell in their order, and the cell's place among the cells.
func groupSum(i int, c Cell, members []int32) uint64 {
	h := mix(uint64(i), uint64(c))
	for _, m := range members {
		h = mix(h, uint64(m))
	}
	return h
}

// mix returns a number in which every bit of both has its part: the finishing steps of splitmix64.
func mix(h, x uint64) uint64 {
	h = (h ^ x) + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
