package table

import "example.com/custody/array"

// request is what a loop stages: a row that is to be added, or removed.
type request[R any] struct {
	row     R
	gone    ID
	removes bool
}

// Stage returns a view with which the bodies of a loop stage additions and removals in the order of the sequential loop, whatever the number of
// workers. They come after what is staged without a loop, and have no names before the next Apply.
func (t *Table[R]) Stage() Stager[R] {
	if t == nil {
		return Stager[R]{}
	}
	return Stager[R]{of: t, out: t.requests.ParallelWriter()}
}

// Stager is what a job carries whose bodies stage additions and removals; see [Table.Stage]. If a cell fails, what is staged is what the sequential
// loop has staged until then. Of two jobs that carry one, one runs after the other. It works only inside the job that carries it.
type Stager[R any] struct {
	of  *Table[R]                        `custody:"unguarded"` // its columns are not used, but how its keys are compared
	out array.ParallelWriter[request[R]] `custody:"inline"`
}

// Add stages a row. In all else it is as [Table.Add].
func (s *Stager[R]) Add(row R) {
	if s.of != nil && s.of.key != nil {
		s.of.compare(row)
	}
	s.out.Append(request[R]{row: row})
}

// Remove stages the removal of a row, as [Table.Remove] does.
func (s *Stager[R]) Remove(id ID) { s.out.Append(request[R]{gone: id, removes: true}) }

// additions returns how many rows loops have staged.
func additions[R any](requests []request[R]) (n int) {
	for i := range requests {
		if !requests[i].removes {
			n++
		}
	}
	return n
}

// follow stages what loops have staged, for who has the lock: nobody comes between, or behind it into the same Apply.
func (s *stage[R]) follow(requests []request[R]) {
	for i := range requests {
		if r := &requests[i]; r.removes {
			s.batch.remove(s.keyed, r.gone)
		} else {
			s.put(r.row)
		}
	}
}
