package fuzz_test

import (
	"errors"
	"fmt"
	"slices"

	"example.com/custody/safety"
	"example.com/custody/table"
)

// stage is a command: a request, which no job is in the way of.
func (p *cabinets) stage(what int) {
	b := p.now
	switch what {
	case 0:
		c := p.draw()
		id := b.t.Add(c)
		p.given(id, b)
		b.asks = append(b.asks, ask{adds: true, id: id, card: c})
	case 1:
		cards := []card{p.draw(), p.draw(), p.draw()}[:p.Below(4)]
		for k, id := range b.t.AddAll(cards, nil) {
			p.given(id, b)
			b.asks = append(b.asks, ask{adds: true, id: id, card: cards[k]})
		}
	case 2:
		ids := []table.ID{p.someone(), p.someone()}[:1+p.Below(2)]
		for _, id := range ids {
			b.t.Remove(id)
			b.asks = append(b.asks, ask{id: id})
		}
	case 3:
		if key := p.Below(12); b.keyed {
			b.key.Remove(key)
			b.asks = append(b.asks, ask{byKey: true, card: card{Key: key}})
		}
	case 4:
		id, to := p.someone(), p.all[0]
		if to == b {
			to = p.all[1]
		}
		as := table.Transfer(b.t, id, to.t)
		p.given(as, to)
		b.asks = append(b.asks, ask{id: id, to: to.deck, as: as})
	}
}

// apply is a command.
func (p *cabinets) apply() {
	b, mod, rest := p.now, 1+p.Below(5), p.Below(6)
	broken := p.expect(column, names)
	var alive func(c card) bool
	if b.t.Len() > 0 && rest < mod && mod > 1 {
		alive = func(c card) bool { return c.Cols[0]%mod != rest }
	}
	var got table.Report
	if !p.use("Apply", broken, func() {
		if alive == nil {
			b.t.Sweep(nil)
		} else {
			b.t.Sweep(func(row int) bool { return alive(card{Cols: [3]int{b.cols[0].At(row)}}) })
		}
		got = b.t.Apply()
	}) {
		return
	}
	want, problems := b.deck.apply(alive, func(id table.ID) bool { return id != (table.ID{}) && p.had[id] != b })
	if got.Added != want.Added || got.Removed != want.Removed || got.Swept != want.Swept || got.CalledOff != want.CalledOff || len(got.Problems) != len(problems) {
		p.fatalf("Apply reports %+v, expected %+v, %v", got, want, problems)
	}
	for k, w := range problems {
		g := got.Problems[k]
		if w.id == (table.ID{}) && w.err != table.ErrNoRow { // a loop's, whose name is told here
			w.id = g.ID
			p.given(g.ID, b)
		}
		if g.ID != w.id || g.Key != w.key || !errors.Is(g, w.err) {
			p.fatalf("problem %d is %v, expected %v", k, g, w)
		}
	}
	for row := range b.places {
		if l := &b.places[row]; l.there && l.id == (table.ID{}) {
			l.id = b.t.ID(row)
			p.given(l.id, b)
		}
	}
}

// owner is a command: what the owner does with rows and columns.
func (p *cabinets) owner(what int) {
	b := p.now
	switch what {
	case 0:
		id, c := p.someone(), p.draw()
		row, ok := b.at(id), false
		var broken kinds
		if row >= 0 {
			broken = p.expect(column)
			is := b.places[row].card
			if c.Cols[0]%2 == 0 {
				c.Key = is.Key
			}
			if b.key != nil && c.Key != is.Key {
				broken.add(safety.ErrArgument)
			}
		}
		if p.use("Set", broken, func() { ok = b.t.Set(id, c) }) && ok != (row >= 0) {
			p.fatalf("Set of %v says %v", id, ok)
		}
		if row >= 0 && len(broken) == 0 {
			b.places[row].card.Cols = c.Cols
			for col := range b.cols {
				b.touch(col, row, b.tick())
			}
		}
	case 1:
		col, row := p.Below(3), p.Around(len(b.places))
		var broken kinds
		if col == 0 {
			broken = p.expect(column)
		}
		if row < 0 || row >= len(b.places) {
			broken.add(safety.ErrIndex)
		}
		if p.use(fmt.Sprint("Set ", row), broken, func() { b.cols[col].Set(row, 5) }) {
			b.places[row].card.Cols[col] = 5
			b.touch(col, row, b.tick())
		}
	case 2:
		col := p.Below(3)
		var broken kinds
		if col == 0 {
			broken = p.expect(column)
		}
		if p.use("Slice", broken, func() {
			for i := range b.cols[col].Slice() {
				b.cols[col].Slice()[i]++
			}
		}) {
			for i := range b.places {
				b.places[i].card.Cols[col]++
			}
			b.touchAll(col, b.tick())
		}
	case 3:
		row := p.Around(len(b.places))
		var broken kinds
		if row < 0 || row >= len(b.places) {
			broken.add(safety.ErrIndex)
		}
		p.use(fmt.Sprint("ID ", row), broken, func() { b.t.ID(row) })
	case 4:
		tag := p.tags[p.Below(2)]
		if p.Bit() {
			if p.use("Tag", p.expect(names), func() { b.t.Tag(tag) }) && !slices.Contains(b.tags, tag) {
				b.tags = append(b.tags, tag)
			}
		} else if p.use("Untag", p.expect(names), func() { b.t.Untag(tag) }) {
			b.tags = slices.DeleteFunc(b.tags, func(t *table.Tag) bool { return t == tag })
		}
	}
}
