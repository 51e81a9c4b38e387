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

// telling is a container that calls back when a job returns it.
type telling struct {
	guard safety.Guard
	back  func()
}

func (*telling) OpenPhase(*safety.Phase) {}
func (*telling) SealPhase(*safety.Phase) {}
func (c *telling) ReturnPhase(bool)      { c.back() }

// tells is a job that holds a telling.
type tells struct {
	X    array.Reader[int]
	Back told
}

// told is a view of a telling.
type told struct{ safety.Hold }

func (*tells) Execute(int) {}

// A frame whose loops have finished, and whose completion is refused, can be finished afterwards.
func TestAFrameWhoseCompletionIsRefusedIsFinishedLater(t *testing.T) {
	lawtest.CheckedOnly(t)
	w := newHouse(false)
	c := new(telling)
	c.guard.Init(c, 0)
	var loops parallelfor.Handle
	handedBack := 0
	w.pipeline(table.Frame{
		Schedule: func() parallelfor.Handle {
			loops = table.Schedule(w.t.Rows(), tells{w.x.Reader(), told{c.guard.Hold(safety.Append, nil)}}, (*tells).Execute)
			return loops
		},
		HandBack: eachRow(func(int) { handedBack++ }),
	})
	refused := false
	c.back = func() {
		v := arraylaw.Breaks(t, safety.ErrWaitCycle, w.p.Finish)
		require.NotNil(t, v)
		refused = true
	}
	w.p.Start()
	loops.Complete()
	require.True(t, refused)
	require.True(t, w.p.Running())
	w.p.Finish()
	require.Equal(t, w.t.Len(), handedBack)
	require.False(t, w.p.Running())
	w.end(t)
}
