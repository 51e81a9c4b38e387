package sim

import (
	"slices"
	"time"

	"example.com/custody/examples/components/internal/ecs"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Columns is a simulation whose things are entities of a world, and whose steps are systems.
type Columns struct {
	World      *ecs.World
	positions  *ecs.Column[Position]
	velocities *ecs.Column[Velocity]
	headings   *ecs.Column[Heading]
	places     *ecs.Column[Place]

	rotating *ecs.System[rotate]
	damping  *ecs.System[damp]
	steering *ecs.System[steer]
	moving   *ecs.System[move]
	bounding *ecs.System[bound]
	swerving *ecs.System[swerve]
	locating *ecs.System[locate]

	opts []parallelfor.Option
	Took []time.Duration // by step
	Seen []int           // how many chunks locate looked at, by step
}

// Systems is how many there are.
const Systems = 7

// Names are theirs, in the order in which they are scheduled.
var Names = [Systems]string{"rotate", "damp", "steer", "move", "bound", "swerve", "locate"}

// NewColumns returns a simulation of n things in chunks of so many, at its start; opts are for all its loops. What it computes does not
// depend on the capacity or the options.
func NewColumns(n, capacity int, opts ...parallelfor.Option) *Columns {
	w := ecs.NewWorld(capacity, safety.Named("box"))
	s := &Columns{
		World:      w,
		positions:  ecs.NewColumn[Position](w, safety.Named("positions")),
		velocities: ecs.NewColumn[Velocity](w, safety.Named("velocities")),
		headings:   ecs.NewColumn[Heading](w, safety.Named("headings")),
		places:     ecs.NewColumn[Place](w, safety.Named("places")),
		opts:       append([]parallelfor.Option{parallelfor.AutoOrder()}, opts...),
	}
	driven, frozen := w.NewTag(), w.NewTag()
	for k, kind := range kinds {
		parts := []ecs.Part{s.positions, s.places}
		if !kind.placed {
			parts = append(parts, s.velocities, s.headings)
		}
		if kind.driven {
			parts = append(parts, driven)
		}
		if kind.frozen {
			parts = append(parts, frozen)
		}
		for i, e := range w.Add(count(n, k), parts...) {
			p, v, h := thing(k, i)
			s.positions.Set(e, p)
			if !kind.placed {
				s.velocities.Set(e, v)
				s.headings.Set(e, h)
			}
		}
	}

	p, v, h, at := s.positions, s.velocities, s.headings, s.places
	s.rotating = ecs.New1(w, (*rotate).Execute, h.ReadWrite(), ecs.Exclude(frozen))
	s.damping = ecs.New1(w, (*damp).Execute, v.ReadWrite(), ecs.Exclude(driven, frozen))
	s.steering = ecs.New2(w, (*steer).Execute, v.ReadWrite(), h.ReadOnly(), ecs.Require(driven))
	s.moving = ecs.New2(w, (*move).Execute, p.ReadWrite(), v.ReadOnly(), ecs.Exclude(frozen))
	s.bounding = ecs.New4(w, (*bound).Execute, p.ReadWrite(), v.ReadWrite(), h.ReadWrite(), at.ReadOnly(), ecs.Exclude(frozen))
	s.swerving = ecs.New3(w, (*swerve).Execute, h.ReadWrite(), v.ReadOnly(), at.ReadOnly(), ecs.Require(driven))
	s.locating = ecs.New2(w, (*locate).Execute, at.ReadWrite(), p.ReadOnly().Changed())
	return s
}

// Step goes on by a step. All systems are scheduled at once; a job runs after those before it that have a column to write which it has, too,
// or that it writes. The first two have no column in common and run side by side:
//
//	rotate --+-- steer -- move -- bound -- swerve -- locate
//	damp ----+
func (s *Columns) Step() {
	began := time.Now()
	var handles [Systems]parallelfor.Handle
	for k := range handles {
		handles[k] = s.schedule(k)
	}
	for _, h := range handles {
		h.Complete()
	}
	s.Took = append(s.Took, time.Since(began))
	s.Seen = append(s.Seen, s.locating.Seen())
}

// schedule schedules a system.
func (s *Columns) schedule(k int) parallelfor.Handle {
	switch k {
	case 0:
		return s.rotating.Schedule(rotating, s.opts...)
	case 1:
		return s.damping.Schedule(damping, s.opts...)
	case 2:
		return s.steering.Schedule(steering, s.opts...)
	case 3:
		return s.moving.Schedule(moving, s.opts...)
	case 4:
		return s.bounding.Schedule(bounding, s.opts...)
	case 5:
		return s.swerving.Schedule(swerving, s.opts...)
	}
	return s.locating.Schedule(locating, s.opts...)
}

// Of returns how many entities and chunks a system is for.
func (s *Columns) Of(k int) (entities, chunks int) {
	return [Systems]func() (int, int){
		s.rotating.Len, s.damping.Len, s.steering.Len, s.moving.Len, s.bounding.Len, s.swerving.Len, s.locating.Len,
	}[k]()
}

// Cost is what it costs to schedule a system and complete it, when there is nothing to do.
type Cost struct{ First, Later time.Duration }

// Costs measures what the systems of a world without entities cost: the first time, and as the median of later ones. The first schedules are the
// first of their types only where no other simulation has made a step.
func Costs() (costs [Systems]Cost) {
	s := NewColumns(0, 1, parallelfor.Workers(1))
	for k := range costs {
		var all []time.Duration
		for range 201 {
			began := time.Now()
			s.schedule(k).Complete()
			all = append(all, time.Since(began))
		}
		costs[k].First = all[0]
		slices.Sort(all)
		costs[k].Later = all[len(all)/2]
	}
	return costs
}
