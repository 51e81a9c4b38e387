package sim

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Parallel is a simulation whose loops run in parallel. What it computes does not depend on the options.
type Parallel struct {
	Trace
	edge                  float32
	positions, velocities *array.Array[Vec]
	effects               *array.Array[Effect]
	cells                 *hashmap.MultiMap[Cell, int32]
	largest               *counter.Max[int]
	neighbours            *counter.Counter
	groupSum, sum         *counter.Sum[uint64]
	opts                  []parallelfor.Option
}

// NewParallel returns a simulation at its start; opts are for all its loops. The config must pass its Check.
func NewParallel(c Config, opts ...parallelfor.Option) *Parallel {
	positions, velocities := c.begin()
	return &Parallel{
		edge:       float32(c.edge()),
		positions:  array.Of(positions, safety.Named("positions")),
		velocities: array.Of(velocities, safety.Named("velocities")),
		effects:    array.New[Effect](c.N, safety.Named("effects")),
		cells:      hashmap.NewMulti[Cell, int32](safety.Named("cells")),
		largest:    counter.NewMax[int](safety.Named("largest")),
		neighbours: counter.New(safety.Named("neighbours")),
		groupSum:   counter.NewSum[uint64](safety.Named("checksum of the groups")),
		sum:        counter.NewSum[uint64](safety.Named("checksum of the particles")),
		opts:       opts,
	}
}

// Step goes on by a step. Its jobs are scheduled at once, and each runs after those whose work it needs:
//
//	group --+-- query --- move
//	        +-- census
//
// When query and census are complete nobody needs the groups any more: they are cleared while the particles move. The
// map keeps its memory for the next step.
func (s *Parallel) Step() {
	n := s.positions.Len()
	watch := s.begin()

	grouped := parallelfor.Schedule(n, group{Positions: s.positions.Reader(), Cells: s.cells.ParallelWriter()}, (*group).Execute, s.opts...)
	queried := parallelfor.Schedule(n, query{
		Positions: s.positions.Reader(), Cells: s.cells.Reader(), Effects: s.effects.Writer(),
	}, (*query).Execute, s.after(grouped)...)
	counted := parallelfor.Schedule(-1, census{
		Cells: s.cells.Reader(), Largest: s.largest.ParallelWriter(), Sum: s.groupSum.ParallelWriter(),
	}, (*census).Execute, s.after(grouped, parallelfor.LengthOf(s.cells.Reader()))...)
	moved := parallelfor.Schedule(n, move{
		Effects: s.effects.Reader(), Positions: s.positions.Writer(), Velocities: s.velocities.Writer(),
		Neighbours: s.neighbours.ParallelWriter(), Sum: s.sum.ParallelWriter(), Edge: s.edge,
	}, (*move).Execute, s.after(queried)...)

	grouped.Complete()
	watch.ended(Group)
	queried.Complete()
	counted.Complete()
	watch.ended(Query)
	occupied := s.cells.LenKeys()
	s.cells.Clear()
	moved.Complete()
	watch.ended(Move)

	largest, _ := s.largest.Value() // there is one: at least one particle is somewhere
	s.largest.Reset()
	s.Facts = append(s.Facts, Facts{
		Pairs: s.neighbours.Swap(0) / 2, Occupied: occupied, Largest: largest,
		Sum: mix(s.groupSum.Swap(0), s.sum.Swap(0)),
	})
}

// after returns the options of a job that runs after another.
func (s *Parallel) after(h parallelfor.Handle, more ...parallelfor.Option) []parallelfor.Option {
	opts := append([]parallelfor.Option{parallelfor.After(h)}, more...)
	return append(opts, s.opts...)
}

// State returns where the particles are, and how fast they move.
func (s *Parallel) State() (positions, velocities []Vec) {
	return s.positions.Slice(), s.velocities.Slice()
}
