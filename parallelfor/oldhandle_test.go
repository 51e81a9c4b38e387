package parallelfor_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// counting adds to each element.
type counting struct{ A array.Writer[int] }

func (j *counting) Execute(i int) { j.A.Set(i, j.A.At(i)+1) }

// A schedule allocates its job and nothing else, in chains and in the ledger's order too.
func TestAScheduleAllocatesOnce(t *testing.T) {
	if atom.Race || safety.Strict {
		t.Skip("memory is not used again")
	}
	a := array.New[int](1000)
	schedule := func(opts ...parallelfor.Option) parallelfor.Handle {
		return parallelfor.Schedule(1000, counting{a.Writer()}, (*counting).Execute, opts...)
	}
	for name, run := range map[string]struct {
		schedules int
		run       func()
	}{
		"one":   {1, func() { schedule().Complete() }},
		"chain": {3, func() { schedule(parallelfor.After(schedule(parallelfor.After(schedule())))).Complete() }},
		"ledger": {2, func() {
			schedule(parallelfor.AutoOrder())
			schedule(parallelfor.AutoOrder()).Complete()
		}},
		"inline": {1, func() { schedule(parallelfor.Inline()).Complete() }},
	} {
		run.run()
		require.Equal(t, run.schedules, allocations(200, run.run), name)
	}
}

// Handles of jobs that were completed long since say that they are complete.
func TestOldHandles(t *testing.T) {
	a, failing := array.New[int](10), errors.New("failed")
	failed := parallelfor.ScheduleErr(context.Background(), 10, failsAtFive{failing}, (*failsAtFive).Execute, parallelfor.Name("failed"))
	failed.Complete()
	stopped, cancel := context.WithCancelCause(context.Background())
	cancel(failing)
	cancelled := parallelfor.ScheduleErr(stopped, 10, failsAtFive{nil}, (*failsAtFive).Execute)
	cancelled.Complete()
	panicked := parallelfor.Schedule(10, panicsAtOnce{}, (*panicsAtOnce).Execute)
	require.Panics(t, panicked.Complete)
	require.Regexp(t, "^job failed, .* was completed$", failed.String())
	var old []parallelfor.Handle
	for range 20 {
		h := parallelfor.Schedule(10, counting{a.Writer()}, (*counting).Execute)
		h.Complete()
		old = append(old, h)
		for _, h := range old {
			require.True(t, h.Finished())
			require.NoError(t, h.Err())
			h.Complete()
		}
		after := parallelfor.Schedule(10, counting{a.Writer()}, (*counting).Execute, parallelfor.After(old...))
		parallelfor.Combine(after, old[0]).Complete()
		require.NoError(t, after.Err())
		for _, h := range []parallelfor.Handle{failed, cancelled} {
			h.Complete()
			require.ErrorIs(t, h.Err(), failing)
			require.True(t, h.Finished())
		}
		require.Panics(t, panicked.Complete)
	}
	for i := range 10 {
		require.Equal(t, 40, a.At(i))
	}
	a.DisposeAfter(old[3])
	require.True(t, a.Disposed())
}

// The ticket of a handle is that of its job for good.
func TestTicketsOfHandles(t *testing.T) {
	a := array.New[int](10)
	h := parallelfor.Schedule(10, counting{a.Writer()}, (*counting).Execute, parallelfor.Name("kept"))
	ticket := h.Ticket()
	for range 10 {
		h.Complete()
		parallelfor.Schedule(10, counting{a.Writer()}, (*counting).Execute, parallelfor.Name("other")).Complete()
		require.Same(t, ticket, h.Ticket())
		require.Equal(t, "kept", ticket.Job())
	}
	require.Nil(t, parallelfor.Handle{}.Ticket())
}

// failsAtFive fails with its error.
type failsAtFive struct {
	Err error `custody:"unguarded"`
}

func (j *failsAtFive) Execute(i int) error {
	if i == 5 {
		return j.Err
	}
	return nil
}

type panicsAtOnce struct{}

func (*panicsAtOnce) Execute(i int) { panic(i) }
