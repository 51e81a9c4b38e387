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

// Conflicts returns the conflicts of pairs of operations, which fresh makes with what they share.
// It runs the two one after the other, in both orders, as tasks of their own. Objects lie side by
// side by chance: a pair that has none in one of so many tries has none. Operations that commute
// can be made so that there are none (Clements et al., The Scalable Commutativity Rule, SOSP 2013).
// What goroutines touch that an operation starts does not count.
func Conflicts(pairs, tries int, fresh func(pair int) (a, b func())) (all [][]Conflict, err error) {
	all = make([][]Conflict, pairs)
	err = alone(func(x *sched.Exec, garbage *collector) error {
		for pair := range all {
			met := true
			for try := 0; try < tries && met; try++ {
				var err error
				// Places are noted at last: it takes most of the time.
				if all[pair], err = conflicts(x, try == tries-1, func() (a, b func()) { return fresh(pair) }); err != nil {
					return fmt.Errorf("explore: an operation of pair %d failed: %w", pair, err)
				}
				met = len(all[pair]) > 0
				garbage.between()
			}
		}
		return nil
	})
	return all, err
}

// conflicts returns those of one pair, with their places if these are noted.
func conflicts(x *sched.Exec, noted bool, fresh func() (a, b func())) (all []Conflict, err error) {
	for turn := range 2 {
		m := newTimed(Usual, 0)
		m.touching = true
		if noted {
			m.places = &places{}
		}
		if err := m.execute(x, false, func(x *sched.Exec) {
			ops := [2]func(){}
			ops[0], ops[1] = fresh()
			x.Go("first", ops[turn])
			x.Go("second", func() {
				spaced()
				ops[1-turn]()
			})
			m.clocks[1].now = late
		}); err != nil {
			return nil, err
		}
		for _, l := range m.lines {
			if u := &l.touches; u[0].used && u[1].used && (u[0].changed || u[1].changed) {
				c := [2]string{}
				if noted {
					c = [2]string{m.places.names[u[0].place], m.places.names[u[1].place]}
				}
				all = append(all, Conflict{c[turn], c[1-turn]})
			}
		}
	}
	slices.SortFunc(all, func(x, y Conflict) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return slices.Compact(all), nil
}

// spaced has what is allocated next lie on other lines than what was allocated last, as on two
// processors.
func spaced() {
	for range 1 << lineBits / 8 {
		space = append(space[:0], new([8]byte), new([16]byte), new([24]byte), new([32]byte), new([48]byte),
			new(*byte), new([2]*byte), new([3]*byte), new([4]*byte), new([6]*byte))
	}
}

// space has what spaced has allocated last, so that it lies on the heap.
var space []any

// late is when the second operation begins, in nanoseconds. The first has ended by then.
const late = 1e12

// touch is the use of a line by a task.
type touch struct {
	place         int // where it was used first, or first changed, if places are noted
	used, changed bool
}

// touched notes that one of two tasks uses a line.
func (m *timed) touched(l *line, id int, changes bool) {
	if id >= len(l.touches) {
		return
	}
	if u := &l.touches[id]; !u.used || changes && !u.changed {
		u.used, u.changed = true, u.changed || changes
		if m.places != nil {
			u.place = m.places.here()
		}
	}
}
