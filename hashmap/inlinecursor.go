package hashmap

// inlineCursor implements cursor.
type inlineCursor struct {
	m   *inline
	t   *inlineTable
	w   uint64
	p   *place // nil: the key has none
	at  int    // the index of p
	was uint64 // the value that seek read
	seq uint32 // the sequence number of the key, if it is put in
}

//lint:ignore U1000 functions with a seeker call it
func (m *inline) refTo(k uint64) ref { return refToWord(k) }

//lint:ignore U1000 functions with a seeker call it
func (m *inline) keyAt(p ref) ref { return p }

//lint:ignore U1000 functions with a seeker call it
func (m *inline) aside(v uint64) ref { return refToWord(v) }

//lint:ignore U1000 functions with a seeker call it
func (m *inline) back(v ref) uint64 { return wordAt(v) }

// refToWord returns a pointer to a copy of w, and wordAt the word at p.
func refToWord(w uint64) ref { return ref(&w) }
func wordAt(p ref) uint64    { return *(*uint64)(p) }

//lint:ignore U1000 functions with a seeker call it
func (m *inline) begin(k uint64) inlineCursor {
	return inlineCursor{m: m, t: m.first(), w: m.hash.Of(k)}
}

//lint:ignore U1000 functions with a seeker call it
func (m *inline) seek(c inlineCursor, puts bool) inlineCursor {
	for ; ; c.t = m.follow(c.t) {
		p, at, ended := m.locate(c.t, c.w, puts)
		c.p, c.at, c.was = p, at, noWord
		if ended {
			return c
		}
		if p == nil {
			continue
		}
		if c.was = p.val.Load(); c.was != movedWord {
			return c
		}
	}
}

func (c inlineCursor) said() (v uint64, s state) {
	switch c.was {
	case noWord:
		return 0, absent
	case sideWord:
		return 0, inSideTable
	}
	return c.was ^ c.m.salt, inPlace
}

// put makes e the word of the place.
func (c inlineCursor) put(e uint64) bool {
	if c.was == noWord {
		c.t.head.putSeq(c.at, c.seq)
	}
	return c.p.val.CompareAndSwap(c.was, e)
}

func (c inlineCursor) fits(v uint64) bool     { return v^c.m.salt >= marks }
func (c inlineCursor) set(v uint64) bool      { return c.put(v ^ c.m.salt) }
func (c inlineCursor) unset() bool            { return c.p.val.CompareAndSwap(c.was, noWord) }
func (c inlineCursor) setAside() bool         { return c.put(sideWord) }
func (c inlineCursor) sideTable() *sideTable  { return c.t.head.sideTableOf(c.w) }
func (c inlineCursor) counted(n int64)        { c.t.head.count(n) }
func (c inlineCursor) alike(a, b uint64) bool { return a == b }
