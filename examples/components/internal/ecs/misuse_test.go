package ecs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// while does something while a job that moves, or one that only reads positions, is not complete.
func (f *fixture) while(view View[position], do func()) {
	h := New1(f.w, (*hold).Execute, view).Schedule(hold{})
	defer h.Complete()
	do()
}

const (
	positionsText  = `ecs.Column[example.com/custody/examples/components/internal/ecs.position] "positions"`
	velocitiesText = `ecs.Column[example.com/custody/examples/components/internal/ecs.velocity] "velocities"`
	massesText     = `ecs.Column[example.com/custody/examples/components/internal/ecs.mass] "masses"`
	worldText      = `ecs.World "world"`
)

// The text of a misuse, and all fields of the violation but the places.
var misuses = []struct {
	name string
	do   func(f *fixture)
	want safety.Violation
	says string
}{
	{"two jobs write one column", func(f *fixture) {
		f.while(f.positions.ReadWrite(), func() {
			New2(f.w, (*move).Execute, f.positions.ReadWrite(), f.velocities.ReadOnly()).Run(move{})
		})
	}, safety.Violation{Kind: safety.ErrConflict, Container: positionsText, Job: "move", Field: "Parameters.First", OtherJob: "hold", OtherField: "Parameters.First"},
		"job move (field Parameters.First) writes "},
	{"one job reads what another one writes", func(f *fixture) {
		h := New2(f.w, (*move).Execute, f.positions.ReadOnly(), f.velocities.ReadWrite()).Schedule(move{})
		defer h.Complete()
		New2(f.w, (*move).Execute, f.positions.ReadOnly(), f.velocities.ReadOnly().Changed()).Schedule(move{})
	}, safety.Violation{Kind: safety.ErrConflict, Container: velocitiesText, Job: "move", Field: "Parameters.Second", OtherJob: "move", OtherField: "Parameters.Second"},
		"job move (field Parameters.Second) reads "},
	{"one column twice in one job", func(f *fixture) {
		New2(f.w, func(*move, *position, *position) {}, f.positions.ReadWrite(), f.positions.ReadOnly()).Run(move{})
	}, safety.Violation{Kind: safety.ErrAliased, Container: positionsText, Job: "move", Field: "Parameters.First", OtherField: "Parameters.Second"}, "holds"},
	{"entities added while a job runs", func(f *fixture) {
		f.while(f.positions.ReadOnly(), func() { f.w.Add(1, f.labels) })
	}, safety.Violation{Kind: safety.ErrInFlight, Container: worldText, OtherJob: "hold", OtherField: "World"}, "World"},
	{"the owner changes what a job reads", func(f *fixture) {
		f.while(f.positions.ReadOnly(), func() { f.positions.Set(f.all[0], position{}) })
	}, safety.Violation{Kind: safety.ErrInFlight, Container: positionsText, OtherJob: "hold", OtherField: "Parameters.First"}, "hold"},
	{"the owner reads what a job writes", func(f *fixture) {
		f.while(f.positions.ReadWrite(), func() { f.positions.At(f.all[0]) })
	}, safety.Violation{Kind: safety.ErrInFlight, Container: positionsText, OtherJob: "hold", OtherField: "Parameters.First"}, "hold"},
	{"the world disposed while a job runs", func(f *fixture) {
		f.while(f.positions.ReadOnly(), f.w.Dispose)
	}, safety.Violation{Kind: safety.ErrInFlight, Container: worldText, OtherJob: "hold", OtherField: "World"}, "hold"},
	{"a job of a world that was disposed", func(f *fixture) {
		s := New1(f.w, (*hold).Execute, f.positions.ReadOnly())
		f.w.Dispose()
		s.Run(hold{})
	}, safety.Violation{Kind: safety.ErrDisposed, Container: worldText}, "disposed"},
	{"a column of a world that was disposed", func(f *fixture) {
		f.w.Dispose()
		f.positions.At(f.all[0])
	}, safety.Violation{Kind: safety.ErrDisposed, Container: positionsText}, "disposed"},
	{"a column that nobody has made", func(f *fixture) {
		var none *Column[velocity]
		New2(f.w, (*move).Execute, f.positions.ReadWrite(), none.ReadOnly()).Run(move{})
	}, safety.Violation{Kind: safety.ErrUnassigned, Job: "move", Field: "Parameters.Second"}, "never assigned"},
	{"a world that nobody has made", func(*fixture) { new(World).Len() }, safety.Violation{Kind: safety.ErrUnassigned}, ""},
	{"a range over entities that are added to", func(f *fixture) {
		for range f.positions.All() {
			f.w.Add(1, f.positions)
		}
	}, safety.Violation{Kind: safety.ErrBorrowed, Container: positionsText}, "was changed by Add"},
	{"a batch below -1", func(f *fixture) {
		New1(f.w, (*hold).Execute, f.positions.ReadOnly()).Run(hold{}, parallelfor.Batch(-2))
	}, safety.Violation{Kind: safety.ErrArgument, Job: "hold", N: -2}, "0 is automatic and -1 is one worker"},
	{"a nested run", func(f *fixture) {
		s := New2(f.w, (*move).Execute, f.positions.ReadWrite(), f.velocities.ReadOnly())
		New1(f.w, func(*hold, *label) { s.Run(move{}) }, f.labels.ReadOnly()).Run(hold{}, parallelfor.Batch(-1))
	}, nested(), ""},
	{"a view that is no system's", func(f *fixture) {
		parallelfor.For(1, f.positions.ReadWrite(), func(*View[position], int) {}, parallelfor.Name("loop"))
	}, safety.Violation{Kind: safety.ErrLength, Container: positionsText, Job: "loop", N: 1}, "serves only 0"},
	{"a component that the entity has not", func(f *fixture) {
		f.masses.At(f.all[len(f.all)-1])
	}, safety.Violation{Kind: safety.ErrIndex, Container: massesText, Index: 2}, "has none"},
	{"another world's column", func(f *fixture) { f.w.Add(1, made(0).positions) }, safety.Violation{Kind: safety.ErrArgument, Container: worldText}, "another world"},
	{"another world's tag", func(f *fixture) { Require(made(0).fast); newSystem[hold](f.w, []Filter{Exclude(made(0).ice)}) },
		safety.Violation{Kind: safety.ErrArgument, Container: worldText}, "another world"},
	{"excluded and needed", func(f *fixture) {
		New1(f.w, (*hold).Execute, f.positions.ReadOnly(), Exclude(f.positions, f.ice))
	}, safety.Violation{Kind: safety.ErrArgument, Container: worldText, N: 1}, "excludes what it needs"},
	{"fewer than no entities", func(f *fixture) { f.w.Add(-1) }, safety.Violation{Kind: safety.ErrLength, Container: worldText, N: -1}, "-1 entities"},
	{"chunks without rows", func(*fixture) { NewWorld(0) }, safety.Violation{Kind: safety.ErrLength}, "chunks of 0 rows"},
	{"too many parts", func(f *fixture) {
		for range most {
			f.w.NewTag()
		}
	}, safety.Violation{Kind: safety.ErrLength, Container: worldText}, "more than 64"},
	{"a kind that takes a piece of another batch", func(f *fixture) {
		s := New1(f.w, (*hold).Execute, f.positions.ReadWrite())
		s.begin(nil)
		p := s.process.(*process1[hold, position])
		parallelfor.ScheduleKind(t0, 10, p.task(hold{}, turn{version: 1}), astray{p}, parallelfor.Batch(5), parallelfor.Name("astray")).Complete()
	}, safety.Violation{Kind: safety.ErrWriteRange, Container: positionsText, Job: "astray", Field: "Parameters.First", Index: stray, Min: 0, Max: strayMax, Length: 12}, "outside the write range"},
}

