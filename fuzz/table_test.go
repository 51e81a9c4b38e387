package fuzz_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// cabinet is a table and the deck that models it.
type cabinet struct {
	*deck
	t       *table.Table[card]
	key     *table.Key[int] // nil: there is none
	cols    [3]*table.Column[int]
	changes *table.Changes // of the first two columns
	since   int
	seen    bool
	tags    []*table.Tag
	held    int // by a job
}

// What a job holds of a cabinet.
const (
	nothing = iota
	column  // the first one, to read it
	names   // the rows, to look them up
)

// cabinets runs a program of FuzzTable.
type cabinets struct {
	*program
	all    [2]*cabinet
	tags   [2]*table.Tag
	ids    []table.ID            // that were given
	had    map[table.ID]*cabinet // whose they are
	now    *cabinet              // that the command is about
	of     *cabinet              // that a job holds
	hold   chan struct{}
	flight parallelfor.Handle
}

// make makes a table as the input says.
func (p *cabinets) make(name string) *cabinet {
	d := &deck{keyed: p.Bit(), fixed: p.Bit(), discards: p.Bit(), chunk: 1 + p.Below(4)}
	opts := []table.Option{table.Named(name), table.ChunkRows(d.chunk)}
	if n := 1 + p.Below(12); d.fixed {
		opts = append(opts, table.Fixed(n))
		d.places = make([]place, n)
		for row := n - 1; row >= 0; row-- {
			d.free = append(d.free, row)
		}
	} else if n%2 == 0 {
		opts = append(opts, table.GrowBy(1+float64(n)/8))
	}
	d.chunks()
	b := &cabinet{deck: d, t: table.New[card](opts...)}
	for k := range b.cols {
		var how []table.Option
		if k == 2 && d.discards {
			how = append(how, table.Discard())
		}
		b.cols[k] = table.ColumnOf(b.t, func(c *card) *int { return &c.Cols[k] }, append(how, table.Named(fmt.Sprint("column ", k)))...)
	}
	if d.keyed {
		b.key = table.KeyOf(b.t, func(c *card) *int { return &c.Key })
	}
	b.changes = table.NewChanges(b.cols[0], b.cols[1])
	return b
}

// expect returns the rules that the owner breaks who uses something that jobs exclude.
func (p *cabinets) expect(excluded ...int) (broken kinds) {
	if slices.Contains(excluded, p.now.held) {
		broken.add(safety.ErrInFlight)
	}
	return broken
}

// given notes a name, which no row has had.
func (p *cabinets) given(id table.ID, by *cabinet) {
	if p.had[id] != nil || id == (table.ID{}) {
		p.fatalf("the name %v is given twice", id)
	}
	p.had[id] = by
	p.ids = append(p.ids, id)
}

// someone is a name that was given, or one that no row has.
func (p *cabinets) someone() table.ID {
	if k := p.Next(); len(p.ids) > 0 && k < 250 {
		return p.ids[max(len(p.ids)-1-k%24, 0)]
	}
	return table.ID{}
}

// draw is a card; without a key it has none.
func (p *cabinets) draw() card {
	c := card{Key: p.Below(12), Cols: [3]int{p.Step(), 1000 * p.Step(), 3}}
	if !p.now.keyed {
		c.Key = 0
	}
	return c
}

