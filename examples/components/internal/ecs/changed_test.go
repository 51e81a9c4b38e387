package ecs

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// weigh is a job that says how many entities it was called for.
type weigh struct{ Calls counter.ParallelWriter }

func (w *weigh) Execute(_ *mass, _ *position) { w.Calls.Inc() }

func TestAChangedLoopSeesTheChunksThatWereWritten(t *testing.T) {
	grids(t, func(opts ...parallelfor.Option) {
		f := made(9) // three chunks in each of five archetypes; of those with a mass and a position, six
		moving := New2(f.w, (*move).Execute, f.positions.ReadWrite(), f.velocities.ReadOnly(), Require(f.ice))
		reading := New2(f.w, (*move).Execute, f.positions.ReadOnly(), f.velocities.ReadWrite()) // does not write what it is given to write
		reading.process.(*process2[move, position, velocity]).execute = func(*move, *position, *velocity) {}
		weighing := New2(f.w, (*weigh).Execute, f.masses.ReadOnly().Changed(), f.positions.ReadOnly().Changed())
		calls := counter.New()
		saw := func(chunks, entities int, why string) {
			t.Helper()
			weighing.Run(weigh{calls.ParallelWriter()}, opts...)
			require.Equal(t, []int{chunks, entities}, []int{weighing.Seen(), int(calls.Swap(0))}, why)
		}
		saw(6, 18, "the first run sees every chunk")
		saw(0, 0, "nothing has changed")
		moving.Run(move{1}, opts...)
		saw(3, 9, "the chunks of one archetype were written")
		saw(0, 0, "nothing has changed since")
		reading.Run(move{1}, opts...)
		saw(0, 0, "read-only access changes no version, and velocities do not count")
		moving.Run(move{0}, opts...)
		saw(3, 9, "writable access counts, though no value is another")
		f.masses.Set(f.all[0], mass{1})
		saw(1, 4, "any of several columns is enough, and the owner's changes count")
		f.masses.Set(f.all[0], mass{1})
		f.positions.Set(f.all[8], position{})
		saw(2, 5, "one chunk by this column, one by that")
		f.w.Add(1, f.masses, f.positions)
		saw(1, 1, "a new chunk is new")
		weighing.Forget()
		saw(7, 19, "after Forget all are seen")
	})
}

func TestAJobDoesNotSeeItsOwnChanges(t *testing.T) {
	f := made(9)
	s := New2(f.w, (*move).Execute, f.positions.ReadWrite().Changed(), f.velocities.ReadOnly())
	for _, want := range []int{9, 0, 0} {
		s.Run(move{1})
		require.Equal(t, want, s.Seen())
	}
	other := New1(f.w, (*hold).Execute, f.positions.ReadWrite().Changed())
	other.Run(hold{})
	require.Equal(t, 12, other.Seen())
	s.Run(move{1})
	require.Equal(t, 9, s.Seen(), "but those of others")
	other.Run(hold{})
	require.Equal(t, 9, other.Seen(), "chunks that were skipped were not written")
}

func TestJobsThatRunAfterEachOtherSeeChangesInThatOrder(t *testing.T) {
	f := made(9)
	calls := counter.New()
	moving := New2(f.w, (*move).Execute, f.positions.ReadWrite(), f.velocities.ReadOnly())
	weighing := New2(f.w, (*weigh).Execute, f.masses.ReadOnly(), f.positions.ReadOnly().Changed())
	for range 20 {
		first := moving.Schedule(move{1}, parallelfor.Workers(2))
		second := weighing.Schedule(weigh{calls.ParallelWriter()}, parallelfor.After(first), parallelfor.Workers(2))
		third := moving.Schedule(move{1}, parallelfor.After(second))
		fourth := weighing.Schedule(weigh{calls.ParallelWriter()}, parallelfor.After(third))
		fourth.Complete()
		require.EqualValues(t, 36, calls.Swap(0))
	}
	weighing.Run(weigh{calls.ParallelWriter()})
	require.Zero(t, calls.Value())
}

func TestARunThatFailsSeesTheSameAgain(t *testing.T) {
	checked(t)
	f := made(9)
	fail := true
	s := New1(f.w, func(j *hold, p *position) {
		if fail && p.X == 30 {
			panic("this one fails")
		}
	}, f.positions.ReadOnly().Changed())
	require.Panics(t, func() { s.Run(hold{}) })
	fail = false
	s.Run(hold{})
	require.Equal(t, 12, s.Seen())
}

func TestVersionsWrapAround(t *testing.T) {
	f := made(9)
	moving := New2(f.w, (*move).Execute, f.positions.ReadWrite(), f.velocities.ReadOnly(), Require(f.ice))
	weighing := New2(f.w, (*weigh).Execute, f.masses.ReadOnly(), f.positions.ReadOnly().Changed())
	calls := counter.New()
	f.w.clock = math.MaxUint32 - 6
	for k := range f.positions.changed {
		f.positions.changed[k] = f.w.clock
	}
	weighing.Forget()
	weighing.Run(weigh{calls.ParallelWriter()})
	for range 10 {
		moving.Run(move{1})
		weighing.Run(weigh{calls.ParallelWriter()})
		require.Equal(t, 3, weighing.Seen())
		weighing.Run(weigh{calls.ParallelWriter()})
		require.Zero(t, weighing.Seen())
		require.NotEqual(t, never, f.w.clock)
	}
	require.Less(t, f.w.clock, uint32(100))
}

func TestNewer(t *testing.T) {
	for _, c := range []struct {
		v, since uint32
		want     bool
	}{
		{1, never, true}, {never, never, true}, {1, 1, false}, {2, 1, true}, {1, 2, false},
		{1, math.MaxUint32, true}, {math.MaxUint32, 1, false}, {1 << 31, 1, true}, {1<<31 + 1, 1, false},
	} {
		require.Equal(t, c.want, newer(c.v, c.since), "%d since %d", c.v, c.since)
	}
	require.Equal(t, uint32(1), after(math.MaxUint32))
}
