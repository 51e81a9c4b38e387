package array

import (
	"example.com/custody/internal/elem"
	"example.com/custody/internal/phrase"
)

// This file has the texts that %v prints of the containers. The texts have no elements, because a
// job may be writing these while any goroutine prints. Each length is read as a single word, and
// the race detector does not see that. A Stream's rows and items are two words, so they may be of
// two moments.

// String returns the type, name and length of the array and the jobs that hold it; see
// safety.Guard.Text. It reads no elements: print the [Array.Slice] for these. Any goroutine may
// call it at any time, and it is never a violation.
func (a *Array[T]) String() string { return (*core)(elem.Pointer(a)).Text(a) }

// String returns the type and name of the list, its holders, and its length while no job may change
// that. In all else it is as [Array.String].
func (l *List[T]) String() string { return (*core)(elem.Pointer(l)).Text(l) }

// String returns the type and name of the stream, its numbers of rows and items, and its holders.
// In all else it is as [List.String].
func (s *Stream[T]) String() string {
	if s == nil {
		return "<nil>"
	}
	return s.guard.Text(s, func() string {
		rows, items := s.size()
		return phrase.Amount(rows, "row") + " of " + phrase.Amount(items, "item")
	})
}

// size returns the numbers of rows and items. Any goroutine may call it at any time.
//
//go:norace
func (s *Stream[T]) size() (rows, items int) { return max(len(s.offsets)-1, 0), len(s.items) }

// String returns the type and name of the Value and its holders. It does not read the value. In all
// else it is as [Array.String].
func (x *Value[T]) String() string {
	if x == nil {
		return "<nil>"
	}
	return x.guard.Text(x, nil)
}
