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
	of  *Table[R] `custody:"unguarded"` // its columns are not used, but how its keys are compared
	out array.ParallelWriter[request[R]]
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

// drain stages what loops have staged.
func (t *Table[R]) drain() {
	if t.requests.Len() == 0 {
		return
	}
	t.stage.lock.Lock()
	defer t.stage.lock.Unlock()
	all := t.requests.Slice()
	for i := range all {
		if r := &all[i]; r.removes {
			t.stage.batch.remove(t.stage.keyed, r.gone)
		} else {
			t.stage.put(r.row)
		}
	}
	t.requests.Clear()
}
