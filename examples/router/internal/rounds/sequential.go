package rounds

import (
	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
)

// Sequential searches in rounds whose owners have their turns one after the other, without the library: what the parallel rounds must
// equal. Messages are not copied: an owner reads them where the sender has left them.
type Sequential struct {
	layout *layout
	owners []owner
	nodes  []search.Node
	last   [][][]message // by sender and owner: what was sent in the round before
	rounds int
}

// NewSequential returns searches over a grid.
func NewSequential(g grid.Grid) *Sequential {
	l := newLayout(g)
	s := &Sequential{layout: l, owners: newOwners(l), nodes: make([]search.Node, len(l.costs)), last: make([][][]message, l.owners)}
	for i := range s.last {
		s.last[i] = make([][]message, l.owners)
	}
	return s
}

// Find searches the cheapest way, and appends its cells to path.
func (s *Sequential) Find(q search.Query, path []grid.Cell) (search.Result, []grid.Cell) {
	j := begin(s.layout, q)
	s.rounds = 0
	if j.blocked() {
		return search.Result{Outcome: search.NoWay}, path
	}
	clear(s.nodes)
	j.start(s.owners, s.nodes)
	for {
		least, expanded := s.round(&j)
		s.rounds++
		if result, more := j.next(least, s.nodes[j.goal], expanded); !more {
			if result.Outcome == search.Found {
				path = j.trace(s.nodes, path)
			}
			return result, path
		}
	}
}

// round lets every owner do its part of a round.
func (s *Sequential) round(j *judge) (least, expanded int32) {
	for i := range s.owners { // what was sent last becomes what is read, and what was read is written again
		s.owners[i].sent, s.last[i] = s.last[i], s.owners[i].sent
	}
	f := field{costs: s.layout.costs, tiles: s.layout.tiles, terms: j.terms}
	least = none
	for i := range s.owners {
		o, base := &s.owners[i], s.layout.begins[i]
		nodes := s.nodes[base:s.layout.begins[i+1]]
		for k := range s.last {
			o.receive(&f, nodes, place(base), s.last[k][i])
		}
		o.expand(&f, nodes, place(base))
		least = min(least, o.least)
		expanded += o.count
	}
	return least, expanded
}

// Rounds returns how many rounds the last search has had.
func (s *Sequential) Rounds() int { return s.rounds }

// Owners returns how many owners there are.
func (s *Sequential) Owners() int { return s.layout.owners }
