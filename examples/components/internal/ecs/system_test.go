package ecs

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// bitsOf returns the components of a column, in their order, as bits.
func bitsOf(c *Column[position]) (all []uint32) {
	for _, p := range c.All() {
		all = append(all, math.Float32bits(p.X), math.Float32bits(p.Y))
	}
	return all
}

func TestASystemIsTheSequentialLoopAtAnyGridAndWorkers(t *testing.T) {
	for _, n := range []int{0, 1, 4, 13} {
		// The plain loop.
		plain := made(n)
		step := move{0.3}
		for range 3 {
			for e, v := range plain.velocities.All() {
				if plain.w.chunks[e.chunk].parts&plain.ice.bit == 0 {
					step.Execute(&plain.positions.chunks[e.chunk][e.row], &v)
				}
			}
		}
		want := bitsOf(plain.positions)
		grids(t, func(opts ...parallelfor.Option) {
			defer fuzz.HandOut(uint64(n))()
			f := made(n)
			moving := New2(f.w, (*move).Execute, f.positions.ReadWrite(), f.velocities.ReadOnly(), Exclude(f.ice))
			for range 3 {
				moving.Run(step, opts...)
			}
			require.Equal(t, want, bitsOf(f.positions))
		})
	}
}

// seen is a job that notes which entities it is called for.
type seen struct {
	Count counter.SumParallelWriter[int]
}

func (s *seen) Execute(l *label) { s.Count.Add(l.N) }

func TestRequireAndExclude(t *testing.T) {
	f := made(5)
	k := 0
	for e := range f.labels.All() {
		f.labels.Set(e, label{[]int{1, 1_00, 1_00_00, 1_00_00_00, 1_00_00_00_00}[k/5]})
		k++
	}
	for _, c := range []struct {
		filters []Filter
		want    int
	}{
		{nil, 5_05_05_05_05},
		{[]Filter{Require(f.fast)}, 5_00 + 5_00_00_00},
		{[]Filter{Exclude(f.fast)}, 5 + 5_00_00 + 5_00_00_00_00},
		{[]Filter{Require(f.fast), Exclude(f.ice)}, 5_00},
		{[]Filter{Require(f.velocities)}, 5 + 5_00 + 5_00_00_00},
		{[]Filter{Require(f.positions, f.masses)}, 5 + 5_00_00_00},
		{[]Filter{Exclude(f.positions)}, 5_00_00},
		{[]Filter{Exclude(f.positions, f.masses)}, 0},
	} {
		sum := counter.NewSum[int]()
		New1(f.w, (*seen).Execute, f.labels.ReadOnly(), c.filters...).Run(seen{sum.ParallelWriter()}, parallelfor.Batch(2))
		require.Equal(t, c.want, sum.Value(), "%v", c.filters)
	}
}

// Bodies of one to four parameters get the components of one entity.
type four struct {
	Out counter.SumParallelWriter[float64]
}

func (j *four) add(xs ...float32) {
	sum := 1.0
	for _, x := range xs {
		sum *= float64(x)
	}
	j.Out.Add(sum)
}

func (j *four) One(a *mass)                                       { j.add(a.M) }
func (j *four) Two(a *mass, b *label)                             { j.add(a.M, float32(b.N)) }
func (j *four) Three(a *mass, b *label, c *position)              { j.add(a.M, float32(b.N), c.X) }
func (j *four) Four(a *mass, b *label, c *position, d *velocity)  { j.add(a.M, float32(b.N), c.X, d.X) }
func (j *four) Write(a *mass, b *label, c *position, d *velocity) { c.Y, d.Y = a.M, float32(b.N) }
func (j *four) WriteThree(a *mass, b *label, c *position)         { c.Y, b.N = a.M, b.N+1 }

func TestBodiesOfOneToFourParameters(t *testing.T) {
	f := made(6)
	k := 0
	for e := range f.masses.All() {
		k++
		f.masses.chunks[e.chunk][e.row], f.labels.chunks[e.chunk][e.row] = mass{float32(k)}, label{k + 100}
	}
	want := [4]float64{}
	for e, m := range f.masses.All() {
		parts := f.w.chunks[e.chunk].parts
		product := float64(m.M)
		want[0] += product
		product *= float64(f.labels.At(e).N)
		want[1] += product
		if parts&f.positions.bit != 0 {
			product *= float64(f.positions.At(e).X)
			want[2] += product
			want[3] += product * float64(f.velocities.At(e).X)
		}
	}
	m, l, p, v := f.masses.ReadOnly(), f.labels.ReadOnly(), f.positions.ReadOnly(), f.velocities.ReadOnly()
	for k, s := range []*System[four]{
		New1(f.w, (*four).One, m), New2(f.w, (*four).Two, m, l), New3(f.w, (*four).Three, m, l, p), New4(f.w, (*four).Four, m, l, p, v),
	} {
		sum := counter.NewSum[float64]()
		s.Run(four{sum.ParallelWriter()}, parallelfor.Batch(1<<20))
		require.InEpsilon(t, want[k], sum.Value(), 1e-9)
		scheduled := counter.NewSum[float64]()
		s.Schedule(four{scheduled.ParallelWriter()}, parallelfor.Batch(1<<20)).Complete()
		require.Equal(t, sum.Value(), scheduled.Value())
	}
	sum := counter.NewSum[float64]()
	New4(f.w, (*four).Write, m, l, f.positions.ReadWrite(), f.velocities.ReadWrite()).Run(four{sum.ParallelWriter()}, parallelfor.Batch(3))
	New3(f.w, (*four).WriteThree, m, f.labels.ReadWrite(), f.positions.ReadWrite()).Run(four{sum.ParallelWriter()}, parallelfor.Batch(3))
	for e, v := range f.velocities.All() {
		if f.w.chunks[e.chunk].parts&f.masses.bit != 0 {
			require.Equal(t, f.masses.At(e).M, f.positions.At(e).Y)
			require.Equal(t, float32(f.labels.At(e).N-1), v.Y)
		}
	}
}

