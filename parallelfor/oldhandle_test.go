package parallelfor_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// counting adds to each element.
type counting struct{ A array.Writer[int] }

func (j *counting) Execute(i int) { j.A.Set(i, j.A.At(i)+1) }

// A schedule allocates its job and nothing else, in the ledger's order too. A job that was put off
// and completed is used again.
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
		for range 100 { // until the loop is known to be short
			run.run()
		}
		parallelfor.ForgetAutoOrder()
		most := run.schedules
		if name == "one" || name == "chain" {
			most = 0
		}
		require.LessOrEqual(t, allocations(200, run.run), most, name)
	}
}

// A handle whose job was used again says that it is complete, whatever becomes of the other job. A
// job is not used again if it failed, if its ticket was asked for, or after AutoOrder.
func TestAHandleOfAJobThatIsUsedAgain(t *testing.T) {
	if atom.Race || safety.Strict {
		t.Skip("memory is not used again")
	}
	a, fails := array.New[int](1), false
	body := func(j *counting, i int) {
		if j.Execute(i); fails {
			panic("it fails")
		}
	}
	schedule := func(opts ...parallelfor.Option) parallelfor.Handle {
		return parallelfor.Schedule(1, counting{a.Writer()}, body, opts...)
	}
	for range 100 { // until the loop is known to be short
		schedule().Complete()
	}
	parallelfor.ForgetAutoOrder()
	var old, h parallelfor.Handle
	lawtest.Happens(t, "a job is used again", func() bool { // not if the pool's timer has begun it
		h.Complete()
		old = schedule()
		old.Complete()
		h = schedule()
		return parallelfor.SameExec(old, h)
	})
	old.Complete()
	require.NoError(t, old.Err())
	require.True(t, old.Finished())
	require.Nil(t, old.Ticket())
	require.Equal(t, "a job that was completed", old.String())
	require.Regexp(t, "has not finished$", h.String())
	after := schedule(parallelfor.After(old, h))
	if safety.Enabled {
		violation(t, safety.ErrInFlight, func() { a.Set(0, 0) })
	}
	after.Complete()
	require.Regexp(t, "was completed$", h.String())

	first := schedule()
	second := schedule(parallelfor.After(first))
	require.NoError(t, second.Err())
	first.Complete()
	b := array.New[int](1)
	other := parallelfor.Schedule(1, counting{b.Writer()}, body)
	require.False(t, parallelfor.SameExec(first, other), "the second job was not returned")
	second.Complete()
	if safety.Enabled {
		violation(t, safety.ErrInFlight, func() { b.Set(0, 0) })
	}
	other.Complete()

	first = schedule()
	second = schedule(parallelfor.After(first))
	third := schedule(parallelfor.After(second))
	second.Complete()
	first.Complete()
	other = parallelfor.Schedule(1, counting{b.Writer()}, body)
	require.False(t, parallelfor.SameExec(first, other), "another goroutine may come from the third job to the first")
	third.Complete()
	other.Complete()

	for name, keep := range map[string]func(h parallelfor.Handle){
		"its ticket was asked for": func(h parallelfor.Handle) {
			require.NotNil(t, h.Ticket())
			h.Complete()
		},
		"it failed": func(h parallelfor.Handle) {
			fails = true
			require.Panics(t, h.Complete)
			fails = false
		},
		"jobs are ordered": func(h parallelfor.Handle) {
			schedule(parallelfor.AutoOrder()).Complete()
			h.Complete()
		},
	} {
		h := schedule()
		keep(h)
		require.Regexp(t, "was completed$", h.String(), name)
		next := schedule()
		require.False(t, parallelfor.SameExec(h, next), name)
		next.Complete()
		parallelfor.ForgetAutoOrder()
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
