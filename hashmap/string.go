package hashmap

import "example.com/custody/internal/phrase"

// This file is what %v prints of a map. No keys and values: whoever changes one may be at it.

// String says what the map is now: its type and name, how many keys it has, as [Map.Len] gives it, unless a job changes it, and who holds it; see
// safety.Guard.Text. It may be called by any goroutine at any time and is never a violation.
func (m *Map[K, V]) String() string {
	if m == nil {
		return "<nil>"
	}
	return m.guard.Text(m, func() string { return phrase.Amount(m.in.len(), "key") })
}

// String says what the multimap is now: its type and name, how many values and keys it has, and who holds it. The numbers are left out while an operation
// has one of its locks: String waits for none, for it may be called by what runs under one, a [Hasher]. In all else it is as [Map.String].
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
