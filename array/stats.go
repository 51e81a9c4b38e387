package array

import (
	"example.com/custody/internal/word"
)

// Stats is the size and memory of a [List] or [Stream].
type Stats struct {
	// Len is the number of elements of a list, or of items in all rows of a stream.
	Len int
	// Cap is the number of elements or items, the present ones included, that fit without another
	// allocation by the owner. A loop that appends to a stream may replace that memory by what Kept
	// counts.
	Cap int
	// Rows and RowCap are the same for the rows of a stream, and 0 for a list.
	Rows, RowCap int
	// Bytes is the size in bytes of that memory: Cap elements or items, and for a stream RowCap+1
	// ints. Memory that elements point to is not included.
	Bytes int
	// Kept is the size in bytes of the memory that is kept for the next loop that appends. Trim
	// frees it, and the capacity beyond Len and Rows.
	Kept int
}

// Stats returns the size and memory of the list. Like Len, it is a violation while an uncompleted
// job writes or appends to the list.
//
// Cost: a few loads for each worker whose memory is kept; see lane.Lanes.Bytes.
func (l *List[T]) Stats() Stats {
	l.of.guard.CheckRead()
	data := l.of.data
	return Stats{Len: len(data), Cap: cap(data), Bytes: word.Bytes(data), Kept: l.lanes.Bytes()}
}

// Stats returns the size and memory of the stream, in all else as [List.Stats].
func (s *Stream[T]) Stats() Stats {
	s.guard.CheckRead()
	return Stats{
		Len: len(s.items), Cap: cap(s.items), Rows: s.rows(), RowCap: max(cap(s.offsets)-1, 0),
		Bytes: word.Bytes(s.offsets) + word.Bytes(s.items), Kept: s.fill.bytes() + word.Bytes(s.merging.borders) + s.group.bytes() + word.Bytes(s.spare),
	}
}

// bytes returns the size in bytes of the memory that is kept for the next loop.
func (f *filling) bytes() int {
	cursors := word.Bytes(f.cursors) + len(f.cursors)*word.Size((*cursor)(nil))
	return f.lanes.Bytes() + cursors + word.Bytes(f.ends) + word.Bytes(f.sums)
}
