package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/array"
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
		opts = append(opts, table.GrowInSteps(n))
	}
	d.chunks()
	b := &cabinet{deck: d, t: table.New[card](opts...)}
	for k := range b.cols {
		var how []table.ColumnOption
		if k == 2 && d.discards {
			how = append(how, table.Discard())
		}
		b.cols[k] = table.ColumnOf(b.t, func(c *card) *int { return &c.Cols[k] }, append(how, table.Named(fmt.Sprint("column ", k)))...)
	}
	if d.keyed {
		b.key = table.KeyOf(b.t, func(c *card) *int { return &c.Key })
	}
	b.changes = table.Changed(b.cols[0], b.cols[1])
	return b
}

// expect returns the rules that the owner breaks who uses something that jobs exclude.
func (p *cabinets) expect(excluded ...int) (broken kinds) {
	if slices.Contains(excluded, p.now.held) {
		broken.add(safety.ErrInFlight)
	}
	return broken
}

// given notes a name, which nobody has had.
func (p *cabinets) given(id table.ID, by *cabinet) {
	if p.had[id] != nil || id.Zero() {
		p.fatalf("the name %v is given twice", id)
	}
	p.had[id] = by
	p.ids = append(p.ids, id)
}

// someone is a name that was given, or nobody's.
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
		b.t.RemoveAll(ids)
		for _, id := range ids {
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

// brood stages in a loop: some indices add a card, some remove one.
type brood struct {
	Out  table.Stager[card]
	IDs  []table.ID `custody:"unguarded"` // unchanging
	Keys bool
	fail int
}

func (j *brood) asks(i int) (asks []ask) {
	if i%3 != 0 {
		c := card{Cols: [3]int{i, -i, i}}
		if j.Keys {
			c.Key = i % 12
		}
		asks = append(asks, ask{adds: true, card: c})
	}
	if len(j.IDs) > 0 && i%4 == 0 {
		asks = append(asks, ask{id: j.IDs[i*7%len(j.IDs)]})
	}
	return asks
}

func (j *brood) Execute(i int) error {
	for _, q := range j.asks(i) {
		if q.adds {
			j.Out.Add(q.card)
		} else {
			j.Out.Remove(q.id)
		}
	}
	if i == j.fail {
		return errAppending
	}
	return nil
}

// breed is a command: a loop that stages, and that may fail.
func (p *cabinets) breed() {
	n := p.Below(20)
	j := brood{IDs: slices.Clone(p.ids), Keys: p.now.keyed, fail: p.Next()}
	want := error(nil)
	for i := range n {
		p.now.looped = append(p.now.looped, j.asks(i)...)
		if i == j.fail {
			want = errAppending
			break
		}
	}
	j.Out = p.now.t.Stage()
	if err := parallelfor.RunErr(context.Background(), n, j, parallelfor.Batch(1+p.Below(4)), parallelfor.Workers(3)); err != want {
		p.fatalf("a loop that stages ended with %v, expected %v", err, want)
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
	want, problems := b.deck.apply(alive, func(id table.ID) bool { return !id.Zero() && p.had[id] != b })
	if got.Added != want.Added || got.Removed != want.Removed || got.Swept != want.Swept || got.CalledOff != want.CalledOff || len(got.Problems) != len(problems) {
		p.fatalf("Apply reports %+v, expected %+v, %v", got, want, problems)
	}
	for k, w := range problems {
		g := got.Problems[k]
		if w.id.Zero() && w.err != table.ErrNoRow { // a loop's, whose name is told here
			w.id = g.ID
			p.given(g.ID, b)
		}
		if g.ID != w.id || g.Key != w.key || !errors.Is(g, w.err) {
			p.fatalf("problem %d is %v, expected %v", k, g, w)
		}
	}
	for row := range b.places {
		if l := &b.places[row]; l.there && l.id.Zero() {
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

// adding adds the second column to the first one, and notes the rows.
type adding struct {
	To   array.Writer[int]
	From array.Reader[int]
	Rows array.ParallelWriter[int]
}

func (j *adding) Execute(i int) {
	j.To.Set(i, j.To.At(i)+j.From.At(i)+1)
	j.Rows.Append(i)
}

func (j *adding) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.Execute(i)
	}
}

// loop is a command: a loop by rows or by chunks, over all of them or over what has changed; or one of package parallelfor.
func (p *cabinets) loop(kind int) {
	const byRow, byChunk, plain = 0, 1, 2
	b, rows, changed := p.now, array.NewList[int](), p.Bit() && kind != plain
	workers := parallelfor.Workers(1 + p.Below(4))
	var broken kinds
	if b.held == column {
		broken.add(safety.ErrConflict)
	}
	over := b.t.Rows()
	if changed {
		over = over.Changed(b.changes)
	}
	if !p.use(fmt.Sprintf("loop %d, over changes %v", kind, changed), broken, func() {
		j := adding{b.cols[0].Writer(), b.cols[1].Reader(), rows.ParallelWriter()}
		switch kind {
		case byRow:
			table.Run(over, j, workers)
		case byChunk:
			table.RunChunks(over, j, workers)
		case plain:
			parallelfor.Run(len(b.places), j, workers)
		}
	}) {
		return
	}
	v := b.tick()
	var want []int
	for i, l := range b.places {
		chunk := i / b.chunk
		if changed && b.seen && b.versions[0][chunk] <= b.since && b.versions[1][chunk] <= b.since || kind == byRow && !l.there && b.fixed {
			continue
		}
		want = append(want, i)
		b.places[i].card.Cols[0] += l.card.Cols[1] + 1
	}
	for chunk := range b.versions[0] {
		if !changed || !b.seen || b.versions[0][chunk] > b.since || b.versions[1][chunk] > b.since {
			b.versions[0][chunk] = v
		}
	}
	if changed {
		b.since, b.seen = v, true
	}
	if !slices.Equal(rows.Slice(), want) {
		p.fatalf("a loop came to the rows %v, expected %v", rows.Slice(), want)
	}
}

// lend is a command: a job holds a column, or the rows, until complete, which is another.
func (p *cabinets) lend(what int) {
	if p.hold != nil {
		return
	}
	p.logf("a job takes %d", what)
	b, hold := p.now, make(chan struct{})
	p.hold, p.of, b.held = hold, b, what
	type views struct {
		In   array.Reader[int]
		Hold <-chan struct{} `custody:"unguarded"`
	}
	type rows struct {
		Names table.Lookup
		Hold  <-chan struct{} `custody:"unguarded"`
	}
	if what == column {
		p.flight = parallelfor.Go(views{b.cols[0].Reader(), hold}, func(v *views) { <-v.Hold })
	} else {
		p.flight = parallelfor.Go(rows{b.t.Lookup(), hold}, func(v *rows) { <-v.Hold })
	}
}

func (p *cabinets) complete() {
	if p.hold != nil {
		p.logf("Complete")
		close(p.hold)
		p.hold, p.of.held = nil, nothing
		p.flight.Complete()
	}
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
	// Each table has four bytes: 1 for keys, 1 for a fixed number of places, 1 for a column that discards, rows in a chunk - 1; and places - 1.
	// Commands, 16 more for the second table: 0 to 4 requests, 5 a loop that stages, 6 and 7 Apply: divisor - 1 and rest of what is dead; 8 to 10
	// loops: 1 for what has changed, workers - 1; 11 and 12 the owner's; 13 a job that holds something until 14; 15 a look at all.
	f.Add([]byte{0, 0, 0, 1, 5, 0, 0, 0, 0, 1, 0, 5, 0, 1, 2, 3, 4, 3, 6, 0, 5, 15, 4, 0, 6, 0, 5, 22, 0, 5, 15})
	f.Add([]byte{1, 0, 1, 1, 5, 0, 1, 1, 1, 1, 0, 5, 3, 3, 7, 5, 12, 100, 2, 6, 2, 1, 8, 1, 3, 8, 1, 3, 15})
	// A row is called off where it is to come before it comes, behind another one, and then removed there by its key.
	f.Add([]byte{1, 0, 0, 1, 5, 7, 1, 0, 0, 1, 5, 1, 6, 0, 5, 22, 0, 5, 4, 1, 16, 2, 18, 1, 0, 0, 6, 0, 5, 19, 7, 22, 0, 5, 15})
	// A row is found dead when it is to go to the other table.
	f.Add([]byte{0, 0, 0, 1, 5, 7, 0, 0, 0, 1, 5, 1, 6, 0, 5, 4, 1, 6, 1, 0, 22, 0, 5, 15})
	for seed := range 60 {
		f.Add(script(seed, 300))
	}
	f.Fuzz(runTable)
}
