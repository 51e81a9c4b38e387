package fuzz_test

import (
	"slices"

	"example.com/custody/table"
)

// card is a row of the tables of FuzzTable: a key, and an element of each of three columns.
type card struct {
	Key  int
	Cols [3]int
}

// ask is a request: to add a card, or to remove one by its name or its key, or to send it to
// another table.
type ask struct {
	adds  bool
	byKey bool
	id    table.ID // of an addition by a loop it is not known
	card  card
	to    *deck
	as    table.ID
}

// wrong is a request that came to nothing.
type wrong struct {
	id  table.ID
	key any
	err error
}

// place is a row of a deck, or a place that has none.
type place struct {
	there bool
	id    table.ID
	card  card
}

// deck is what a table is to be, in the plainest way.
type deck struct {
	keyed, fixed, discards bool // the last column
	chunk                  int
	places                 []place
	free                   []int // of a fixed one, the next ones last
	asks, looped           []ask
	clock                  int
	versions               [3][]int // of the chunks
}

// tick returns the version of a change that is made now.
func (d *deck) tick() int {
	d.clock++
	return d.clock
}

// touch notes that a row has changed in a column.
func (d *deck) touch(col, row, version int) { d.versions[col][row/d.chunk] = version }

func (d *deck) touchAll(col, version int) {
	for k := range d.versions[col] {
		d.versions[col][k] = version
	}
}

// chunks has the versions of as many chunks as there are.
func (d *deck) chunks() {
	n := (len(d.places) + d.chunk - 1) / d.chunk
	for col := range d.versions {
		for len(d.versions[col]) < n {
			d.versions[col] = append(d.versions[col], 0)
		}
		d.versions[col] = d.versions[col][:n]
	}
}

func (d *deck) at(id table.ID) int {
	return slices.IndexFunc(d.places, func(p place) bool { return p.there && p.id == id })
}

func (d *deck) count() int { return len(d.places) - len(d.free) }

// asked is an Apply that is being modelled.
type asked struct {
	*deck
	ended    []int
	adds     []ask
	off      []bool // the addition is called off, or refused
	known    int    // so many additions have registered their keys
	fate     map[table.ID]error
	lost     map[int]table.ID // the row or addition that had a key, and was taken last
	dead     map[int]table.ID // the dead row that has a key, until a removal takes it
	told     table.Report
	problems []wrong
}

// apply does what Apply is to do.
func (d *deck) apply(alive func(c card) bool, foreign func(id table.ID) bool) (table.Report, []wrong) {
	a := &asked{deck: d, fate: map[table.ID]error{}, lost: map[int]table.ID{}, dead: map[int]table.ID{}}
	if alive != nil {
		for i, p := range d.places {
			if p.there && !alive(p.card) {
				a.ended = append(a.ended, i)
				a.fate[p.id] = nil
				a.dead[p.card.Key] = p.id
				a.told.Swept++
			}
		}
	}
	asks := append(d.asks, d.looped...)
	d.asks, d.looped = nil, nil
	for _, q := range asks {
		if q.adds {
			a.adds = append(a.adds, q)
		}
	}
	a.off = make([]bool, len(a.adds))
	for i, q := range asks {
		switch {
		case q.adds:
			// A later removal may be of the row.
			if slices.ContainsFunc(asks[i:], func(q ask) bool { return !q.adds }) {
				a.register()
			}
		case q.byKey:
			a.removeKey(q.card.Key)
		case foreign(q.id):
			a.wrong(q.id, nil, table.ErrForeign)
		default:
			a.remove(q)
		}
	}
	var kept []ask
	for i, q := range a.adds {
		if a.off[i] {
			continue
		}
		if d.keyed && (a.live(q.card.Key) >= 0 || slices.ContainsFunc(kept, func(k ask) bool { return k.card.Key == q.card.Key })) {
			a.wrong(q.id, q.card.Key, table.ErrKey)
			continue
		}
		kept = append(kept, q)
	}
	if slices.Sort(a.ended); len(kept)+len(a.ended) > 0 {
		slices.Reverse(a.ended)
		if d.fixed {
			kept = a.refill(kept)
		} else {
			a.rebuild(kept)
		}
	}
	a.told.Added = len(kept)
	return a.told, a.problems
}

func (a *asked) wrong(id table.ID, key any, err error) {
	a.problems = append(a.problems, wrong{id, key, err})
}

// live returns the row of a key.
func (a *asked) live(key int) int {
	for i, p := range a.places {
		if p.there && p.card.Key == key && !slices.Contains(a.ended, i) {
			return i
		}
	}
	return -1
}

