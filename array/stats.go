package array

import (
	"reflect"

	"example.com/custody/internal/word"
)

// ListStats says what a [List] has.
type ListStats struct {
	// Len is how many elements there are, and Cap how many there can be before the list needs other memory, those that are there among them.
	Len, Cap int
	// Bytes is the memory of Cap elements, in bytes. What elements point to is not among it.
	Bytes int
	// Kept is the memory, in bytes, that is kept for the next loop that appends. List.Trim gives that back, and what Cap has beyond Len.
	Kept int
}

// StreamStats says what a [Stream] has.
type StreamStats struct {
	// Rows and Items are how many there are of them, as Stream.Len and Stream.Total say.
	Rows, Items int
	// RowCap and ItemCap are how many there can be before Stream.AppendRow needs other memory, those that are there among them. A loop may take the memory that is
	// kept instead.
	RowCap, ItemCap int
	// Bytes is the memory of so many, in bytes: an int for each row and one more, and the items. What items point to is not among it.
	Bytes int
	// Kept is the memory, in bytes, that is kept for the next loop that appends. Stream.Trim gives that back, and what the caps have beyond Rows and Items.
	Kept int
}

// Stats returns what the list has. It is for the list's owner, as Len is, and a violation when that is one: while a job that was not completed writes it or
// appends to it.
//
// Cost: a look at each piece of the memory that is kept, most often a few for each worker; see lane.Lanes.Bytes.
func (l *List[T]) Stats() ListStats {
	l.of.guard.CheckRead()
	data := l.of.data
	return ListStats{Len: len(data), Cap: cap(data), Bytes: word.Bytes(data), Kept: l.lanes.Bytes()}
}

// Stats returns what the stream has. It is for the stream's owner, as Len is, and a violation when that is one: while a job that was not completed writes it or
// appends to it.
//
// Cost: as of [List.Stats].
func (s *Stream[T]) Stats() StreamStats {
	s.guard.CheckRead()
	return StreamStats{
		Rows: s.rows(), Items: len(s.items), RowCap: max(cap(s.offsets)-1, 0), ItemCap: cap(s.items),
		Bytes: word.Bytes(s.offsets) + word.Bytes(s.items), Kept: s.fill.bytes() + word.Bytes(s.spare),
	}
}

// bytes returns how much memory is kept for the next loop, in bytes.
func (f *filling[T]) bytes() int {
	cursors := word.Bytes(f.cursors) + len(f.cursors)*int(reflect.TypeFor[cursor[T]]().Size())
	return f.lanes.Bytes() + cursors + word.Bytes(f.ends) + word.Bytes(f.sums) + word.Bytes(f.borders)
}
