package fuzz_test

import "math"

// The containers of FuzzCounter, by number.
const (
	theCounter = iota
	theSum
	theFloats
	theMin
	theMax
	theHistogram
	theKinds
)

// best is the model of a Min or Max.
type best struct {
	v    float64
	seen bool
}

func (b *best) observe(v float64, largest bool) {
	switch {
	case math.IsNaN(v):
	case !b.seen, largest && v > b.v, !largest && v < b.v:
		*b = best{v, true}
	}
}

func (b best) bits() [2]uint64 {
	if !b.seen {
		return [2]uint64{}
	}
	return [2]uint64{math.Float64bits(b.v), 1}
}

// numbers is the model of all containers.
type numbers struct {
	count  int64
	sum    int8 // small, so that it wraps around
	floats float64
	min    best
	max    best
	counts [bins]int64
}

// add does to a model what adding x does to the container.
func (n *numbers) add(which int, x int) {
	switch which {
	case theCounter:
		n.count += int64(x)
	case theSum:
		n.sum += int8(x)
	case theFloats:
		n.floats += float(x)
	case theMin:
		n.min.observe(float(x), false)
	case theMax:
		n.max.observe(float(x), true)
	case theHistogram:
		n.counts[x%bins] += int64(x)
	}
}

// set does to a model what setting to x does to the container: a histogram is only ever set to 0.
func (n *numbers) set(which int, x int) {
	switch which {
	case theCounter:
		n.count = int64(x)
	case theSum:
		n.sum = int8(x)
	case theFloats:
		n.floats = float(x)
	case theMin:
		n.min = best{}
		n.min.observe(float(x), false)
	case theMax:
		n.max = best{}
		n.max.observe(float(x), true)
	case theHistogram:
		n.counts = [bins]int64{}
	}
}

// show returns a number of the model as something that is equal only to the very same bits.
func (n *numbers) show(which int) any {
	switch which {
	case theCounter:
		return n.count
	case theSum:
		return n.sum
	case theFloats:
		return math.Float64bits(n.floats)
	case theMin:
		return n.min.bits()
	case theMax:
		return n.max.bits()
	}
	return n.counts
}

// float returns a number for an operand, the strange ones among them.
func float(x int) float64 {
	strange := [...]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 0.1, 1e16, -1e16, 5e-324}
	if x < len(strange) {
		return strange[x]
	}
	return float64(x-128) / 3
}

// summand is float without what makes every later sum the same.
func summand(x int) int {
	if f := float(x); math.IsNaN(f) || math.IsInf(f, 0) {
		return x + 9
	}
	return x
}
