package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// inlinePlaces implements places.
type inlinePlaces[K comparable, V any] struct {
	m *inline
	t *inlineTable
}

func (w *inlinePlaces[K, V]) numbered(o *order, all []uint64) []uint64 {
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
func (w *inlinePlaces[K, V]) touch(list []uint32) {
	for _, at := range list {
		w.t.blocks[at].key.Load()
	}
}

func (w *inlinePlaces[K, V]) key(i int) K {
	return word.To[K](w.m.hash.Key(w.m.hashAt(w.t, i, w.t.blocks[i].key.Load())))
}

func (w *inlinePlaces[K, V]) entry(i int) (K, V, bool) {
	k, v, ok := w.m.entry(w.t, i)
	return word.To[K](k), word.To[V](v), ok
}

func (w *inlinePlaces[K, V]) set(i int, v V) {
	p, e := &w.t.blocks[i], word.Of(v)^w.m.salt
	for {
		was := p.val.Load()
		if was < marks || e < marks {
			adjust(w.m, word.Of(w.key(i)), false, func(old uint64, ok bool) (uint64, Op) { return word.Of(v), given(ok) })
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
type boxPlaces[K comparable, E, W any] struct {
	in *boxes[K, E, W]
	t  *boxTable[K, E, W]
}

func (b *boxPlaces[K, E, W]) numbered(o *order, all []uint64) []uint64 {
	for i := range b.t.head.places {
		h, r, ok := b.in.boxAt(b.t, i)
		if ok && r.Tag()&says != 0 {
			_, ok = b.in.value(b.t, h, r)
		}
		if ok {
			all = append(all, o.numbered(i))
		}
	}
	return all
}

func (b *boxPlaces[K, E, W]) key(i int) K { return slotAt(b.t, i).box.Load().Ptr().key }

// wordBoxPlaces implements places.
type wordBoxPlaces[K comparable, V any] struct {
	boxPlaces[K, atom.Uint64, uint64]
	m *wordBoxes[K]
}

//go:norace
func (s *wordBoxPlaces[K, V]) touch(list []uint32) {
	var boxes [atOnce]wordBoxRef[K]
	for i, at := range list {
		boxes[i] = slotAt(s.t, int(at)).box.Load()
	}
	for _, r := range boxes[:len(list)] {
		r.Ptr().val.Load()
	}
}

func (s *wordBoxPlaces[K, V]) entry(i int) (k K, v V, ok bool) {
	h, r, ok := s.in.boxAt(s.t, i)
	if !ok {
		return k, v, false
	}
	e, ok := s.m.valueOf(s.t, h, r)
	return r.Ptr().key, word.To[V](e), ok
}

func (s *wordBoxPlaces[K, V]) set(i int, v V) {
	_, r, ok := s.in.boxAt(s.t, i)
	if !ok {
		return
	}
	b, e := r.Ptr(), word.Of(v)^s.m.salt
	for {
		was := b.val.Load()
		switch {
		case (was < marks || e < marks) && s.in.same(b.key, b.key):
			adjust(s.m, b.key, false, func(old uint64, ok bool) (uint64, Op) { return word.Of(v), given(ok) })
			return
		case b.val.CompareAndSwap(was, e):
			return
		}
	}
}

// valueBoxPlaces implements places.
type valueBoxPlaces[K comparable, V any] struct {
	boxPlaces[K, V, V]
	m *valueBoxes[K, V]
}

//go:norace
func (b *valueBoxPlaces[K, V]) touch(list []uint32) {
	for _, at := range list {
		slotAt(b.t, int(at)).box.Load()
	}
}

func (b *valueBoxPlaces[K, V]) entry(i int) (k K, v V, ok bool) {
	h, r, ok := b.in.boxAt(b.t, i)
	if !ok {
		return k, v, false
	}
	v, ok = b.m.valueOf(b.t, h, r)
	return r.Ptr().key, v, ok
}

func (b *valueBoxPlaces[K, V]) set(i int, v V) {
	for h, r, ok := b.in.boxAt(b.t, i); ok; h, r, ok = b.in.boxAt(b.t, i) {
		k := r.Ptr().key
		switch {
		case r.Tag()&says == 0:
			if slotAt(b.t, i).box.CompareAndSwap(r, tagged.To(&box[K, V]{key: k, val: v}, r.Tag())) {
				return
			}
			continue
		case b.in.same(k, k):
			adjust(b.m, k, false, func(old V, ok bool) (V, Op) { return v, given(ok) })
		default: // the box was moved
			b.in.inSlot(b.t.after(), h, r.Ptr(), func(_ *boxTable[K, V, V], p *tagged.Cell[box[K, V]], r tagged.Ref[box[K, V]]) bool {
				return p.CompareAndSwap(r, tagged.To(&box[K, V]{key: k, val: v}, r.Tag()))
			})
		}
		return
	}
}
