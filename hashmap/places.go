package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// wordPlaces implements places.
type wordPlaces[K comparable, V any] struct {
	m *words
	t *wordTable
}

func (w *wordPlaces[K, V]) aged(o *order, all []uint64) []uint64 {
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
			all = append(all, o.aged(i))
		}
	}
	return all
}

//go:norace
func (w *wordPlaces[K, V]) touch(list []uint32) {
	for _, at := range list {
		w.t.blocks[at].key.Load()
	}
}

func (w *wordPlaces[K, V]) key(i int) K {
	return word.To[K](w.m.hash.Key(w.m.hashAt(w.t, i, w.t.blocks[i].key.Load())))
}

func (w *wordPlaces[K, V]) age(i int) uint32 { return w.t.head.order.Load().ages[i].Load() }

func (w *wordPlaces[K, V]) now() uint32 { return w.t.head.of.age.Load() }

func (w *wordPlaces[K, V]) renew(list []uint32) { w.t.head.renew(list) }

func (w *wordPlaces[K, V]) entry(i int) (K, V, bool) {
	k, v, ok := w.m.entry(w.t, i)
	return word.To[K](k), word.To[V](v), ok
}

func (w *wordPlaces[K, V]) set(i int, v V) {
	p, e := &w.t.blocks[i], word.Of(v)^w.m.salt
	for {
		was := p.val.Load()
		if was < marks || e < marks {
			adjust(w.m, word.Of(w.key(i)), false, func(old uint64, ok bool) (uint64, action) { return word.Of(v), given(ok) })
			return
		}
		if p.val.CompareAndSwap(was, e) {
			return
		}
	}
}

// given says what to do to a key that gets a value if it has one.
func given(ok bool) action {
	if ok {
		return put
	}
	return keep
}

// smallPlaces implements places.
type smallPlaces[K comparable, V any] struct {
	m *smalls[K]
	t *smallTable[K]
}

func (s *smallPlaces[K, V]) aged(o *order, all []uint64) []uint64 {
	for i := range s.t.head.places {
		h, r, ok := s.m.boxes.boxAt(s.t, i)
		if ok && r.Tag()&says != 0 {
			_, ok = s.m.valueOf(s.t, h, r)
		}
		if ok {
			all = append(all, o.aged(i))
		}
	}
	return all
}

//go:norace
func (s *smallPlaces[K, V]) touch(list []uint32) {
	var boxes [atOnce]smallRef[K]
	for i, at := range list {
		boxes[i] = slotAt(s.t, int(at)).box.Load()
	}
	for _, r := range boxes[:len(list)] {
		r.Ptr().val.Load()
	}
}

func (s *smallPlaces[K, V]) key(i int) K { return slotAt(s.t, i).box.Load().Ptr().key }

func (s *smallPlaces[K, V]) age(i int) uint32 { return s.t.head.order.Load().ages[i].Load() }

func (s *smallPlaces[K, V]) now() uint32 { return s.t.head.of.age.Load() }

func (s *smallPlaces[K, V]) renew(list []uint32) { s.t.head.renew(list) }

func (s *smallPlaces[K, V]) entry(i int) (k K, v V, ok bool) {
	h, r, ok := s.m.boxes.boxAt(s.t, i)
	if !ok {
		return k, v, false
	}
	e, ok := s.m.valueOf(s.t, h, r)
	return r.Ptr().key, word.To[V](e), ok
}

func (s *smallPlaces[K, V]) set(i int, v V) {
	h, r, ok := s.m.boxes.boxAt(s.t, i)
	if !ok {
		return
	}
	b, e := r.Ptr(), word.Of(v)^s.m.salt
	for {
		was := b.val.Load()
		switch {
		case was >= marks && e >= marks:
			if b.val.CompareAndSwap(was, e) {
				return
			}
			continue
		case s.m.boxes.same(b.key, b.key):
			adjust(s.m, b.key, false, func(old uint64, ok bool) (uint64, action) { return word.Of(v), given(ok) })
		default:
			s.m.changeOdd(s.t, h, b, word.Of(v))
		}
		return
	}
}