// register looks at the key of the next addition.
func (a *asked) register() {
	i := a.known
	a.known++
	if !a.keyed || a.off[i] {
		return
	}
	for k := range i {
		if !a.off[k] && a.adds[k].card.Key == a.adds[i].card.Key {
			a.off[i] = true
			a.fate[a.adds[i].id] = table.ErrNoRow
			a.wrong(a.adds[i].id, a.adds[i].card.Key, table.ErrKey)
			return
		}
	}
}

func (a *asked) callOff(i int) {
	a.off[i] = true
	a.fate[a.adds[i].id] = table.ErrRemovedTwice
	a.lost[a.adds[i].card.Key] = a.adds[i].id
	a.told.CalledOff++
}

func (a *asked) end(row int) {
	a.ended = append(a.ended, row)
	a.fate[a.places[row].id] = table.ErrRemovedTwice
	a.lost[a.places[row].card.Key] = a.places[row].id
	a.told.Removed++
}

func (a *asked) removeKey(key int) {
	met := false
	for i := range a.known {
		if !a.off[i] && a.adds[i].card.Key == key {
			a.callOff(i)
			met = true
			break
		}
	}
	if row := a.live(key); row >= 0 {
		a.end(row)
		return
	}
	if a.takeDead(key) || met {
		return
	}
	if id, known := a.lost[key]; known {
		a.wrong(id, key, a.fate[id])
	} else {
		a.wrong(table.ID{}, key, table.ErrNoRow)
	}
}

// takeDead takes the dead row that has a key, and reports whether there was one.
func (a *asked) takeDead(key int) bool {
	id, ok := a.dead[key]
	if ok {
		a.fate[id], a.lost[key] = table.ErrRemovedTwice, id
		delete(a.dead, key)
	}
	return ok
}

func (a *asked) remove(q ask) {
	err, ended := a.fate[q.id]
	i := slices.IndexFunc(a.adds, func(p ask) bool { return p.id == q.id && q.id != (table.ID{}) })
	row := a.at(q.id)
	switch {
	case ended && q.id != (table.ID{}) && err == nil && q.to != nil: // it is dead, and stays
		a.wrong(q.id, nil, table.ErrNoRow)
	case ended && q.id != (table.ID{}):
		if err != nil {
			a.wrong(q.id, nil, err)
		} else {
			a.fate[q.id] = table.ErrRemovedTwice
			if a.keyed {
				a.takeDead(a.places[row].card.Key)
			}
		}
	case i >= 0:
		a.callOff(i)
		c := a.adds[i].card
		if a.discards {
			c.Cols[2] = 0
		}
		q.arrive(c)
	case row >= 0:
		a.end(row)
		q.arrive(a.places[row].card)
	default:
		a.wrong(q.id, nil, table.ErrNoRow)
	}
}

// arrive stages the card in the table that the request moves it to, if any.
func (q *ask) arrive(c card) {
	if q.to == nil {
		return
	}
	if !q.to.keyed {
		c.Key = 0
	}
	q.to.asks = append(q.to.asks, ask{adds: true, id: q.as, card: c})
}

// rebuild moves the last rows to where others have ended, and has the new ones behind them.
func (a *asked) rebuild(kept []ask) {
	v := a.tick()
	var touched []int
	for _, row := range a.ended {
		last := len(a.places) - 1
		if row != last {
			a.places[row] = a.places[last]
			touched = append(touched, row)
		}
		a.places = a.places[:last]
	}
	for _, q := range kept {
		touched = append(touched, len(a.places))
		a.places = append(a.places, place{true, q.id, q.card})
	}
	a.chunks()
	for _, row := range touched {
		for col := range a.versions {
			if row < len(a.places) {
				a.touch(col, row, v)
			}
		}
	}
	if a.discards {
		for i := range a.places {
			a.places[i].card.Cols[2] = 0
		}
		a.touchAll(2, v)
	}
}

// refill empties places and fills others, as far as there are any.
func (a *asked) refill(kept []ask) []ask {
	v := a.tick()
	for _, row := range a.ended {
		a.places[row] = place{}
		a.free = append(a.free, row)
	}
	for len(kept) > len(a.free) {
		i := len(a.free)
		for _, q := range kept[i:] {
			a.wrong(q.id, nil, table.ErrFull)
		}
		kept = kept[:i]
	}
	touched := a.ended
	for _, q := range kept {
		row := a.free[len(a.free)-1]
		a.free = a.free[:len(a.free)-1]
		if a.discards {
			q.card.Cols[2] = 0
		}
		a.places[row] = place{true, q.id, q.card}
		touched = append(touched, row)
	}
	for _, row := range touched {
		for col := range a.versions {
			a.touch(col, row, v)
		}
	}
	return kept
}
