package explore

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/custody/internal/sched"
)

// Conflict is a cache line that two operations touch and one changes: on two processors they wait
// for each other. A and B are where they do so, function, file and line.
type Conflict struct{ A, B string }

// Conflicts returns the conflicts of two operations, which fresh makes with what they share. It
// runs them one after the other, in both orders, as tasks of their own. Operations that commute can
// be made so that there are none (Clements et al., The Scalable Commutativity Rule, SOSP 2013).
func Conflicts(fresh func() (a, b func())) (all []Conflict, err error) {
	for turn := range 2 {
		m := newTimed(Usual, 0)
		m.places, m.touches = &places{}, map[*line]*[2]touch{}
		if err := m.run(false, func(x *sched.Exec) {
			ops := [2]func(){}
			ops[0], ops[1] = fresh()
			x.Go("first", ops[turn])
			x.Go("second", ops[1-turn])
			m.clocks[1].now = late
		}); err != nil {
			return nil, fmt.Errorf("explore: an operation failed: %w", err)
		}
		for _, u := range m.touches {
			if u[0].used && u[1].used && (u[0].changed || u[1].changed) {
				c := [2]string{m.places.names[u[0].place], m.places.names[u[1].place]}
				all = append(all, Conflict{c[turn], c[1-turn]})
			}
		}
	}
	slices.SortFunc(all, func(x, y Conflict) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return slices.Compact(all), nil
}

// late is when the second operation begins, in nanoseconds. The first has ended by then.
const late = 1e12

// touch is the use of a line by a task.
type touch struct {
	place         int // where it was used first, or first changed
	used, changed bool
}

// touched notes that one of two tasks uses a line at a place.
func (m *timed) touched(l *line, id int, changes bool, place int) {
	if m.touches[l] == nil {
		m.touches[l] = new([2]touch)
	}
	if u := &m.touches[l][id]; !u.used || changes && !u.changed {
		*u = touch{place, true, u.changed || changes}
	}
}
