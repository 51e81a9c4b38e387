package atom

// Trimmer decides when a buffer that is used again and again is too long to be kept. A buffer goes
// when trimAfter uses in a row have each needed less than a quarter of its room. A use that needs
// nothing does not count, so two buffers of which each is used in every second round are both kept.
// A buffer with room for at most shortBuffer elements is always kept.
//
// A Trimmer belongs to one buffer, or to several of the same length. The zero value is ready.
type Trimmer struct{ small uint8 }

// trimAfter is the number of uses in a row that need little before a buffer goes.
const trimAfter = 8

// Keeps records a use that needed used elements of a buffer with room for room elements, and
// reports whether the buffer is kept. If Keeps returns false, the next use is the first one of
// another buffer.
func (t *Trimmer) Keeps(room, used int) bool {
	switch {
	case Worthwhile(room, used):
		t.small = 0
	case used > 0:
		t.small++
	}
	if t.small < trimAfter {
		return true
	}
	t.small = 0
	return false
}

// Reuse returns buffer, emptied, to be used again, or nil if [Trimmer.Keeps] reports that it is too
// long. The length of buffer is what its last use needed.
func Reuse[T any](t *Trimmer, buffer []T) []T {
	if !t.Keeps(cap(buffer), len(buffer)) {
		return nil
	}
	return buffer[:0]
}
