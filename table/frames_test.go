package table_test

import (
	"errors"
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