func TestEntitiesThatAreAddedAreSeenByTheNextRun(t *testing.T) {
	f := made(3)
	s := New1(f.w, (*seen).Execute, f.labels.ReadOnly(), Require(f.fast))
	for k := range 5 {
		entities, chunks := s.Len()
		require.Equal(t, []int{6 + 2*k, []int{2, 3, 3, 4, 4}[k]}, []int{entities, chunks}, k)
		for _, e := range f.w.Add(2, f.labels, f.fast) {
			f.labels.Set(e, label{1})
		}
		sum := counter.NewSum[int]()
		s.Run(seen{sum.ParallelWriter()})
		require.Equal(t, 2*(k+1), sum.Value())
	}
}

// copying is a job of the library's own kind over two containers.
type copying struct {
	To   array.Writer[velocity]
	From array.Reader[velocity]
}

func (c *copying) Execute(i int) { c.To.Set(i, c.From.At(i)) }

func TestFromTheSecondScheduleOnNothingIsAllocated(t *testing.T) {
	if safety.Strict {
		t.Skip("strict builds make a copy of the job for each batch")
	}
	f := made(1000)
	allocates := func(do func()) float64 {
		do()
		return testing.AllocsPerRun(200, do)
	}
	moving := New2(f.w, (*move).Execute, f.positions.ReadWrite(), f.velocities.ReadOnly())
	still := New2(f.w, (*move).Execute, f.positions.ReadWrite(), f.velocities.ReadOnly().Changed())
	require.Zero(t, allocates(func() { moving.Run(move{1}, parallelfor.Batch(64)) }))
	require.Zero(t, allocates(func() { moving.Run(move{1}, parallelfor.Batch(-1)) }))
	require.Zero(t, allocates(func() { still.Run(move{1}, parallelfor.Batch(2), parallelfor.Workers(2)) }))

	// A handle is for whoever keeps it, so its memory is not used again: by no kind.
	n, _ := moving.Len()
	from, to := array.New[velocity](n), array.New[velocity](n)
	handle := allocates(func() { parallelfor.Schedule(n, copying{to.Writer(), from.Reader()}, (*copying).Execute).Complete() })
	require.LessOrEqual(t, allocates(func() { moving.Schedule(move{1}).Complete() }), handle)
	require.LessOrEqual(t, allocates(func() { still.Schedule(move{1}).Complete() }), handle)
}

// Pieces of ranges, put together, are all rows of all chunks in order, wherever ranges begin and end.
func TestPiecesOfRangesAreAllRowsInOrder(t *testing.T) {
	f := made(7)
	q := &query{world: f.w, all: f.positions.bit}
	q.revise()
	type row struct{ chunk, row int }
	var want []row
	for e := range f.positions.All() {
		want = append(want, row{int(e.chunk), int(e.row)})
	}
	require.Len(t, want, q.len())
	for batch := 1; batch <= len(want)+1; batch++ {
		var got []row
		p := q.pieces()
		for begin := 0; begin < q.len(); begin += batch {
			end := min(begin+batch, q.len())
			next := begin
			for p.reset(begin, end); p.next(); next = p.end {
				require.Equal(t, next, p.begin)
				require.Equal(t, p.end-p.begin, p.to-p.from)
				for r := p.from; r < p.to; r++ {
					got = append(got, row{p.chunk, r})
				}
			}
			require.Equal(t, end, next)
		}
		require.True(t, slices.Equal(want, got), "batch %d", batch)
	}
	for begin := range want { // ranges in any order
		p := q.pieces()
		p.reset(len(want)-1, len(want))
		p.next()
		p.reset(begin, begin+1)
		require.True(t, p.next())
		require.Equal(t, want[begin], row{p.chunk, p.from})
		require.False(t, p.next())
	}
}
