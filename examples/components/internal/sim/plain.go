package sim

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"example.com/custody/examples/components/internal/ecs"
)

// Plain is a simulation whose things lie in slices, kind by kind, and whose steps are plain loops that call the same bodies.
type Plain struct {
	groups []group
	Took   []time.Duration // by step
}

// group is the things of a kind.
type group struct {
	kind
	positions  []Position
	velocities []Velocity // none of those that have only a place
	headings   []Heading
	places     []Place
}

// NewPlain returns a simulation of n things at its start.
func NewPlain(n int) *Plain {
	s := &Plain{groups: make([]group, len(kinds))}
	for k := range s.groups {
		g := &s.groups[k]
		g.kind = kinds[k]
		g.places = make([]Place, count(n, k))
		for i := range g.places {
			p, v, h := thing(k, i)
			g.positions = append(g.positions, p)
			if !g.placed {
				g.velocities, g.headings = append(g.velocities, v), append(g.headings, h)
			}
		}
	}
	return s
}

// Step goes on by a step.
func (s *Plain) Step() {
	began := time.Now()
	for k := range s.groups {
		s.groups[k].step()
	}
	s.Took = append(s.Took, time.Since(began))
}

func (g *group) step() {
	if !g.placed && !g.frozen {
		for i := range g.headings {
			rotating.Execute(&g.headings[i])
		}
		if g.driven {
			for i := range g.velocities {
				steering.Execute(&g.velocities[i], &g.headings[i])
			}
		} else {
			for i := range g.velocities {
				damping.Execute(&g.velocities[i])
			}
		}
		for i := range g.positions {
			moving.Execute(&g.positions[i], &g.velocities[i])
		}
		for i := range g.positions {
			bounding.Execute(&g.positions[i], &g.velocities[i], &g.headings[i], &g.places[i])
		}
		if g.driven {
			for i := range g.headings {
				swerving.Execute(&g.headings[i], &g.velocities[i], &g.places[i])
			}
		}
	}
	for i := range g.places {
		locating.Execute(&g.places[i], &g.positions[i])
	}
}

// Same returns an error that names the first difference between the two, in any bit of any component.
func Same(a *Plain, b *Columns) error {
	if err := same("position", a, func(g *group) []Position { return g.positions }, b.positions.All()); err != nil {
		return err
	}
	if err := same("velocity", a, func(g *group) []Velocity { return g.velocities }, b.velocities.All()); err != nil {
		return err
	}
	if err := same("heading", a, func(g *group) []Heading { return g.headings }, b.headings.All()); err != nil {
		return err
	}
	return same("place", a, func(g *group) []Place { return g.places }, b.places.All())
}

// same compares one component. A world has its entities in the order of their kinds, as they were added.
func same[T part](what string, a *Plain, of func(*group) []T, column iter.Seq2[ecs.Entity, T]) error {
	var all []T
	for k := range a.groups {
		all = slices.Concat(all, of(&a.groups[k]))
	}
	i := 0
	for _, got := range column {
		if i == len(all) {
			return fmt.Errorf("there are more than %d of component %s", i, what)
		}
		wa, wb := all[i].pattern()
		if ga, gb := got.pattern(); ga != wa || gb != wb {
			return fmt.Errorf("%s %d is %v, not %v", what, i, got, all[i])
		}
		i++
	}
	if i < len(all) {
		return fmt.Errorf("there are %d of component %s, not %d", i, what, len(all))
	}
	return nil
}

// Sum returns a checksum of all components.
func (s *Plain) Sum() uint64 {
	sum := uint64(14695981039346656037) // FNV-1a, by words
	for k := range s.groups {
		g := &s.groups[k]
		for _, x := range []uint64{summed(g.positions), summed(g.velocities), summed(g.headings), summed(g.places)} {
			sum = (sum ^ x) * 1099511628211
		}
	}
	return sum
}

func summed[T part](list []T) uint64 {
	sum := uint64(14695981039346656037)
	for _, x := range list {
		a, b := x.pattern()
		sum = (sum ^ (uint64(a)<<32 | uint64(b))) * 1099511628211
	}
	return sum
}
