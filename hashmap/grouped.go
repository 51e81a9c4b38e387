package hashmap

import "runtime"

// grouped applies the entries of a part whose keys come again often. It folds the entries of each
// key into one value, in their order, and then adjusts each key once. If an ordinary operation has
// changed a key meanwhile, its entries are folded again, onto its new value (phases.I3).
type grouped struct {
	*applier
	items   ref
	numbers []uint32 // see applier.run, as seq and did
	seq     uint32
	did     *int
	end     int // how many items count

	index spanKeys
	keys  []groupedKey // the locals of index, in the order of their first items
	done  int          // how many of these are adjusted
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

// runGrouped is run for items whose keys come again often.
func (a *applier) runGrouped(items ref, n int, hashes []uint64, numbers []uint32, seq uint32, did *int) {
	g := &grouped{applier: a, items: items, numbers: numbers, seq: seq, did: did}
	defer g.settle() // also when a fold panics
	for i := range n {
		*did, g.end = i, i
		g.apply(g.keyOf(i, hashes[i]), i)
	}
	g.end = n
}

// keyOf returns the key of an item with the given hash.
func (g *grouped) keyOf(i int, hash uint64) *groupedKey {
	m, x := g.m, g.at(g.items, i)
	if m.custom != nil {
		defer m.custom.count().leave()
	}
	id := g.index.find(&m.keyKind, hash, x)
	if id == len(g.keys) {
		g.keys = append(g.keys, groupedKey{first: i})
		var in room
		g.begin(&g.keys[id], m.look(x, hiddenRoom(&in)))
		runtime.KeepAlive(&in)
	}
	return &g.keys[id]
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
	x := g.at(g.items, i)
	op, v := g.opOf(x), offset(x, g.of.valAt)
	switch {
	case k.now == nil || op == opSet:
		k.now = v
	case op == opAdd:
		return
	default:
		if k.own == nil {
			k.own = g.m.keep(v)
		}
		g.folds[op-opMerge].fold(k.now, v, k.own)
		k.now = k.own
	}
	k.changed = true
}

// settle adjusts the keys that are left. If a fold fails here, which needs an ordinary operation
// that came between, its key stays as it was, and the others are adjusted.
func (g *grouped) settle() {
	defer func() {
		if g.done < len(g.keys) {
			g.settle()
		}
	}()
	for g.done < len(g.keys) {
		k := &g.keys[g.done]
		x := g.at(g.items, k.first)
		c := g.cursor(x, g.index.locals[g.done].hash, later(g.seq, int(g.numbers[k.first])))
		g.done++
		g.m.adjustFrom(&c, true, func(old ref, ok bool) (ref, Op) {
			if ok != k.had || ok && g.m.identity(old) != k.base {
				g.begin(k, old)
				for i := k.first; i < g.end; i++ {
					if i == k.first || g.m.same(x, g.at(g.items, i)) {
						*g.did = i
						g.apply(k, i)
					}
				}
			}
			if !k.changed {
				return nil, Keep
			}
			return k.now, Update
		})
	}
}
