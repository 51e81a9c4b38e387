//go:build !race && !custody_explore

package guarantees_test

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// many are the elements of each container here.
const many = 8

// ints returns so many.
func ints() []int { return make([]int, many) }

// countArrays counts the rows of package array.
func countArrays(c *counted) {
	vs := ints()
	a, d := array.New[int](many), array.NewDouble[int](many)
	of := c.of("array.Array")
	of("Len", func() { used(a.Len()) })
	of("At, Set", func() { a.Set(1, a.At(1)) })
	of("All", func() {
		for range a.All() {
		}
	})
	of("CopyTo, CopyFrom", func() { a.CopyTo(vs); a.CopyFrom(vs) })
	of("Slice", func() { used(a.Slice()) })
	of("Clear", func() { a.Clear() })
	of("Reader, Writer", func() { used(a.Reader()); used(a.Writer()) })
	of("Disposed", func() { used(a.Disposed()) })
	of("Dispose", each(func() *array.Array[int] { return array.New[int](1) }, func(a *array.Array[int]) { a.Dispose() }))

	of = c.of("array.Double")
	of("Front, Back", func() { used(d.Front()); used(d.Back()) })
	of("Swap", func() { d.Swap() })
	of("Dispose", each(func() *array.Double[int] { return array.NewDouble[int](1) }, func(d *array.Double[int]) { d.Dispose() }))

	x := array.NewValue(1)
	of = c.of("array.Value")
	of("Load, Store", func() { x.Store(x.Load()) })
	of("Reader, Writer", func() { used(x.Reader()); used(x.Writer()) })
	of("Disposed", func() { used(x.Disposed()) })
	of("Dispose", each(func() *array.Value[int] { return array.NewValue(1) }, func(x *array.Value[int]) { x.Dispose() }))

	parts := array.New[int](many).Split(2)
	of = c.of("array.Parts")
	of("Len", func() { used(parts.Len()) })
	of("Part", func() { used(parts.Part(1)) })
	of("Range", func() { parts.Range(1) })
	of("All", func() {
		for range parts.All() {
		}
	})
	of("Join", each(func() *array.Parts[int] { return array.New[int](many).Split(2) }, func(p *array.Parts[int]) { p.Join() }))
	countLists(c)
	countStreams(c)
}

func countLists(c *counted) {
	vs := ints()
	l, d := array.NewList[int](), array.NewDoubleList[int]()
	l.AppendAll(vs)
	of := c.of("array.List")
	of("Len", func() { used(l.Len()) })
	of("Cap", func() { used(l.Cap()) })
	of("At, Set", func() { l.Set(1, l.At(1)) })
	of("All", func() {
		for range l.All() {
		}
	})
	of("CopyTo, CopyFrom", func() { l.CopyTo(vs); l.CopyFrom(vs) })
	of("Slice", func() { used(l.Slice()) })
	of("Clear", func() { l.Clear(); l.AppendAll(vs) })
	of("Remove", func() { l.Remove(1); l.Append(1) })
	of("RemoveRange", func() { l.RemoveRange(1, 3); l.AppendAll(vs[:2]) })
	of("RemoveSwapBack", func() { l.RemoveSwapBack(1); l.Append(1) })
	of("Stats", func() { used(l.Stats()) })
	of("Reader, Writer, ParallelWriter", func() { used(l.Reader()); used(l.Writer()); used(l.ParallelWriter()) })
	of("Disposed", func() { used(l.Disposed()) })
	of("Dispose", each(func() *array.List[int] { return array.NewList[int]() }, func(l *array.List[int]) { l.Dispose() }))

	of = c.of("array.DoubleList")
	of("Front, Back", func() { used(d.Front()); used(d.Back()) })
	of("Swap", func() { d.Swap() })
	of("Dispose", each(func() *array.DoubleList[int] { return array.NewDoubleList[int]() }, func(d *array.DoubleList[int]) { d.Dispose() }))
}

// stream returns one of three rows of two items.
func stream() *array.Stream[int] { return array.StreamOf([][]int{{1, 2}, {3, 4}, {5, 6}}) }

