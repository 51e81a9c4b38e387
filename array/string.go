package array

import "example.com/custody/internal/phrase"

// This file is what %v prints of a container. No elements: whoever prints may be ordered with nobody, and the goroutine that has the container
// now may be changing them. Of numbers that others change single words are read, which the race detector is not shown: of a Stream two, so its rows
// and its items may be of two moments.

// size returns the length, for who may be ordered with nobody.
//
//go:norace
func (a *Array[T]) size() int { return a.n }

// elements says how many there are.
func (a *Array[T]) elements() string { return phrase.Amount(a.size(), "element") }

// String says what the array is now: its type, name and length, and who holds it; see safety.Guard.Text. It reads no elements: print the
// [Array.Slice] for these. It may be called by any goroutine at any time and is never a violation.
func (a *Array[T]) String() string {
	if a == nil {
		return "<nil>"
	}
	return a.guard.Text(a, a.elements)
}

// String says what the list is now: its type, name and length, and who holds it; the length only while nobody may change it by a job. In all
// else it is as [Array.String].
func (l *List[T]) String() string {
	if l == nil {
		return "<nil>"
	}
	return l.of.guard.Text(l, l.of.elements)
}

// String says what the stream is now: its type and name, how many rows and items it has, and who holds it. In all else it is as [List.String].
func (s *Stream[T]) String() string {
	if s == nil {
		return "<nil>"
	}
	return s.guard.Text(s, func() string {
		rows, items := s.size()
		return phrase.Amount(rows, "row") + " of " + phrase.Amount(items, "item")
	})
}

// size returns how many rows and items there are, for who may be ordered with nobody.
//
//go:norace
func (s *Stream[T]) size() (rows, items int) { return max(len(s.offsets)-1, 0), len(s.items) }

// String says who holds the value, and its type and name. In all else it is as [Array.String]: it does not read it.
func (x *Value[T]) String() string {
	if x == nil {
		return "<nil>"
	}
	return x.guard.Text(x, nil)
}

// String says into how many parts what array is split, or was, and who holds that; see [Array.String]. It may be called at any time.
func (p *Parts[T]) String() string {
	if p == nil {
		return "<nil>"
	}
	return phrase.Amount(len(p.parts), "part") + " of " + p.of.String()
}