// changeOdd changes the value of a key that is not equal to itself, if it has one.
func (m *smalls[K]) changeOdd(t *smallTable[K], h uint32, b *box[K, atom.Uint64], v uint64) {
	s := t.recordsOf(uint64(h))
	s.lock()
	defer s.mu.Unlock()
	for e := v ^ m.salt; ; {
		was, r := b.val.Load(), s.at(b)
		switch {
		case was == noWord:
			return
		case e < marks && r != nil:
			r.val = v
			return
		case e < marks:
			r = s.add(b.key, v, true)
			if r.at = b; b.val.CompareAndSwap(was, laidWord) {
				return
			}
			s.remove(r)
		case b.val.CompareAndSwap(was, e):
			if r != nil {
				s.remove(r)
			}
			return
		}
	}
}

// bigPlaces implements places.
type bigPlaces[K comparable, V any] struct {
	m *bigs[K, V]
	t *boxTable[K, V, V]
}

func (b *bigPlaces[K, V]) aged(o *order, all []uint64) []uint64 {
	for i := range b.t.head.places {
		h, r, ok := b.m.boxes.boxAt(b.t, i)
		if ok && r.Tag()&says != 0 {
			_, ok = b.m.valueOf(b.t, h, r)
		}
		if ok {
			all = append(all, o.aged(i))
		}
	}
	return all
}

//go:norace
func (b *bigPlaces[K, V]) touch(list []uint32) {
	for _, at := range list {
		slotAt(b.t, int(at)).box.Load()
	}
}

func (b *bigPlaces[K, V]) key(i int) K { return slotAt(b.t, i).box.Load().Ptr().key }

func (b *bigPlaces[K, V]) age(i int) uint32 { return b.t.head.order.Load().ages[i].Load() }

func (b *bigPlaces[K, V]) now() uint32 { return b.t.head.of.age.Load() }

func (b *bigPlaces[K, V]) renew(list []uint32) { b.t.head.renew(list) }

func (b *bigPlaces[K, V]) entry(i int) (k K, v V, ok bool) {
	h, r, ok := b.m.boxes.boxAt(b.t, i)
	if !ok {
		return k, v, false
	}
	v, ok = b.m.valueOf(b.t, h, r)
	return r.Ptr().key, v, ok
}

func (b *bigPlaces[K, V]) set(i int, v V) {
	for h, r, ok := b.m.boxes.boxAt(b.t, i); ok; h, r, ok = b.m.boxes.boxAt(b.t, i) {
		k := r.Ptr().key
		switch {
		case r.Tag()&says == 0:
			if slotAt(b.t, i).box.CompareAndSwap(r, tagged.To(&box[K, V]{key: k, val: v}, r.Tag())) {
				return
			}
			continue
		case b.m.boxes.same(k, k):
			adjust(b.m, k, false, func(old V, ok bool) (V, action) { return v, given(ok) })
		default:
			b.m.changeOdd(b.t.after(), h, r.Ptr(), v)
		}
		return
	}
}

// changeOdd changes the value of a key that is not equal to itself, whose box was moved, if it still has one.
func (m *bigs[K, V]) changeOdd(t *boxTable[K, V, V], h uint32, b *box[K, V], v V) {
	for ; t != nil; t = t.after() {
		for _, p := range run(t, h) {
			x := p.hash.Load()
			if x == none || x == shut {
				break
			}
			for x == h {
				r := p.box.Load()
				if r.Nil() || r.Ptr() != b || r.Tag()&says != 0 {
					break
				}
				if p.box.CompareAndSwap(r, tagged.To(&box[K, V]{key: b.key, val: v}, r.Tag())) {
					return
				}
			}
		}
	}
}