func countStreams(c *counted) {
	s := stream()
	of := c.of("array.Stream")
	of("Len", func() { used(s.Len()) })
	of("Count", func() { used(s.Count(1)) })
	of("Total", func() { used(s.Total()) })
	of("At", func() { used(s.At(1)) })
	of("Items", func() { used(s.Items()) })
	of("Offsets", func() { used(s.Offsets()) })
	of("All", func() {
		for range s.All() {
		}
	})
	of("Clear", func() { s.Clear(); s.AppendRow(1, 2); s.AppendRow(3); s.AppendRow() })
	of("Stats", func() { used(s.Stats()) })
	of("Reader, Writer, ParallelWriter", func() { used(s.Reader()); used(s.Writer()); used(s.ParallelWriter()) })
	of("KeyedWriter", func() { used(s.KeyedWriter()) })
	of("Disposed", func() { used(s.Disposed()) })
	of("Dispose", each(func() *array.Stream[int] { return array.NewStream[int]() }, func(s *array.Stream[int]) { s.Dispose() }))
}

// held has the views of package array that read, and those that each index has an element of.
type held struct {
	In      array.Reader[int]
	Rows    array.StreamReader[int]
	Value   array.ValueReader[int]
	Out     array.Writer[int]
	Sliced  array.OffsetWriter[int]
	Any     array.PermutedWriter[int]
	Stream  array.StreamWriter[int]
	Written array.ValueWriter[int]
}

// countArrayViews counts the rows of the views of package array, and of their drivers.
func countArrayViews(c *counted) {
	fresh := func() *array.Array[int] { return array.New[int](many) }
	large := array.New[int](1000)
	offsets := array.Of([]int{0, 3, 8})
	h := held{
		fresh().Reader(), stream().Reader(), array.NewValue(1).Reader(), fresh().Writer(), array.ByOffsets(fresh().Writer(), offsets.Reader()),
		array.Permuted(large.Writer()), stream().Writer(), array.NewValue(1).Writer(),
	}
	parallelfor.Do(h, func(h *held) {
		countReaders(c, h)
		countWriters(c, h)
	})
	w := fresh().Writer()
	c.of("array")("ByRows, ByOffsets, Unrestricted", func() { used(array.ByRows(w, 2)); used(array.ByOffsets(w, h.In)); used(array.Unrestricted(w)) })
}

func countReaders(c *counted, h *held) {
	of := c.of("array.Reader")
	of("Len, At", func() { used(h.In.At(h.In.Len() - 1)) })
	of("All", func() {
		for range h.In.All() {
		}
	})
	of("Slice", func() { used(h.In.Slice()) })

	of = c.of("array.StreamReader")
	of("Len, At", func() { used(h.Rows.At(h.Rows.Len() - 1)) })
	of("All", func() {
		for range h.Rows.All() {
		}
	})
	of("Count, Total", func() { used(h.Rows.Count(1)); used(h.Rows.Total()) })
	of("Items, Offsets", func() { used(h.Rows.Items()); used(h.Rows.Offsets()) })
	c.of("array.ValueReader")("Load", func() { used(h.Value.Load()) })
}

func countWriters(c *counted, h *held) {
	of := c.of("array.Writer")
	of("Begin, Len", func() { used(h.Out.Begin()); used(h.Out.Len()) })
	of("At, Set, Ptr", func() { h.Out.Set(1, h.Out.At(1)); *h.Out.Ptr(1) = 2 })
	of("Row, Slice", func() { used(h.Out.Row(1)); used(h.Out.Slice()) })
	c.of("array")("SplitAt", func() { usedTwo(array.SplitAt(&h.Out, 3)) })
	of("All", func() {
		for range h.Out.All() {
		}
	})

	of = c.of("array.OffsetWriter")
	of("Begin, Len", func() { used(h.Sliced.Begin()); used(h.Sliced.Len()) })
	of("At, Set, Ptr", func() { h.Sliced.Set(1, h.Sliced.At(1)); *h.Sliced.Ptr(1) = 2 })
	of("Row, Slice", func() { used(h.Sliced.Row(1)); used(h.Sliced.Slice()) })
	of("All", func() {
		for range h.Sliced.All() {
		}
	})

	next := 0
	c.of("array.PermutedWriter")("Len, Set, Ptr", func() {
		h.Any.Set(next%h.Any.Len(), 1)
		*h.Any.Ptr(next + 1) = 2
		next += 2
	})
	of = c.of("array.StreamWriter")
	of("At, Len", func() { used(h.Stream.At(h.Stream.Len() - 1)) })
	of("All", func() {
		for range h.Stream.All() {
		}
	})
	c.of("array.ValueWriter")("Load, Store, Ptr", func() { h.Written.Store(h.Written.Load()); *h.Written.Ptr() = 2 })
}
