package rounds

import (
	"slices"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
)

// Slack is by how much the estimates of cells that are expanded in a round may differ. Those of all that is open at any time differ by no
// more than it and the rise of the last step, as frontiers need it.
const Slack = search.Span - search.Rise - 1

// judge is what decides, between two rounds, how it goes on.
type judge struct {
	*layout
	query search.Query
	goal  place
	terms terms
	total int32 // cells expanded so far
}

// begin returns a judge of a search whose start has that estimate.
func begin(l *layout, q search.Query) judge {
	j := judge{layout: l, query: q, goal: l.place(q.Goal)}
	x, y := l.shape.At(q.Goal)
	j.terms = terms{Shape: l.shape, Frame: l.frame, ToX: x, ToY: y, Best: none}
	x, y = l.shape.At(q.Start)
	j.terms.Bound = j.terms.rest(x, y) + Slack
	return j
}

// next takes in a round: the lowest estimate of all that is open, the node of the goal, and how many cells were expanded. False says that the
// search has ended.
func (j *judge) next(least int32, goal search.Node, expanded int32) (search.Result, bool) {
	j.total += expanded
	if goal.Came != search.Unknown {
		j.terms.Best = goal.Cost
	}
	switch {
	case j.terms.Best != none && j.terms.Best <= least:
		return search.Result{Cost: goal.Cost, Expanded: j.total, Outcome: search.Found}, false
	case least == none:
		return search.Result{Expanded: j.total, Outcome: search.NoWay}, false
	case j.query.Limit > 0 && j.total >= j.query.Limit:
		return search.Result{Expanded: j.total, Outcome: search.GaveUp}, false
	}
	j.terms.Bound = least + Slack
	return search.Result{}, true
}

// blocked says whether an end of the way is a wall.
func (j *judge) blocked() bool {
	return j.costs[j.place(j.query.Start)] == grid.Wall || j.costs[j.goal] == grid.Wall
}

// start opens the start; nothing else is open, and nothing was sent.
func (j *judge) start(owners []owner, nodes []search.Node) {
	for i := range owners {
		owners[i].open = search.Frontier{}
		for k := range owners[i].sent {
			owners[i].sent[k] = owners[i].sent[k][:0]
		}
	}
	at := j.place(j.query.Start)
	k := j.owner(at)
	base := j.begins[k]
	owners[k].open.Offer(nodes[base:j.begins[k+1]], at-place(base), 0, j.terms.Bound-Slack, search.Started)
}

// trace appends the way to the goal, once the search has found it.
func (j *judge) trace(nodes []search.Node, path []grid.Cell) []grid.Cell {
	moves, begun := j.shape.Moves(), len(path)
	for at := j.query.Goal; ; {
		path = append(path, at)
		came := nodes[j.place(at)].Came
		if came == search.Started {
			break
		}
		at -= moves[came-search.Stepped]
	}
	slices.Reverse(path[begun:])
	return path
}
