package table

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// staging is what loops stage, until they end.
type staging[R any] struct {
	guard safety.Guard
	of    *Table[R]
	lanes lane.Lanes[request[R]]
	add   func(lane.Items[request[R]])
}

// request is a row that is to be added, or removed.
type request[R any] struct {
	row  R
	gone ID
	is   bool // to be removed
}

func (s *staging[R]) init(t *Table[R], opts []safety.Option) {
	s.of, s.add = t, s.adopt
	s.guard.Init(s, 1, opts...)
}

// OpenPhase implements safety.Phased.
func (s *staging[R]) OpenPhase(p *safety.Phase) { s.lanes.Open(p) }

// SealPhase implements safety.Phased.
//
//go:norace
func (s *staging[R]) SealPhase(p *safety.Phase) { s.lanes.Seal(p, s.add) }

// adopt stages what a loop has staged.
//
//go:norace
func (s *staging[R]) adopt(all lane.Items[request[R]]) {
	for piece := range all.Pieces() {
		for i := range piece {
			switch r := &piece[i]; {
			case r.is:
				s.of.stage.remove(r.gone)
			default:
				if s.of.key != nil {
					s.of.key.compare(&r.row)
				}
				s.of.stage.add(s.of.number, r.row)
			}
		}
	}
}

// Stage returns a view with which the bodies of a loop stage additions and removals in the order of the sequential loop, whatever the number of
// workers. They are staged when the loop has ended: a row has no name before.
func (t *Table[R]) Stage() Stager[R] {
	if t == nil {
		return Stager[R]{}
	}
	return Stager[R]{access: t.staging.guard.Access(safety.Append)}
}

// Stager is a view that stages additions and removals; see [Table.Stage]. If a cell fails, what is staged is what the sequential loop has staged
// until then. Jobs that carry one run one after the other. It works only inside the job that carries it.
type Stager[R any] struct {
	access safety.Access
	lane   *lane.Lane[request[R]] // nil while the view is not bound
}

// Add stages a row.
func (s *Stager[R]) Add(row R) { s.lane.Append(&s.access, request[R]{row: row}) }

// Remove stages the removal of a row, as [Table.Remove] does.
func (s *Stager[R]) Remove(id ID) { s.lane.Append(&s.access, request[R]{gone: id, is: true}) }

// Claim implements safety.View.
func (s *Stager[R]) Claim() safety.Claim {
	c := s.access.Claim()
	c.Into = s.lane
	return c
}

// Bind implements safety.View.
func (s *Stager[R]) Bind(b safety.Binding) {
	s.access.Bind(b)
	s.lane = lane.Of[request[R]](b)
}

// BeginRun implements safety.RunView.
func (s *Stager[R]) BeginRun(cell int) { s.lane.BeginRun(cell) }
