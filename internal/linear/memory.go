package linear

// config is a configuration: the set of operations in the order, by number, and the state that they
// left.
type config[S comparable] struct {
	done  uint64
	state S
}

// fewConfigs is the number of configurations that are kept in a list. A list of that length is
// faster than a map.
const fewConfigs = 12

// memory holds configurations that cannot be completed (I4). The memoization is Lowe's (Testing for
// linearizability, 2017), but only of failures, so a history that fits at once costs nothing.
type memory[S comparable] struct {
	few  []config[S]
	many map[config[S]]struct{} // for the configurations that few has no room for
}

// forget empties the memory. It drops a map that grew large, because clearing a map costs time in
// proportion to its room.
func (m *memory[S]) forget() {
	m.few = m.few[:0]
	switch {
	case len(m.many) > 1<<12:
		m.many = nil
	case len(m.many) > 0:
		clear(m.many)
	}
}

// remember adds a configuration that cannot be completed.
func (m *memory[S]) remember(done uint64, state S) {
	if len(m.few) < fewConfigs {
		if m.few == nil {
			m.few = make([]config[S], 0, fewConfigs)
		}
		m.few = append(m.few, config[S]{done, state})
		return
	}
	if m.many == nil {
		m.many = make(map[config[S]]struct{})
	}
	m.many[config[S]{done, state}] = struct{}{}
}

// has reports whether the memory holds the configuration.
func (m *memory[S]) has(done uint64, state S) bool {
	for i := range m.few {
		if m.few[i].done == done && m.few[i].state == state {
			return true
		}
	}
	if len(m.many) == 0 {
		return false
	}
	_, ok := m.many[config[S]{done, state}]
	return ok
}
