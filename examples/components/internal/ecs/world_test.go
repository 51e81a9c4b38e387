package ecs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestWorldCountsWhatItHas(t *testing.T) {
	f := made(9)
	for _, c := range []struct {
		parts []Part
		want  int
	}{
		{nil, 45}, {[]Part{f.labels}, 45}, {[]Part{f.positions}, 36}, {[]Part{f.positions, f.masses}, 18}, {[]Part{f.fast, f.ice}, 9}, {[]Part{f.ice, f.velocities}, 9},
	} {
		require.Equal(t, c.want, f.w.Len(c.parts...))
	}
	chunks, archetypes := f.w.Chunks()
	require.Equal(t, []int{15, 5}, []int{chunks, archetypes})
}

func TestAColumnThatComesLaterHasNoEntities(t *testing.T) {
	f := made(9)
	late := NewColumn[float64](f.w)
	require.Zero(t, f.w.Len(late))
	for range late.All() {
		t.Error("there is one")
	}
	for i, e := range f.w.Add(6, late, f.positions) {
		late.Set(e, float64(i))
	}
	n := 0.0
	for e, v := range late.All() {
		require.Equal(t, n, v)
		require.Equal(t, v, late.At(e))
		if n++; n == 5 {
			break
		}
	}
	require.Equal(t, 6, f.w.Len(late))
}

// twelve is a job over three and four columns.
type twelve struct{ Calls counter.ParallelWriter }

func (j *twelve) Three(*mass, *label, *position)           { j.Calls.Inc() }
func (j *twelve) Four(*mass, *label, *position, *velocity) { j.Calls.Inc() }

func TestChangedOfThreeAndFourColumns(t *testing.T) {
	f := made(9)
	m, l, p, v := f.masses.ReadOnly(), f.labels.ReadOnly(), f.positions.ReadOnly(), f.velocities.ReadOnly()
	three := New3(f.w, (*twelve).Three, m.Changed(), l, p.Changed())
	four := New4(f.w, (*twelve).Four, m, l.Changed(), p.Changed(), v.Changed())
	calls := counter.New()
	run := func(wantThree, wantFour int64) {
		t.Helper()
		three.Run(twelve{calls.ParallelWriter()}, parallelfor.Batch(2))
		require.Equal(t, wantThree, calls.Swap(0))
		four.Run(twelve{calls.ParallelWriter()}, parallelfor.Batch(1))
		require.Equal(t, wantFour, calls.Swap(0))
	}
	run(18, 18)
	run(0, 0)
	f.masses.Set(f.all[0], mass{}) // in a chunk of four
	run(4, 0)
	f.labels.Set(f.all[8], label{}) // alone in its chunk
	f.velocities.Set(f.all[4], velocity{})
	run(0, 5)
	f.positions.Set(f.all[0], position{})
	f.velocities.Set(f.all[0], velocity{})
	run(4, 4)
}

func TestViewsSayWhatTheyClaim(t *testing.T) {
	f := made(9)
	var none *Column[position]
	for _, c := range []struct {
		view View[position]
		want safety.Claim
	}{
		{none.ReadOnly(), safety.Claim{}},
		{none.ReadWrite(), safety.Claim{}},
		{f.positions.ReadOnly().Changed(), safety.Claim{Guard: &f.positions.guard, Mode: safety.Read}},
		{f.positions.ReadWrite(), safety.Claim{Guard: &f.positions.guard, Mode: safety.Write, Ranged: true}},
	} {
		got := safety.ClaimOf(&c.view)
		require.Equal(t, []any{c.want.Mode, c.want.Ranged, c.want.Extent}, []any{got.Mode, got.Ranged, got.Extent})
		require.Same(t, c.want.Guard, got.Guard)
	}
	s := f.w.structure()
	require.Equal(t, safety.Read, safety.ClaimOf(&s).Mode)
}
