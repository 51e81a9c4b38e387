package hashmap

import "example.com/custody/internal/phrase"

// This file is what %v prints of a map. It leaves out keys and values, which other goroutines may
// be changing.

// String returns the type and name of the map, its number of keys by [Map.Len], unless a job
// changes the map, and the jobs that hold it; see safety.Guard.Text. Any goroutine may call String
// at any time, and it is never a violation.
func (m *Map[K, V]) String() string {
	if m == nil {
		return "<nil>"
	}
	return m.in.text(m)
}

func (m *core) text(of any) string {
	return m.guard.Text(of, func() string { return phrase.Amount(m.len(), "key") })
}
