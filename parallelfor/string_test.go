package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

type slow struct{ Out array.Writer[int] }

func (s *slow) Execute(i int) { s.Out.Set(i, i) }

func TestHandlesSayWhatTheirJobsDo(t *testing.T) {
	var none parallelfor.Handle
	require.Equal(t, "a job that was completed", none.String())
	out := array.New[int](10)
	h := parallelfor.Schedule(10, slow{out.Writer()}, (*slow).Execute, parallelfor.Name("Slow"))
	require.Regexp(t, `^job Slow, scheduled at string_test\.go:\d+, has (not finished|finished but was not completed)$`, h.String())
	for !h.Finished() {
	}
	require.Regexp(t, `^job Slow, scheduled at string_test\.go:\d+, has finished but was not completed$`, h.String())
	h.Complete()
	require.Regexp(t, `was completed$`, h.String())
	again := parallelfor.Schedule(10, slow{out.Writer()}, (*slow).Execute, parallelfor.Name("Again"))
	require.NotContains(t, h.String(), "Again", "a handle tells of its own job")
	require.Contains(t, again.String(), "job Again")
	again.Complete()
}

// Handles are printed by others while their jobs run, are completed, and are used again.
func TestHandlesArePrintedWhileJobsRun(t *testing.T) {
	out := array.New[int](10)
	for range lawtest.Rounds(200) {
		h := parallelfor.Schedule(10, slow{out.Writer()}, (*slow).Execute, parallelfor.Name("Slow"))
		lawtest.Printed(h, func() {
			h.Complete()
			parallelfor.Schedule(10, slow{out.Writer()}, (*slow).Execute, parallelfor.Name("Next")).Complete()
		})
	}
}

func TestPoolsAndGraphsSayWhatTheyHave(t *testing.T) {
	p := parallelfor.NewPool(2)
	require.Equal(t, "parallelfor.Pool: 0 workers, 0 jobs", p.String())
	g := parallelfor.Record()
	out := array.New[int](1000)
	lawtest.Printed(p, func() {
		lawtest.Printed(g, func() {
			parallelfor.Schedule(1000, slow{out.Writer()}, (*slow).Execute, parallelfor.On(p)).Complete()
		})
	})
	g.Stop()
	require.Equal(t, "parallelfor.Graph: 1 job", g.String())
	p.Close()
	require.Equal(t, "parallelfor.Pool: 0 workers, 0 jobs, closed", p.String())
	require.Equal(t, "<nil>", (*parallelfor.Pool)(nil).String())
	require.Equal(t, "<nil>", (*parallelfor.Graph)(nil).String())
	require.Equal(t, "parallelfor.Pool: 0 workers, 0 jobs", new(parallelfor.Pool).String())
}
