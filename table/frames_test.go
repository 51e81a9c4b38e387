package table_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// If a stage panics, the call that runs the frame panics with the same value, and the next frame
// can start.
func TestStagesThatPanic(t *testing.T) {
	boom := errors.New("boom")
	for _, bad := range []string{"applied", "gather", "schedule", "hand back"} {
		b := newBodies(5)
		fails, gathered, handed := true, 0, 0
		at := func(stage string, row int) {
			if fails && stage == bad && row == 2 {
				panic(boom)
			}
		}
		p := table.NewPipeline(b.t, table.Frame{
			Applied: func(table.Report) { at("applied", 2) },
			Gather:  eachRow(func(row int) { at("gather", row); gathered++ }),
			Schedule: func() parallelfor.Handle {
				h := table.Schedule(b.t.Rows(), b.moving(), (*moving).Execute)
				through := false
				defer func() {
					if !through {
						h.Complete()
					}
				}()
				at("schedule", 2)
				through = true
				return h
			},
			HandBack: eachRow(func(row int) { at("hand back", row); handed++ }),
		})
		b.t.Add(body{Pos: 100})
		require.Equal(t, boom, caughtPanic(func() {
			p.Start()
			p.Finish()
		}), bad)
		require.False(t, p.Running(), bad)
		require.Equal(t, map[string][]int{"applied": {0, 0}, "gather": {2, 0}, "schedule": {6, 0}, "hand back": {6, 2}}[bad], []int{gathered, handed}, bad)
		require.Equal(t, 6, b.t.Len(), "what was applied is")
		p.Finish()
		fails, handed = false, 0
		p.Step()
		p.Finish()
		require.Equal(t, 6, handed, bad)
		require.Equal(t, 100, b.pos.At(5), bad)
		p.Close()
	}
}

// Close of a pipeline is refused while another job holds the table, and succeeds afterwards.
func TestAPipelineThatCannotBeClosed(t *testing.T) {
	lawtest.CheckedOnly(t)
	b := newBodies(5)
	p := table.NewPipeline(b.t, table.Frame{Schedule: func() parallelfor.Handle { return table.Schedule(b.t.Rows(), b.moving(), (*moving).Execute) }})
	p.Start()
	other := table.Schedule(b.t.Rows(), naming{b.t.IDs()}, (*naming).Execute)
	arraylaw.Breaks(t, safety.ErrInFlight, p.Close)
	require.False(t, b.t.Disposed())
	require.False(t, p.Running())
	arraylaw.Breaks(t, safety.ErrInFlight, p.Close)
	other.Complete()
	p.Close()
	require.True(t, b.t.Disposed())
	p.Close()
	arraylaw.Breaks(t, safety.ErrClosed, p.Start)
}

// A range over the rows that goes on in a later frame ends where the rows end then.
func TestRowsThatAreRangedOnInALaterFrame(t *testing.T) {
	w := newWorld()
	for range 5 {
		w.add(1)
	}
	var next func() (int, bool)
	var stop func()
	var later []int
	p := table.NewPipeline(w.t, table.Frame{
		Gather: func(rows iter.Seq[int]) {
			if next == nil {
				next, stop = iter.Pull(rows)
				next()
				return
			}
			for row, ok := next(); ok; row, ok = next() {
				later = append(later, row)
			}
		},
		Schedule: func() parallelfor.Handle { return parallelfor.Handle{} },
	})
	p.Step()
	defer stop()
	for k := range 3 {
		w.items.Remove(w.items.At(k + 1))
	}
	p.Step()
	require.Equal(t, 2, w.t.Len())
	require.Equal(t, []int{1}, later)
}
