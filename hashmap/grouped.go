package hashmap

// grouped applies the entries of a part whose keys come again often. It asks for the value of each
// key as an adjustment does, which fails where the sequential loop does. It folds the entries of
// the key into one value, in their order, and then adjusts each key once. If an ordinary operation
// has changed a key meanwhile, its entries are folded again, onto the new value (phases.I3).
type grouped struct {
	*applier
	items   ref
	numbers []uint32 // see steps.run, as seq and did
	seq     uint32
	did     *int
	end     int // how many items count

	index spanKeys
	keys  []groupedKey // the locals of index, in the order of their first items
}

// groupedKey is what the items of a key have come to.
type groupedKey struct {
	first   int     // the index of its first item
	base    content // of the value that the key had
	had     bool
	changed bool
	now     ref // its value, or nil
	own     ref // memory for what a fold returns, or nil
}

// runGrouped is as steps.run, for items whose keys come again often.
func (a *applier) runGrouped(items ref, n int, numbers []uint32, seq uint32, did *int) {
	g := &grouped{applier: a, items: items, numbers: numbers, seq: seq, did: did}
	defer g.settle() // also when a fold panics
	for i := range n {
		*did, g.end = i, i
		g.apply(g.keyOf(i), i)
	}
	g.end = n
}

// keyOf returns the key of an item.
func (g *grouped) keyOf(i int) *groupedKey {
	x := g.at(g.items, i)
	id := g.index.find(&g.m.keyKind, g.hashOf(x), x)
	if id == len(g.keys) {
		g.keys = append(g.keys, groupedKey{first: i})
		g.adjust(id, false, func(k *groupedKey, old ref) (ref, Op) {
			g.begin(k, old)
			return nil, Keep
		})
	}
	return &g.keys[id]
}

// adjust does to the key with the number id what f returns for the value old, or for none. puts is
// as of adjustFrom.
func (g *grouped) adjust(id int, puts bool, f func(k *groupedKey, old ref) (ref, Op)) {
	k := &g.keys[id]
	var c cursor
	g.aim(&c, g.m.root.Load(), g.at(g.items, k.first), g.index.locals[id].hash, later(g.seq, int(g.numbers[k.first])))
	g.m.adjustFrom(&c, puts, func(old ref, ok bool) (ref, Op) {
		if !ok {
			old = nil
		}
		return f(k, old)
	})
}

// begin makes old, or nil, the value that the items of a key come upon.
func (g *grouped) begin(k *groupedKey, old ref) {
	k.had, k.changed, k.now = old != nil, false, nil
	if k.had {
		k.base, k.now = g.m.identity(old), g.m.lasting(old)
	}
}

// apply does to a key what an item says.
func (g *grouped) apply(k *groupedKey, i int) {
	s := steps{a: g.applier, x: g.at(g.items, i), merged: k.own}
	if v, op := s.apply(k.now, k.now != nil); op == Update {
		k.now, k.own, k.changed = v, s.merged, true
	}
}

// settle adjusts the keys. If that fails, which needs an ordinary operation that came between, the
// keys that are left stay as they were.
func (g *grouped) settle() {
	for id := 0; id < len(g.keys) && g.keys[id].first < g.end; id++ {
		for done := false; !done; {
			*g.did = g.keys[id].first
			g.adjust(id, true, func(k *groupedKey, old ref) (ref, Op) {
				done = (old != nil) == k.had && (!k.had || g.m.identity(old) == k.base)
				switch {
				case !done:
					g.begin(k, old)
				case k.changed:
					return k.now, Update
				}
				return nil, Keep
			})
			if !done {
				g.fold(&g.keys[id])
			}
		}
	}
	*g.did = g.end // of the fold that has failed, if one has
}

// fold applies the items of a key to the value that it has by now.
func (g *grouped) fold(k *groupedKey) {
	x := g.at(g.items, k.first)
	for i := k.first; i < g.end; i++ {
		if i == k.first || g.m.same(x, g.at(g.items, i)) {
			*g.did = i
			g.apply(k, i)
		}
	}
}
