package hashmap

import (
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// inlinePlaces implements places.
type inlinePlaces struct {
	m                *inline
	t                *inlineTable
	keySize, valSize uintptr
}

func (w *inlinePlaces) numbered(o *order, all []uint64) []uint64 {
	for i := range w.t.blocks {
		p := &w.t.blocks[i]
		key := p.key.Load()
		if key == none || key == closed {
			continue
		}
		ok := p.val.Load() >= marks
		if !ok {
			_, _, ok = w.m.entry(w.t, i)
		}
		if ok {
			all = append(all, o.numbered(i))
		}
	}
	return all
}

//go:norace
func (w *inlinePlaces) touch(list []uint32) {
	for _, at := range list {
		w.t.blocks[at].key.Load()
	}
}

func (w *inlinePlaces) keyAt(i int) uint64 {
	return w.m.hash.Key(w.m.hashAt(w.t, i, w.t.blocks[i].key.Load()))
}

func (w *inlinePlaces) key(i int, in *room) ref {
	word.Put(ref(&in.key), w.keySize, w.keyAt(i))
	return ref(&in.key)
}

func (w *inlinePlaces) entry(i int, in *room) (k, v ref, ok bool) {
	key, val, ok := w.m.entry(w.t, i)
	word.Put(ref(&in.key), w.keySize, key)
	word.Put(ref(&in.val), w.valSize, val)
	return ref(&in.key), ref(&in.val), ok
}

func (w *inlinePlaces) set(i int, v ref) {
	p, val := &w.t.blocks[i], word.At(v, w.valSize)
	for e := val ^ w.m.salt; ; {
		was := p.val.Load()
		if was < marks || e < marks {
			w.m.adjust(w.keyAt(i), false, func(_ uint64, ok bool) (uint64, Op) { return val, given(ok) })
			return
		}
		if p.val.CompareAndSwap(was, e) {
			return
		}
	}
}

// given returns the Op that gives a value to a key only if it has one.
func given(ok bool) Op {
	if ok {
		return Update
	}
	return Keep
}

// boxPlaces is the common part of wordBoxPlaces and valueBoxPlaces.
type boxPlaces struct {
	in *boxes
	t  *boxTable
}

func (b *boxPlaces) numbered(o *order, all []uint64) []uint64 {
	for i := range b.t.head.places {
		h, r, ok := b.in.boxAt(b.t, i)
		if ok && r.Tag()&says != 0 && b.in.valued != nil {
			ok = b.in.valued(b.t, h, r)
		}
		if ok {
			all = append(all, o.numbered(i))
		}
	}
	return all
}

func (b *boxPlaces) key(i int, _ *room) ref { return slotAt(b.t, i).box.Load().Ptr().key() }

// wordBoxPlaces implements places.
type wordBoxPlaces struct {
	boxPlaces
	m       *wordBoxes
	valSize uintptr
}

//go:norace
func (s *wordBoxPlaces) touch(list []uint32) {
	var boxes [atOnce]boxRef
	for i, at := range list {
		boxes[i] = slotAt(s.t, int(at)).box.Load()
	}
	for _, r := range boxes[:len(list)] {
		s.m.word(r.Ptr()).Load()
	}
}

func (s *wordBoxPlaces) entry(i int, in *room) (k, v ref, ok bool) {
	h, r, ok := s.in.boxAt(s.t, i)
	e := uint64(0)
	if ok {
		e, ok = s.m.valueOf(s.t, h, r)
	}
	word.Put(ref(&in.val), s.valSize, e)
	return r.Ptr().key(), ref(&in.val), ok
}

func (s *wordBoxPlaces) set(i int, v ref) {
	_, r, ok := s.in.boxAt(s.t, i)
	if !ok {
		return
	}
	b, val := r.Ptr(), word.At(v, s.valSize)
	for e := val ^ s.m.salt; ; {
		was := s.m.word(b).Load()
		switch {
		case (was < marks || e < marks) && s.in.same(b.key(), b.key()):
			s.m.adjust(b.key(), false, func(_ uint64, ok bool) (uint64, Op) { return val, given(ok) })
			return
		case s.m.word(b).CompareAndSwap(was, e):
			return
		}
	}
}

// valueBoxPlaces implements places.
type valueBoxPlaces struct {
	boxPlaces
	m *valueBoxes
}

//go:norace
func (b *valueBoxPlaces) touch(list []uint32) {
	for _, at := range list {
		slotAt(b.t, int(at)).box.Load()
	}
}

func (b *valueBoxPlaces) entry(i int, _ *room) (k, v ref, ok bool) {
	h, r, ok := b.in.boxAt(b.t, i)
	if ok {
		v, ok = b.m.valueOf(b.t, h, r)
	}
	return r.Ptr().key(), v, ok
}

func (b *valueBoxPlaces) set(i int, v ref) {
	for h, r, ok := b.in.boxAt(b.t, i); ok; h, r, ok = b.in.boxAt(b.t, i) {
		k := r.Ptr().key()
		switch {
		case r.Tag()&says == 0:
			if slotAt(b.t, i).box.CompareAndSwap(r, tagged.To(b.in.box(k, v), r.Tag())) {
				return
			}
			continue
		case b.in.same(k, k):
			b.m.adjust(k, false, func(_ ref, ok bool) (ref, Op) { return v, given(ok) })
		default: // the box was moved
			b.in.inSlot(b.t.after(), h, r.Ptr(), func(_ *boxTable, p *cell, r boxRef) bool {
				return p.CompareAndSwap(r, tagged.To(b.in.box(k, v), r.Tag()))
			})
		}
		return
	}
}
