package fuzz_test

import (
	"context"
	"fmt"
	"slices"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

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
	j.Out = p.now.t.Stager()
	if err := parallelfor.ForErr(context.Background(), n, j, (*brood).Execute, parallelfor.Batch(1+p.Below(4)), parallelfor.Workers(3)); err != want {
		p.fatalf("a loop that stages ended with %v, expected %v", err, want)
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

// loop is a command: a loop by rows or by chunks, over all of them or over what has changed; or one
// of package parallelfor.
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
			table.For(over, j, (*adding).Execute, workers)
		case byChunk:
			table.ForChunks(over, j, (*adding).ExecuteBatch, workers)
		case plain:
			parallelfor.For(len(b.places), j, (*adding).Execute, workers)
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
