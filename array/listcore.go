package array

import (
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/phrase"
	"example.com/custody/safety"
)

// list has the layout of a [List].
type list struct {
	core
	lanes lanes.Lanes
}

// The elements of a column of package table are a list. NewList makes one of any type for it, with
// the methods here whose names begin with capital letters.
func init() {
	elem.NewList = func(of *elem.Type, opts ...safety.Option) any {
		l := &list{lanes: lanes.Lanes{Elem: of}}
		l.guard.Init(l, 0, opts...)
		l.init()
		return l
	}
}

// init sets what the elements and their type tell.
func (l *list) init() {
	l.guard.Phases((*listPhases)(l))
	l.grows, l.size, l.n = true, l.lanes.Elem.Size, l.data.len
}

// Guard returns the guard.
func (l *list) Guard() *safety.Guard { return &l.guard }

// Data returns where the slice of the elements is.
func (l *list) Data() elem.Pointer { return elem.Pointer(&l.data) }

// Reader returns a view that the table makes one of the type of the elements.
func (l *list) Reader() Reader[byte] { return (*Array[byte])(elem.Pointer(l)).Reader() }

// Writer is as Reader.
func (l *list) Writer() Writer[byte] { return (*Array[byte])(elem.Pointer(l)).Writer() }

// Dispose is List.Dispose.
func (l *list) Dispose() {
	l.guard.Dispose()
	l.drop()
}

func (l *list) drop() {
	l.core.drop()
	l.lanes.Trim()
}

// shift moves the n elements from index from on to index to.
func (l *list) shift(to, from, n int) {
	if n > 0 {
		l.lanes.Elem.Copy(l.lanes.Elem.At(l.data.p, to), l.lanes.Elem.At(l.data.p, from), n)
	}
}

// grow makes room for n more elements, with the capacities of the built-in append. The memory
// beyond the length may have old elements: callers overwrite them. It panics with a violation if
// the list cannot have so many.
func (l *list) grow(n int) {
	was := l.data.len
	if l.count(n, "was to grow by", was); n > l.data.cap-was {
		l.move(max(was+n, min(2*was, was+was/4+512)))
	}
}

// move moves the elements to other memory, for n elements.
func (l *list) move(n int) {
	data := slice{l.lanes.Elem.Make(n), l.data.len, n}
	l.lanes.Elem.Copy(data.p, l.data.p, data.len)
	l.set(data)
}

// open makes place for n elements before element i. The caller sets them from a slice that begins
// at that address, which may be one of elements of the list: these then move to other memory.
func (l *list) open(i, n int, from uintptr) {
	l.guard.CheckWrite()
	was := l.data.len
	if uint(i) > uint(was) {
		v := l.guard.Violation(safety.ErrIndex, l.guard.Container()+" of length "+strconv.Itoa(was)+" was to get "+phrase.Amount(n, "element")+" before element "+strconv.Itoa(i),
			"Insert before element 0 to length-1, or at the length, which is "+strconv.Itoa(was)+", to add at the end.")
		v.Index, v.Max, v.Length = i, was+1, was
		panic(v)
	}
	if l.grow(n); from-uintptr(l.data.p) < uintptr(was)*l.size {
		l.move(l.data.cap)
	}
	l.shift(i+n, i, was-i)
	l.data.len += n
	l.n = l.data.len
}

// remove removes the elements begin <= i < end, or if one is set element begin.
func (l *list) remove(begin, end int, one bool) {
	l.guard.CheckWrite()
	n := l.data.len
	if begin < 0 || begin > end || end > n {
		if one {
			panic(l.Outside(begin))
		}
		v := l.guard.Violation(safety.ErrIndex, l.guard.Container()+" of length "+strconv.Itoa(n)+" was to lose the elements "+strconv.Itoa(begin)+" <= i < "+strconv.Itoa(end),
			"A range has 0 <= begin <= end <= length, which is "+strconv.Itoa(n)+".")
		v.Index, v.Min, v.Max, v.Length = begin, begin, end, n
		panic(v)
	}
	l.shift(begin, end, n-end)
	l.cut(n - end + begin)
}

// cut removes all elements from n on, and keeps (list.I1).
func (l *list) cut(n int) {
	if l.lanes.Elem.Holds {
		l.clear(n, l.data.len)
	}
	l.data.len, l.n = n, n
}

// clear makes the elements from begin to end zero.
func (l *list) clear(begin, end int) {
	s := l.data.part(begin, end, l.size)
	s.declareWrites(l.size)
	l.lanes.Elem.Clear(s.p, s.len)
}

// count panics with a violation if n is negative, or if memory cannot hold n+others elements. what
// is the operation, for the text.
func (l *list) count(n int, what string, others int) {
	if most := l.lanes.Elem.Most - others; n < 0 || n > most {
		v := amount.Refusal(&l.guard, "of length "+strconv.Itoa(l.data.len)+" "+what, n, 0, most, "element")
		v.Length = l.data.len
		panic(v)
	}
}

// Resize is List.Resize.
func (l *list) Resize(n int) {
	l.guard.CheckWrite()
	l.count(n, "was to have", 0)
	was := l.data.len
	if n <= was {
		l.cut(n)
		return
	}
	l.grow(n - was)
	l.clear(was, n)
	l.data.len, l.n = n, n
}

// Reserve is List.Reserve.
func (l *list) Reserve(n int) {
	l.guard.CheckWrite()
	if l.count(n, "was to have room for", 0); n > l.data.cap {
		l.move(n)
	}
}

// Clear is List.Clear.
func (l *list) Clear() {
	l.guard.CheckWrite()
	l.cut(0)
}
