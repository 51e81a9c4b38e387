package route

import (
	"fmt"
	"slices"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
)

// Route is what was found for a goal: how the search has ended, and the way from the start to the goal if there is one.
type Route struct {
	search.Result
	Path []grid.Cell
}

// Same returns nil if the routes are the same, cell by cell. Otherwise the error says which differ first.
func Same(want, got []Route) error {
	if len(want) != len(got) {
		return fmt.Errorf("there are %d routes and %d", len(want), len(got))
	}
	for i := range want {
		if w, g := want[i], got[i]; w.Result != g.Result || !slices.Equal(w.Path, g.Path) {
			return fmt.Errorf("goal %d: %+v and %+v", i, w, g)
		}
	}
	return nil
}

// Check returns nil if each route is a way from the start to its goal over neighbouring cells that costs what it says, and
// none is cheaper; or if there is no way, and none was found. Otherwise the error says which is wrong. A route of a search that gave up is
// right when it has no path.
func Check(t grid.Task, routes []Route) error {
	if len(routes) != len(t.Goals) {
		return fmt.Errorf("there are %d goals and %d routes", len(t.Goals), len(routes))
	}
	costs := search.Dijkstra(t.Grid, t.Start)
	for i, r := range routes {
		if err := check(t, t.Goals[i], costs[t.Goals[i]], r); err != nil {
			return fmt.Errorf("goal %d: %w", i, err)
		}
	}
	return nil
}

// check looks at the route to a goal, which costs so much: below 0 there is no way.
func check(t grid.Task, goal grid.Cell, cheapest int32, r Route) error {
	if r.Outcome != search.Found {
		if r.Outcome == search.NoWay && cheapest >= 0 {
			return fmt.Errorf("no way was found, and there is one that costs %d", cheapest)
		}
		if len(r.Path) > 0 || r.Cost != 0 {
			return fmt.Errorf("%v, but it has a path of %d cells that costs %d", r.Outcome, len(r.Path), r.Cost)
		}
		return nil
	}
	if len(r.Path) == 0 || r.Path[0] != t.Start || r.Path[len(r.Path)-1] != goal {
		return fmt.Errorf("the path does not lead from the start to the goal: %v", r.Path)
	}
	sum := int32(0)
	for k, c := range r.Path[1:] {
		if t.Costs[c] == grid.Wall || t.Steps(r.Path[k], c) != 1 {
			return fmt.Errorf("from cell %d no step leads to cell %d", r.Path[k], c)
		}
		sum += int32(t.Costs[c])
	}
	if sum != r.Cost || sum != cheapest {
		return fmt.Errorf("the path costs %d, the search says %d, and the cheapest one costs %d", sum, r.Cost, cheapest)
	}
	return nil
}
