package ecs

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type (
	position struct{ X, Y float32 }
	velocity struct{ X, Y float32 }
	mass     struct{ M float32 }
	label    struct{ N int }
)

// fixture is a small world: chunks of four rows, three archetypes with positions, and one without.
type fixture struct {
	w          *World
	positions  *Column[position]
	velocities *Column[velocity]
	masses     *Column[mass]
	labels     *Column[label]
	fast, ice  Tag
	all        []Entity // that have a position
}

// made returns a world with n entities in each of five archetypes.
func made(n int) *fixture {
	f := &fixture{w: NewWorld(4, safety.Named("world"))}
	f.positions = NewColumn[position](f.w, safety.Named("positions"))
	f.velocities = NewColumn[velocity](f.w, safety.Named("velocities"))
	f.masses = NewColumn[mass](f.w, safety.Named("masses"))
	f.labels = NewColumn[label](f.w, safety.Named("labels"))
	f.fast, f.ice = f.w.NewTag(), f.w.NewTag()
	f.all = append(f.all, f.w.Add(n, f.positions, f.velocities, f.masses, f.labels)...)
	f.all = append(f.all, f.w.Add(n, f.positions, f.velocities, f.labels, f.fast)...)
	f.w.Add(n, f.masses, f.labels)
	f.all = append(f.all, f.w.Add(n, f.positions, f.velocities, f.masses, f.labels, f.fast, f.ice)...)
	f.all = append(f.all, f.w.Add(n, f.positions, f.labels)...)
	for i, e := range f.all {
		f.positions.Set(e, position{float32(i), 1 / float32(i+1)})
	}
	k := 0
	for e := range f.velocities.All() {
		k++
		f.velocities.chunks[e.chunk][e.row] = velocity{float32(k) / 3, -1 / float32(k)}
	}
	return f
}

type move struct{ Step float32 }

func (m *move) Execute(p *position, v *velocity) {
	p.X += float32(m.Step * v.X)
	p.Y += float32(m.Step * v.Y)
}

type hold struct{}

func (*hold) Execute(*position) {}

// caught returns the violation that do panics with.
func caught(t *testing.T, do func()) (v *safety.Violation) {
	t.Helper()
	defer func() {
		t.Helper()
		value := recover()
		err, _ := value.(error)
		require.True(t, errors.As(err, &v), "%v", value)
	}()
	do()
	return nil
}

// checked skips a test of what custody_unchecked leaves out.
func checked(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
}

// grids are the ways to run a loop that must all leave the same.
func grids(t *testing.T, try func(opts ...parallelfor.Option)) {
	for _, workers := range []int{1, 2, 8} {
		for _, batch := range []int{-1, 0, 1, 3, 7, 64} {
			t.Logf("%d workers, batch %d", workers, batch)
			try(parallelfor.Workers(workers), parallelfor.Batch(batch))
		}
	}
}