// look compares the tables with what they are to be.
func (p *cabinets) look() {
	for _, b := range p.all {
		if b.t.Len() != len(b.places) || b.t.Count() != b.count() {
			p.fatalf("%d rows of %d, expected %d of %d", b.t.Count(), b.t.Len(), b.count(), len(b.places))
		}
		for i, l := range b.places {
			if got := [3]int{b.cols[0].At(i), b.cols[1].At(i), b.cols[2].At(i)}; got != l.card.Cols || b.t.ID(i) != l.id {
				p.fatalf("row %d, %v, is %v, expected %v, %v", i, b.t.ID(i), got, l.id, l.card.Cols)
			}
			if !l.there {
				continue
			}
			if c, ok := b.t.Get(l.id); !ok || c != l.card {
				p.fatalf("row %d is %v, expected %v", i, c, l.card)
			}
			if b.keyed {
				if id, ok := b.key.Find(l.card.Key); !ok || id != l.id {
					p.fatalf("the key %d is that of %v, expected %v", l.card.Key, id, l.id)
				}
			}
		}
		for _, id := range p.ids[max(len(p.ids)-30, 0):] {
			if row, ok := b.t.RowOf(id); ok != (b.at(id) >= 0) || ok && row != b.at(id) {
				p.fatalf("%v is row %d, %v; expected %d", id, row, ok, b.at(id))
			}
		}
	}
	with, without := p.tags[0], p.tags[1]
	var got, want []string
	for t := range table.Over(p.all[0].t, p.all[1].t).With(with).Without(without).All() {
		got = append(got, t.Name())
	}
	for _, b := range p.all {
		if slices.Contains(b.tags, with) && !slices.Contains(b.tags, without) {
			want = append(want, b.t.Name())
		}
	}
	if !slices.Equal(got, want) {
		p.fatalf("a query has %v, expected %v", got, want)
	}
}

func runTable(t *testing.T, input []byte) {
	p := &cabinets{program: newProgram(t, input), had: map[table.ID]*cabinet{}}
	p.tags = [2]*table.Tag{table.NewTag("with"), table.NewTag("without")}
	defer fuzz.HandOut(uint64(len(input)))()
	for k, name := range []string{"a", "b"} {
		p.all[k] = p.make(name)
		p.now = p.all[k]
		p.stage(0)
	}
	for p.More() {
		op := p.Next()
		p.now = p.all[op/16%2]
		switch op %= 16; op {
		case 0, 1, 2, 3, 4:
			p.stage(op)
		case 5:
			p.breed()
		case 6, 7:
			p.apply()
		case 8, 9, 10:
			p.loop(op - 8)
		case 11, 12:
			p.owner(p.Below(5))
		case 13:
			p.lend(column + p.Below(2))
		case 14:
			p.complete()
		case 15:
			p.look()
		}
	}
	p.complete()
	p.look()
	for k := range p.all {
		p.now = p.all[k]
		p.apply()
	}
	p.look()
}

func FuzzTable(f *testing.F) {
	// Each table has four bytes: 1 for keys, 1 for a fixed number of places, 1 for a column that
	// discards, rows in a chunk - 1; and places - 1. Commands, 16 more for the second table: 0 to 4
	// requests, 5 a loop that stages, 6 and 7 Apply: divisor - 1 and rest of what is dead; 8 to 10
	// loops: 1 for what has changed, workers - 1; 11 and 12 the owner's; 13 a job that holds
	// something until 14; 15 a look at all.
	f.Add([]byte{0, 0, 0, 1, 5, 0, 0, 0, 0, 1, 0, 5, 0, 1, 2, 3, 4, 3, 6, 0, 5, 15, 4, 0, 6, 0, 5, 22, 0, 5, 15})
	f.Add([]byte{1, 0, 1, 1, 5, 0, 1, 1, 1, 1, 0, 5, 3, 3, 7, 5, 12, 100, 2, 6, 2, 1, 8, 1, 3, 8, 1, 3, 15})
	// A row is called off where it is to come before it comes, behind another one, and then removed
	// there by its key.
	f.Add([]byte{1, 0, 0, 1, 5, 7, 1, 0, 0, 1, 5, 1, 6, 0, 5, 22, 0, 5, 4, 1, 16, 2, 18, 1, 0, 0, 6, 0, 5, 19, 7, 22, 0, 5, 15})
	// A row is found dead when it is to go to the other table.
	f.Add([]byte{0, 0, 0, 1, 5, 7, 0, 0, 0, 1, 5, 1, 6, 0, 5, 4, 1, 6, 1, 0, 22, 0, 5, 15})
	for seed := range 60 {
		f.Add(script(seed, 300))
	}
	f.Fuzz(runTable)
}
