package rounds

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// round is what owner i does in a round, at index i. Its fields say it all: everybody reads the costs and what was sent in the last round;
// an owner has what is its own, and appends what it sends to its row of Out.
type round struct {
	Costs     array.Reader[uint8]
	Tiles     array.Reader[tile]
	Begins    array.Reader[int]
	In        array.StreamReader[message]
	InStarts  array.Reader[int32]
	Owners    array.Writer[owner]
	Nodes     array.OffsetWriter[search.Node] // owner i has those of its places
	Out       array.StreamParallelWriter[message]
	OutStarts array.Writer[int32] // rows: in row i of Out, those for owner k begin at k
	Least     counter.ExtremumParallelWriter[int32]
	Expanded  counter.ParallelWriter
	Terms     terms
	Count     int // of owners
}

func (j *round) Execute(i int) {
	f := field{costs: j.Costs.Slice(), tiles: j.Tiles.Slice(), terms: j.Terms}
	o, nodes, base := j.Owners.Ptr(i), j.Nodes.Row(i), place(j.Begins.At(i))
	starts := j.InStarts.Slice()
	for k := range j.In.Len() {
		at := starts[k*(j.Count+1)+i:]
		o.receive(&f, nodes, base, j.In.At(k)[at[0]:at[1]])
	}
	o.expand(&f, nodes, base)
	begins, n := j.OutStarts.Row(i), 0
	for k, messages := range o.sent {
		begins[k] = int32(n)
		j.Out.AppendAll(i, messages)
		n += len(messages)
	}
	begins[len(o.sent)] = int32(n)
	j.Least.Observe(o.least)
	j.Expanded.Add(int64(o.count))
}

// mail is the messages of a round.
type mail struct {
	messages *array.Stream[message] // a row for each owner that sends
	starts   *array.Array[int32]    // see round.OutStarts
}

// Parallel searches in rounds whose owners run in parallel. What it finds does not depend on the options.
type Parallel struct {
	layout   *layout
	costs    *array.Array[uint8]
	tiles    *array.Array[tile]
	begins   *array.Array[int]
	owners   *array.Array[owner]
	nodes    *array.Array[search.Node]
	mails    [2]mail
	least    *counter.Min[int32]
	expanded *counter.Counter
	rounds   int
	opts     []parallelfor.Option
}

// NewParallel returns searches over a grid; opts are for all their loops.
func NewParallel(g grid.Grid, opts ...parallelfor.Option) *Parallel {
	l := newLayout(g)
	p := &Parallel{
		layout:   l,
		costs:    array.Of(l.costs, safety.Named("costs")),
		tiles:    array.Of(l.tiles, safety.Named("tiles")),
		begins:   array.Of(l.begins, safety.Named("begins")),
		owners:   array.Of(newOwners(l), safety.Named("owners")),
		nodes:    array.New[search.Node](len(l.costs), safety.Named("nodes")),
		least:    counter.NewMin[int32](safety.Named("least")),
		expanded: counter.New(safety.Named("expanded")),
		opts:     append([]parallelfor.Option{parallelfor.Batch(1)}, opts...),
	}
	for i := range p.mails {
		p.mails[i] = mail{array.NewStream[message](safety.Named("messages")), array.New[int32](l.owners*(l.owners+1), safety.Named("starts"))}
	}
	return p
}

// Find searches the cheapest way, and appends its cells to path.
func (p *Parallel) Find(q search.Query, path []grid.Cell) (search.Result, []grid.Cell) {
	j := begin(p.layout, q)
	p.rounds = 0
	if j.blocked() {
		return search.Result{Outcome: search.NoWay}, path
	}
	clear(p.nodes.Slice())
	j.start(p.owners.Slice(), p.nodes.Slice())
	p.mails[1].messages.Clear()
	for {
		in, out := p.mails[(p.rounds+1)%2], p.mails[p.rounds%2]
		out.messages.Clear()
		parallelfor.For(p.layout.owners, round{
			Costs: p.costs.Reader(), Tiles: p.tiles.Reader(), Begins: p.begins.Reader(),
			In: in.messages.Reader(), InStarts: in.starts.Reader(),
			Owners: p.owners.Writer(), Nodes: p.nodes.Writer().ByOffsets(p.begins.Reader()),
			Out: out.messages.ParallelWriter(), OutStarts: out.starts.Writer().Rows(p.layout.owners + 1),
			Least: p.least.ParallelWriter(), Expanded: p.expanded.ParallelWriter(),
			Terms: j.terms, Count: p.layout.owners,
		}, (*round).Execute, p.opts...)
		p.rounds++
		least, _ := p.least.Value()
		p.least.Reset()
		if result, more := j.next(least, p.nodes.At(int(j.goal)), int32(p.expanded.Swap(0))); !more {
			if result.Outcome == search.Found {
				path = j.trace(p.nodes.Slice(), path)
			}
			return result, path
		}
	}
}

// Rounds returns how many rounds the last search has had.
func (p *Parallel) Rounds() int { return p.rounds }

// Owners returns how many owners there are.
func (p *Parallel) Owners() int { return p.layout.owners }
