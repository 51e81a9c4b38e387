package array

import (
	"iter"
	"reflect"
	"slices"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/phrase"
	"example.com/custody/internal/word"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// List is a sequence of elements that grows and shrinks: by its methods like a slice, and by the bodies of a parallel loop, whose
// [ParallelWriter] appends in the order of the sequential loop, whatever the number of workers.
//
// Outside jobs it is like a slice: for one goroutine at a time, or several that order themselves. While a job that was not completed
// writes it or appends to it, every use is a violation; while one reads it, every change is. Sort and search it by the standard library,
// as slices.Sort(l.Slice()). Make it with [NewList] or [ListOf]; it must not be copied.
//
// A loop over a list that an earlier job fills is scheduled before anybody knows how long it is, with -1 indices and
// parallelfor.LengthOf(l.Reader()). One that was given a number of indices is refused where the list is known to be shorter; if only the
// end of an earlier job shows it, its first batch with an index too many fails.
//
// Memory: the elements, and capacity for at most as many more; what loops append lies in memory of their workers until the loop ends, which
// is kept for the next loop until [List.Trim].
//
// Memory model: see package safety.
type List[T any] struct {
	of    Array[T]
	lanes lane.Lanes[T]
	add   func(lane.Items[T]) // adopt, made once
	holds bool                // elements may keep something alive
}

// Invariants of List:
//
//	(L1) Beyond the length lies nothing that keeps something alive.
//	(L2) Only who may change the list looks beyond the length: slices and windows that are handed out are capped at it.

// NewList returns an empty list.
func NewList[T any](opts ...safety.Option) *List[T] {
	l := new(List[T])
	l.init(nil, opts)
	return l
}

// ListOf returns a list whose elements are those of data. Nothing is copied: until the list moves
// to other memory, which it does when it grows, it and the slice show each other's changes. Until
// then it also takes part in the checks of adopted slices that [Of] describes, whose limits it has.
// Capacity beyond the length is not used.
func ListOf[T any](data []T, opts ...safety.Option) *List[T] {
	l := new(List[T])
	l.init(data[:len(data):len(data)], opts)
	l.of.fits(len(data))
	l.of.adopts()
	return l
}

// init makes l a list of data. The user's call is two frames up.
func (l *List[T]) init(data []T, opts []safety.Option) {
	l.holds, l.add = word.Holds(reflect.TypeFor[T]()), l.adopt
	l.of.guard.Init(l, 1, opts...)
	l.of.guard.Phases((*listPhases[T])(l))
	l.of.grows = true
	l.set(data)
}

// set makes data the elements.
func (l *List[T]) set(data []T) {
	if l.of.takes {
		l.of.moves(data)
	}
	l.of.data, l.of.n = data, len(data)
}

// Len returns the number of elements.
func (l *List[T]) Len() int {
	l.of.guard.CheckRead()
	return len(l.of.data)
}

// Cap returns how many elements the list can have before it needs other memory.
func (l *List[T]) Cap() int {
	l.of.guard.CheckRead()
	return cap(l.of.data)
}

// At returns element i. An index outside [0, Len) is a violation, in unchecked builds the panic of a slice.
func (l *List[T]) At(i int) T { return l.of.At(i) }

// Set sets element i. An index outside [0, Len) is a violation, in unchecked builds the panic of a slice.
func (l *List[T]) Set(i int, v T) { l.of.Set(i, v) }

// Slice returns the elements themselves, to be read and written, until the list is changed in length. It is checked once, now: a slice
// kept while a job holds the list goes unseen, but for the race detector.
func (l *List[T]) Slice() []T {
	s := l.of.Slice()
	return s[:len(s):len(s)]
}

// All returns an iterator over the indices and elements in order. It checks custody at every step:
// a step while a job holds the list in a mode that excludes reads by the owner is a violation.
//
// The loop may change the list, also through a job that it completes. The iterator yields each
// element as it is when the loop reaches its index. It ends at the length that the list had at the
// beginning of the loop, or at the current length if that is less.
func (l *List[T]) All() iter.Seq2[int, T] { return l.of.All() }

// CopyFrom copies src over the elements. Unequal lengths are a violation.
func (l *List[T]) CopyFrom(src []T) { l.of.CopyFrom(src) }

// CopyTo copies the elements into dst. Unequal lengths are a violation.
func (l *List[T]) CopyTo(dst []T) { l.of.CopyTo(dst) }

// Append adds v at the end. It is a violation if the list would be longer than memory can hold.
//
// Cost: that of the built-in append.
func (l *List[T]) Append(v T) {
	l.of.guard.CheckWrite()
	if n := len(l.of.data); n == cap(l.of.data) {
		l.more(1)
	}
	l.set(append(l.of.data, v))
}

// AppendAll adds all of vs at the end, in their order. In all else it is as Append.
func (l *List[T]) AppendAll(vs []T) {
	l.of.guard.CheckWrite()
	l.more(len(vs))
	l.set(append(l.of.data, vs...))
}

// Insert puts vs before element i, or at the end if i is the length. An index outside [0, Len] is a
// violation, and so is a list that would be longer than memory can hold.
//
// Cost: a move of all elements from i on.
func (l *List[T]) Insert(i int, vs ...T) {
	l.of.guard.CheckWrite()
	if n := len(l.of.data); uint(i) > uint(n) {
		g := &l.of.guard
		v := g.Violation(safety.ErrIndex, g.Container()+" of length "+strconv.Itoa(n)+" was to get "+phrase.Amount(len(vs), "element")+" before element "+strconv.Itoa(i),
			"Insert before element 0 to length-1, or at the length, which is "+strconv.Itoa(n)+", to add at the end.")
		v.Index, v.Max, v.Length = i, n+1, n
		panic(v)
	}
	l.more(len(vs))
	l.set(slices.Insert(l.of.data, i, vs...))
}

// Remove takes element i out; those behind it move up. An index outside [0, Len) is a violation.
func (l *List[T]) Remove(i int) {
	l.of.guard.CheckWrite()
	l.one(i)
	l.remove(i, i+1)
}

// RemoveRange takes the elements begin <= i < end out; those behind them move up. A range that does not lie in [0, Len] is a violation.
func (l *List[T]) RemoveRange(begin, end int) {
	l.of.guard.CheckWrite()
	l.within(begin, end)
	l.remove(begin, end)
}

func (l *List[T]) remove(begin, end int) {
	data := l.of.data
	l.cut(begin + copy(data[begin:], data[end:]))
}

// RemoveSwapBack takes element i out and puts the last one into its place. An index outside [0, Len) is a violation.
//
// Cost: the same for a list of any length.
func (l *List[T]) RemoveSwapBack(i int) {
	l.of.guard.CheckWrite()
	l.one(i)
	last := len(l.of.data) - 1
	l.of.data[i] = l.of.data[last]
	l.cut(last)
}

// cut makes the list n elements long, which is no longer than it is, and keeps (L1).
func (l *List[T]) cut(n int) {
	if l.holds {
		clear(l.of.data[n:])
	}
	l.set(l.of.data[:n])
}

// Resize makes the list n elements long: it removes the last elements, or appends zero values. The
// capacity never becomes less. A negative n is a violation, and so is one beyond what memory can
// hold.
func (l *List[T]) Resize(n int) {
	l.of.guard.CheckWrite()
	l.count(n, "was to have", 0)
	if was := len(l.of.data); n > was {
		l.room(n - was)
		data := l.of.data[:n]
		clear(data[was:])
		l.set(data)
		return
	}
	l.cut(n)
}

// Grow makes room for n more elements, which can then be added without another allocation. A
// negative n is a violation, and so is one with which the list would be longer than memory can
// hold.
func (l *List[T]) Grow(n int) {
	l.of.guard.CheckWrite()
	l.more(n)
	l.room(n)
}

// room makes room for more elements, as the built-in append does.
func (l *List[T]) room(more int) {
	n := len(l.of.data)
	if more > cap(l.of.data)-n {
		l.set(larger(l.of.data, more))
	}
}

// larger returns a copy of data with room for more elements, which is not cleared twice.
func larger[T any](data []T, more int) []T {
	n := len(data)
	most := max(n+more, min(2*n, n+n/4+512)) // as append does
	return append(make([]T, 0, most), data...)
}

// Reserve makes room for n elements in all, and for no more, unless the list has as much: after it
// the list grows to n elements without another allocation. A negative n is a violation, and so is
// one beyond what memory can hold.
func (l *List[T]) Reserve(n int) {
	l.of.guard.CheckWrite()
	l.count(n, "was to have room for", 0)
	if was := l.of.data; n > cap(was) {
		l.set(append(make([]T, 0, n), was...))
	}
}

// Trim gives back the memory that the elements do not need, also what is kept for the next loop that appends.
//
// Cost: a copy of the elements, unless there is nothing to give back.
func (l *List[T]) Trim() {
	l.of.guard.CheckWrite()
	l.lanes.Trim()
	if data := l.of.data; cap(data) > len(data) {
		l.set(append(make([]T, 0, len(data)), data...))
	}
}

// Clear takes all elements out. The capacity is kept.
func (l *List[T]) Clear() {
	l.of.guard.CheckWrite()
	l.cut(0)
}

// Reader returns a view that reads everything: what is in the list when the job starts.
func (l *List[T]) Reader() Reader[T] {
	if l == nil {
		return Reader[T]{}
	}
	return l.of.Reader()
}

// Writer returns a view that reads and writes what the current batch's indices own. The length stays.
func (l *List[T]) Writer() Writer[T] {
	if l == nil {
		return Writer[T]{}
	}
	return l.of.Writer()
}

// Dispose ends the list: every later use is a violation. It is one itself while an uncompleted job holds the list, and the second time.
func (l *List[T]) Dispose() {
	l.of.guard.Dispose()
	l.drop()
}

// DisposeAfter is Dispose for a list that jobs hold: every use from now on is a violation, but that of the handle's job and of those that
// it runs after. Another job that holds it is a violation; then nothing changes. The memory is let go of when the last of them is
// completed.
func (l *List[T]) DisposeAfter(h safety.Handle) { l.of.guard.DisposeAfter(h, l.drop) }

func (l *List[T]) drop() {
	l.of.data = nil
	l.lanes.Trim()
}

// Disposed says whether the list was disposed.
func (l *List[T]) Disposed() bool { return l.of.Disposed() }

// one refuses an index that the list does not have.
func (l *List[T]) one(i int) {
	if uint(i) >= uint(len(l.of.data)) {
		l.of.outside(i)
	}
}

// within panics with a violation unless 0 <= begin <= end <= length.
func (l *List[T]) within(begin, end int) {
	n := len(l.of.data)
	if begin >= 0 && begin <= end && end <= n {
		return
	}
	g := &l.of.guard
	v := g.Violation(safety.ErrIndex, g.Container()+" of length "+strconv.Itoa(n)+" was to lose the elements "+strconv.Itoa(begin)+" <= i < "+strconv.Itoa(end),
		"A range has 0 <= begin <= end <= length, which is "+strconv.Itoa(n)+".")
	v.Index, v.Min, v.Max, v.Length = begin, begin, end, n
	panic(v)
}

// more panics with a violation if the list cannot have n more elements.
func (l *List[T]) more(n int) { l.count(n, "was to grow by", len(l.of.data)) }

// count panics with a violation if n is negative, or if memory cannot hold n elements beside as
// many others as beside tells. what is the operation, for the text.
func (l *List[T]) count(n int, what string, beside int) {
	if most := amount.Most[T]() - beside; n < 0 || n > most {
		g := &l.of.guard
		v := amount.Refusal(g, "of length "+strconv.Itoa(len(l.of.data))+" "+what, n, 0, most, "element")
		v.Length = len(l.of.data)
		panic(v)
	}
}
