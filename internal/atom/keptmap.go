package atom

// KeptMap is a map whose memory is kept for the next use, once it is emptied.
type KeptMap[K comparable, V any] struct {
	Of   map[K]V // changed by Set and Empty, and keys are deleted
	most int     // the longest that the map has been
	trim Trimmer
}

// Set sets the value of a key.
func (m *KeptMap[K, V]) Set(key K, v V) {
	m.Of[key] = v
	m.most = max(m.most, len(m.Of))
}

// Empty empties the map. It replaces a map that is too large to be kept, because a map never
// shrinks and clearing it costs as much as when it was full.
func (m *KeptMap[K, V]) Empty() {
	if m.trim.Keeps(m.most, len(m.Of)) {
		clear(m.Of)
		return
	}
	m.Of, m.most = map[K]V{}, 0
}
