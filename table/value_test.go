package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// falling adds what all rows share.
type falling struct {
	Gravity array.ValueReader[int]
	Vel     array.Writer[int]
}

func (f *falling) Execute(row int) { f.Vel.Set(row, f.Vel.At(row)+f.Gravity.Load()) }

// A loop reads what the rows of its table share, in each table another value, and finds it changed the next time.
func TestRowsShareAValue(t *testing.T) {
	a, b, none := newBodies(100), newBodies(50), newBodies(10)
	g := table.ValueOf(a.t, 10, table.Named("gravity"))
	table.ValueOf(b.t, 2, table.Named("gravity"))
	table.ValueOf(b.t, "text", table.Named("medium"))
	fall := func(t table.Any) parallelfor.Handle {
		g := table.FindValue[int](t, "gravity")
		if g == nil {
			return parallelfor.Handle{}
		}
		return table.Schedule(t.Rows(), falling{g.Reader(), table.FindColumn[int](t, "vel").Writer()}, (*falling).Execute, parallelfor.Workers(2))
	}
	all := table.Over(a.t, b.t, none.t)
	first, second, third := a.vel.At(7), b.vel.At(7), none.vel.At(7)
	all.Schedule(fall).Complete()
	require.Equal(t, 10, g.Load())
	g.Store(100)
	all.Schedule(fall).Complete()
	require.Equal(t, []int{first + 110, second + 4, third}, []int{a.vel.At(7), b.vel.At(7), none.vel.At(7)})
	require.Equal(t, "text", table.FindValue[string](b.t, "medium").Load())
	require.Nil(t, table.FindValue[int](b.t, "medium"), "of another type")
	require.Nil(t, table.FindValue[int](a.t, "none"))
}

func TestMisuseOfValues(t *testing.T) {
	lawtest.CheckedOnly(t)
	w := newBodies(10)
	g := table.ValueOf(w.t, new(int), table.Named("g"))
	type views struct{ G array.ValueReader[*int] }
	h := parallelfor.Go(views{g.Reader()}, func(v *views) { v.G.Load() }, parallelfor.Name("reads"))
	v := lawtest.Violation(t, func() error { g.Store(nil); return nil })
	require.ErrorIs(t, v, safety.ErrInFlight)
	require.Equal(t, []string{`array.Value[*int] "g"`, "reads", "G"}, []string{v.Container, v.OtherJob, v.OtherField})
	arraylaw.Breaks(t, safety.ErrInFlight, func() { w.t.Dispose() })
	require.False(t, w.t.Disposed(), "nothing has happened")
	h.Complete()
	require.NotNil(t, g.Load())

	outside := g.Reader()
	arraylaw.Breaks(t, safety.ErrStaleView, func() { outside.Load() })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { parallelfor.Do(views{(*array.Value[*int])(nil).Reader()}, func(*views) {}) })
	w.t.Dispose()
	arraylaw.Breaks(t, safety.ErrDisposed, func() { g.Load() })
	arraylaw.Breaks(t, safety.ErrDisposed, func() { g.Store(nil) })
	arraylaw.Breaks(t, safety.ErrDisposed, func() { table.ValueOf(w.t, 1) })
}

// A value may end before its table.
func TestAValueIsDisposedBeforeItsTable(t *testing.T) {
	w := newBodies(10)
	table.ValueOf(w.t, 1, table.Named("g")).Dispose()
	require.True(t, table.FindValue[int](w.t, "g").Disposed())
	left := table.ValueOf(w.t, 2)
	require.Nil(t, table.FindValue[int](w.t, "g"), "forgotten since")
	again := table.ValueOf(w.t, 3, table.Named("g"))
	require.Same(t, again, table.FindValue[int](w.t, "g"), "the name was free")
	w.t.Dispose()
	require.True(t, left.Disposed() && again.Disposed())
}
