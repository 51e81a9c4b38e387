package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Config says how a simulation begins.
type Config struct {
	// N is the number of particles.
	N int
	// Crowd is how many particles a cell has on average.
	Crowd float64
	// Seed decides where the particles are at first, and how fast they move.
	Seed uint64
}

// widest is how many cells the box has along an edge at most: there is one more on each side, and a Cell has 21 bits
// for each coordinate.
const widest = 1<<coordinateBits - 2

// Check refuses what makes no sense.
func (c Config) Check() error {
	switch {
	case c.N < 1:
		return fmt.Errorf("%d particles: at least 1 is needed", c.N)
	case c.N > math.MaxInt32:
		return fmt.Errorf("%d particles: there may be %d", c.N, math.MaxInt32)
	case math.IsNaN(c.Crowd) || math.IsInf(c.Crowd, 0) || c.Crowd <= 0:
		return fmt.Errorf("%v particles in a cell: it must be a number above 0", c.Crowd)
	case c.edge() > widest:
		return fmt.Errorf("%v particles in a cell: the box would have %.3g cells along each edge, and may have %d", c.Crowd, c.edge(), widest)
	}
	return nil
}

// edge returns how many cells the box has along each edge, a whole number.
func (c Config) edge() float64 {
	return max(1, math.Round(math.Cbrt(float64(c.N)/c.Crowd)))
}

// Edge returns how many cells the box has along each edge.
func (c Config) Edge() int { return int(c.edge()) }

// begin returns the particles at the start.
func (c Config) begin() (positions, velocities []Vec) {
	r := rand.New(rand.NewPCG(c.Seed, 1))
	edge := float32(c.edge())
	last := math.Nextafter32(edge, 0)
	positions, velocities = make([]Vec, c.N), make([]Vec, c.N)
	for i := range positions {
		for k := range positions[i] {
			positions[i][k] = min(r.Float32()*edge, last)
			velocities[i][k] = (r.Float32() - 0.5) / 10
		}
	}
	return positions, velocities
}
