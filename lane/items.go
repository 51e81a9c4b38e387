package lane

import (
	"iter"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
)

// Items are the items that a job appended, in the order of the sequential loop. [Lanes.Seal] passes
// them to a function of the container, and they are valid until it returns. Items is a small value.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Len     constant  wait-free           O(1)                   never
//	Slices  constant  wait-free           O(log spans + pieces)  never
//	CopyTo  constant  waits: for helpers  O(n), in parallel      never
//	Take    constant  wait-free           O(pieces)              the next chunks
type Items[T any] struct {
	_  [0]*T
	of lanes.Items
}

// Len returns the number of items.
func (s Items[T]) Len() int { return s.of.Len() }

// Slices ranges over the items lo <= i < hi as slices, with the number of the first item of each.
// No slice is empty, and none may be written. Goroutines may range over different bounds at the
// same time. Bounds outside [0, Len] are a panic.
//
// Cost: a binary search among the spans, and O(1) for each slice.
func (s Items[T]) Slices(lo, hi int) iter.Seq2[int, []T] { return lanes.Slices[T](s.of, lo, hi) }

// Take is Slices of all items, for containers that link the slices instead of copying them. The
// caller owns the slices, which have no spare capacity. The lanes get new memory for the next
// phase, or what [Lanes.Reuse] was given. Each begins with a chunk for as many items as it had in
// this phase.
//
// Memory: several slices may lie in one chunk, which is alive while one of them is. A chunk has up
// to 256 KiB, or one item.
func (s Items[T]) Take() iter.Seq2[int, []T] { return lanes.Take[T](s.of) }

// CopyTo copies the first items to dst, as many as fit, and returns their number. It copies many
// items in parallel, in parts of similar size. It does not copy items that lie in dst already
// because dst is the memory that [Lanes.Lend] was called for.
func (s Items[T]) CopyTo(dst []T) int { return s.of.CopyTo(elem.Data(dst), len(dst)) }
