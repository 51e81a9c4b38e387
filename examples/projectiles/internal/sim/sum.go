package sim

import "math"

// Sum returns a checksum of every bit of the poses that are seen, of the targets, and of what was counted.
func (w *World) Sum() uint64 {
	t := &w.targets
	s := begin(w.Poses(), w.tally)
	for row := range t.Len() {
		s.target(t.number.At(row), t.at.At(row), t.velocity.At(row), t.health.At(row))
	}
	return uint64(s)
}

// Sum returns a checksum of the same as [World.Sum].
func (p *Plain) Sum() uint64 {
	t := &p.targets
	s := begin(p.Poses(), p.tally)
	for row := range t.at {
		s.target(t.number[row], t.at[row], t.velocity[row], t.health[row])
	}
	return uint64(s)
}

// Tally returns what has happened so far.
func (w *World) Tally() Tally { return w.tally }

// Tally returns what has happened so far.
func (p *Plain) Tally() Tally { return p.tally }

// sum is a checksum by the method of Fowler, Noll and Vo, over words.
type sum uint64

func (s *sum) add(v uint64) {
	const prime = 1099511628211
	x := uint64(*s)
	x = (x ^ v) * prime
	*s = sum(x ^ x>>29)
}

func (s *sum) floats(all ...float32) {
	for _, v := range all {
		s.add(uint64(math.Float32bits(v)))
	}
}

// begin returns the checksum of poses and of a tally.
func begin(poses []Pose, t Tally) sum {
	s := sum(14695981039346656037)
	for _, v := range [...]int{len(poses), t.Fired, t.Landed, t.Hits, t.Killed} {
		s.add(uint64(v))
	}
	for i := range poses {
		p := &poses[i]
		s.add(uint64(p.Gun))
		if p.Landed {
			s.add(1)
		}
		s.floats(p.Place.X, p.Place.Y, p.Place.Z, p.Turn.W, p.Turn.X, p.Turn.Y, p.Turn.Z)
	}
	return s
}

func (s *sum) target(number uint32, at, velocity Vec, health int32) {
	s.add(uint64(number))
	s.floats(at.X, at.Y, velocity.X, velocity.Y)
	s.add(uint64(uint32(health)))
}
