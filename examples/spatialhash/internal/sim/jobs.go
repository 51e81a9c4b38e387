package sim

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
)

// group puts each particle into the group of its cell.
type group struct {
	Positions array.Reader[Vec]
	Cells     hashmap.MultiParallelWriter[Cell, int32]
}

func (j *group) Execute(i int) {
	j.Cells.Add(cellOf(j.Positions.At(i)), int32(i))
}

// query finds out what each particle's neighbours do to it.
type query struct {
	Positions array.Reader[Vec]
	Cells     hashmap.MultiReader[Cell, int32]
	Effects   array.Writer[Effect]
}

func (j *query) Execute(i int) {
	positions := j.Positions.Slice()
	at := positions[i]
	home := cellOf(at)
	e := j.Effects.Ptr(i)
	*e = Effect{}
	for _, d := range around {
		e.add(int32(i), at, positions, j.Cells.Values(home+d))
	}
}

// census looks at each group. It is as long as there are groups when it starts, and runs beside query: both only read
// the groups.
type census struct {
	Cells   hashmap.MultiReader[Cell, int32]
	Largest counter.ExtremumParallelWriter[int]
	Sum     counter.SumParallelWriter[uint64]
}

func (j *census) Execute(i int) {
	c, members := j.Cells.At(i)
	j.Largest.Observe(len(members))
	j.Sum.Add(groupSum(i, c, members))
}

// move moves each particle.
type move struct {
	Effects               array.Reader[Effect]
	Positions, Velocities array.Writer[Vec]
	Neighbours            counter.ParallelWriter
	Sum                   counter.SumParallelWriter[uint64]
	Edge                  float32
}

func (j *move) Execute(i int) {
	e := j.Effects.At(i)
	p, v := moved(j.Positions.At(i), j.Velocities.At(i), e, j.Edge)
	j.Positions.Set(i, p)
	j.Velocities.Set(i, v)
	j.Neighbours.Add(int64(e.Neighbours))
	j.Sum.Add(particleSum(i, p, v, e))
}