// nested is what a run inside of a body is: strict builds see it where it begins.
func nested() safety.Violation {
	if safety.Strict {
		return safety.Violation{Kind: safety.ErrOwnerInJob, Container: worldText, Job: "hold"}
	}
	return safety.Violation{Kind: safety.ErrNotLent, Container: positionsText, Job: "move", Field: "Parameters.First", OtherJob: "hold"}
}

func TestMisuses(t *testing.T) {
	checked(t)
	for _, m := range misuses {
		t.Run(m.name, func(t *testing.T) {
			v := caught(t, func() { m.do(made(3)) })
			require.ErrorIs(t, v, m.want.Kind)
			require.ErrorContains(t, v, m.says)
			got := *v
			got.Made, got.Scheduled = "", ""
			w := m.want
			require.Equal(t, []any{w.Container, w.Job, w.Field, w.OtherJob, w.OtherField}, []any{got.Container, got.Job, got.Field, got.OtherJob, got.OtherField}, v.Error())
			require.Equal(t, []int{w.Index, w.Min, w.Max, w.N, w.Length}, []int{got.Index, got.Min, got.Max, got.N, got.Length}, v.Error())
		})
	}
}

func TestJobsOverDifferentColumnsRunSideBySide(t *testing.T) {
	f := made(9)
	a := New2(f.w, func(_ *hold, p *position, v *velocity) { v.X = p.X }, f.positions.ReadOnly(), f.velocities.ReadWrite()).Schedule(hold{})
	b := New2(f.w, func(_ *hold, m *mass, p *position) { m.M = p.Y }, f.masses.ReadWrite(), f.positions.ReadOnly()).Schedule(hold{})
	c := New1(f.w, (*hold).Execute, f.positions.ReadOnly()).Schedule(hold{})
	c.Complete()
	b.Complete()
	a.Complete()
	for e, v := range f.velocities.All() {
		require.Equal(t, f.positions.At(e).X, v.X)
	}
}

// In strict builds bodies get copies of what they only read, so nothing else can see what they write there.
func TestStrictBuildsSeeAReadOnlyComponentWritten(t *testing.T) {
	if !safety.Strict {
		t.Skip("only strict builds look")
	}
	f := made(9)
	before := bitsOf(f.positions)
	v := caught(t, func() {
		New2(f.w, (*move).Execute, f.positions.ReadOnly(), f.velocities.ReadOnly()).Run(move{Step: 1})
	})
	require.ErrorIs(t, v, ErrReadOnly)
	require.Equal(t, []any{positionsText, "move", "Parameters.First", 0}, []any{v.Container, v.Job, v.Field, v.Index})
	require.Equal(t, before, bitsOf(f.positions))
}
