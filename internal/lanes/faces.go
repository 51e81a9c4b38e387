package lanes

import (
	"iter"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Open is Open of a lane.Lanes, for items T.
//
//go:norace
func Open[T any](ls *Lanes, p *safety.Phase) {
	if ls.Elem == nil && p.Mode == safety.Append {
		ls.Elem = elem.TypeOf[T]()
	}
	ls.Open(p)
}

// Lend is Lend of a lane.Lanes.
func Lend[T any](ls *Lanes, data []T) {
	behind := data[len(data):cap(data)]
	ls.Lend(elem.Data(behind), cap(behind), uintptr(amount.Size[T]()))
}

// Reuse is Reuse of a lane.Lanes.
func Reuse[T any](ls *Lanes, piece []T) {
	ls.reuse(elem.Data(piece), len(piece), uintptr(amount.Size[T]()))
}

// Append is Append of a lane.Lane.
//
//go:norace
func Append[T any](l *Lane, by *safety.Hold, v T) {
	if safety.Strict || l == nil || !TryAppend(l, v) {
		*(*T)(l.Next(by)) = v
	}
}

// TryAppend is TryAppend of a lane.Lane.
//
//go:norace
func TryAppend[T any](l *Lane, v T) bool {
	k := l.n
	if k == l.cap {
		return false
	}
	if atom.Race {
		l.witness.Write()
	}
	*elem.Nth[T](l.buf, k) = v
	l.n = k + 1
	return true
}

// AppendAll is AppendAll of a lane.Lane.
func AppendAll[T any](l *Lane, by *safety.Hold, vs []T) {
	if l != nil && Keep(l, vs) {
		return
	}
	p, n := l.room(by, len(vs))
	if n > 0 && (l.borrowed || atom.Race) {
		l.mustBeNew(by, elem.Data(vs))
	}
	if atom.Race && n > 0 && amount.Size[T]() > 0 {
		for _, v := range vs { // the detector sees the reads, not the writes (I6)
			Append(l, nil, v)
		}
		return
	}
	for n > 0 {
		n = copy(elem.Slice[T](p, n), vs)
		vs = vs[n:]
		p, n = l.filled(by, n, len(vs))
	}
}

// Keep appends vs, which lie behind the last item already, because Available has lent the place. It
// reports whether they do. In strict builds they count as others.
//
//go:norace
func Keep[T any](l *Lane, vs []T) bool {
	if safety.Strict || len(vs) > l.cap-l.n || elem.Data(vs) != elem.Pointer(elem.Nth[T](l.buf, l.n)) || !l.open {
		return false
	}
	l.n += len(vs)
	return true
}

// Available is AvailableBuffer of a lane.Lane.
//
//go:norace
func Available[T any](l *Lane, by *safety.Hold) []T {
	if safety.Strict || l == nil || l.n == l.cap {
		l.available(by)
	}
	if atom.Race {
		vs := make([]T, 0, 8) // (I6)
		l.lent, l.lentAt = elem.Data(vs), l.Len()
		return vs
	}
	l.borrowed = true
	n := min(l.cap-l.n, l.of.most) // returnDest clears no more than that behind the last item
	return elem.Slice[T](elem.Pointer(elem.Nth[T](l.buf, l.n)), n)[:0]
}

// Partial is Partial of a lane.Lane.
//
//go:norace
func Partial[T any](l *Lane, by *safety.Hold) *T {
	if safety.Strict || l == nil || l.partial == nil {
		return (*T)(l.newPartial(by))
	}
	return (*T)(l.partial)
}

// newPartial implements Partial for the first call in a span, and for every call in strict builds.
//
//go:norace
func (l *Lane) newPartial(by *safety.Hold) elem.Pointer {
	if safety.Strict && by != nil {
		by.CheckLane()
	}
	if l == nil || !l.open {
		panic(stale(by))
	}
	if l.partial == nil {
		if l.n == l.cap {
			l.grow(nil)
		}
		if atom.Race {
			l.witness.Write()
		}
		l.partial = l.of.Elem.At(l.buf, l.n)
		l.of.Elem.Clear(l.partial, 1)
		l.n++
	}
	return l.partial
}

// split ends the partial result, because items of a nested job follow it. The span goes on.
//
//go:norace
func (l *Lane) split() { l.partial = nil }

// Slices is Slices of a lane.Items.
func Slices[T any](s Items, lo, hi int) iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		s.Each(lo, hi, func(at int, p elem.Pointer, n int) bool { return yield(at, elem.Slice[T](p, n)) })
	}
}

// Take is Take of a lane.Items.
func Take[T any](s Items) iter.Seq2[int, []T] {
	s.Take()
	return Slices[T](s, 0, s.Len())
}
