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
	return m.guard.Text(m, func() string { return phrase.Amount(m.in.len(), "key") })
}

// String returns the type and name of the multimap, its numbers of values and keys, and the jobs
// that hold it. It leaves out the numbers while an operation has one of its locks: String does not
// wait, because a [Hasher] that runs under a lock may call it. In all else it is as [Map.String].
func (m *MultiMap[K, V]) String() string {
	if m == nil {
		return "<nil>"
	}
	return m.guard.Text(m, func() string {
		if !m.tryLock() {
			return ""
		}
		defer m.unlock()
		values, keys := m.total()
		return phrase.Amount(values, "value") + " of " + phrase.Amount(keys, "key")
	})
}
