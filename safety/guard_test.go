package safety_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

const here = "helpers_test.go" // where the stacks and tickets of these tests are made

func TestContainerThatWasNeverMadeIsRefused(t *testing.T) {
	var table []lawtest.Misuse
	for i, u := range uses {
		table = append(table, lawtest.Misuse{
			Name: fmt.Sprint(i, " ", u.op),
			Do:   func() error { u.do(new(stack)); return nil },
			Want: safety.Violation{Kind: safety.ErrUnassigned},
			Says: []string{"a container was " + u.op + " that was never made", "New function"},
		})
	}
	table = append(table, lawtest.Misuse{
		Name: "disposed",
		Do:   func() error { new(stack).guard.Dispose(); return nil },
		Want: safety.Violation{Kind: safety.ErrUnassigned},
		Says: []string{"was disposed that was never made"},
	}, lawtest.Misuse{
		Name: "by a method of a type of one's own",
		Do:   func() error { new(Batch).Load(); return nil },
		Want: safety.Violation{Kind: safety.ErrUnassigned},
		Says: []string{"Batch.Load was called on a container that was never made"},
	})
	lawtest.Run(t, table)
	assert.Equal(t, "a container", new(stack).guard.Container())
}

func TestDisposedContainerIsRefused(t *testing.T) {
	var table []lawtest.Misuse
	gone := func() *stack {
		s := newStack(3, safety.Named("gone"))
		s.guard.Dispose()
		return s
	}
	want := safety.Violation{Kind: safety.ErrDisposed, Container: `safety_test.stack "gone"`, Made: "guard_test.go"}
	for i, u := range uses {
		table = append(table, lawtest.Misuse{
			Name: fmt.Sprint(i, " ", u.op),
			Do:   func() error { u.do(gone()); return nil },
			Want: want,
			Says: []string{u.op + " after Dispose"},
		})
	}
	table = append(table, lawtest.Misuse{
		Name: "disposed twice",
		Do:   func() error { gone().guard.Dispose(); return nil },
		Want: want,
		Says: []string{"was disposed twice"},
	})
	inJob := want
	inJob.Job, inJob.Field = "J", "S"
	table = append(table, lawtest.Misuse{
		Name: "scheduled",
		Do: func() error {
			return newTicket("J", nil, gone().claim(safety.Read, "S")).Open(safety.CurrentScope(), 0, false)
		},
		Want: inJob,
		Says: []string{"scheduled with job J (field S) after Dispose"},
	})
	lawtest.Run(t, table)
}

// The text of a use after Dispose or DisposeAfter names the line that called it.
func TestDisposedContainersSayWhereTheyWere(t *testing.T) {
	lawtest.CheckedOnly(t)
	for name, dispose := range map[string]func(s *stack){
		"Dispose":      func(s *stack) { s.guard.Dispose() },
		"DisposeAfter": func(s *stack) { s.guard.DisposeAfter(nil, func() {}) },
	} {
		s := newStack(1)
		dispose(s)
		text := broken(t, func() { s.top() }).Error()
		require.Regexp(t, ` was read after Dispose at guard_test\.go:\d+\.`, text, name)
		text = broken(t, s.guard.Dispose).Error()
		require.Regexp(t, ` was disposed twice, the first time at guard_test\.go:\d+\.`, text, name)
	}
	s := newStack(1)
	job := opened(t, "J", nil, s.claim(safety.Read, "F"))
	s.guard.DisposeAfter(handle{job}, func() {})
	require.Regexp(t, ` was read after DisposeAfter at guard_test\.go:\d+ left it to job J, `, broken(t, func() { s.top() }).Error())
	completed(job)
}

func TestDisposedIsKnown(t *testing.T) {
	s := newStack(1)
	require.False(t, s.guard.Disposed())
	s.guard.Dispose()
	require.True(t, s.guard.Disposed())
	require.False(t, new(stack).guard.Disposed())
}

// Of disposers that are not ordered, one succeeds and each other one is told.
func TestConcurrentDisposersOneWins(t *testing.T) {
	lawtest.CheckedOnly(t)
	for range lawtest.Rounds(400) {
		s := newStack(1)
		var won, told atomic.Int32
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				switch err := lawtest.Failure(func() error { s.guard.Dispose(); return nil }); {
				case err == nil:
					won.Add(1)
				case errors.Is(err, safety.ErrDisposed):
					told.Add(1)
				}
			})
		}
		all.Wait()
		require.Equal(t, int32(1), won.Load())
		require.Equal(t, int32(3), told.Load())
	}
}

// While a job holds a container in a mode, ordinary uses that the mode excludes are refused, and no
// others; and all are allowed when the job is completed.
func TestContainerInFlightIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, m := range modes {
		for i, u := range uses {
			t.Run(fmt.Sprint(m, "/", i, " ", u.op), func(t *testing.T) {
				s := newStack(3, safety.Named("s"))
				job := opened(t, "J", nil, s.claim(m, "F"))
				refuses := false
				for _, e := range u.excluded {
					refuses = refuses || e == m
				}
				if !refuses {
					require.NotPanics(t, func() { u.do(s) })
				}
				for _, sealed := range []bool{false, true} {
					if sealed {
						finished(job)
					}
					if !refuses {
						continue
					}
					v := broken(t, func() { u.do(s) })
					lawtest.Equal(t, safety.Violation{
						Kind: safety.ErrInFlight, Container: `safety_test.stack "s"`, Made: "guard_test.go",
						OtherJob: "J", OtherField: "F", Scheduled: here,
					}, v)
					text := v.Error()
					assert.Contains(t, text, " was "+u.op+" while job J (field F), scheduled at "+v.Scheduled+", "+verbs[m]+" it and ")
					if sealed {
						assert.Contains(t, text, "has finished but was not completed")
						assert.Contains(t, text, "Having finished does not give a container back")
					} else {
						assert.Contains(t, text, "was not completed")
						assert.NotContains(t, text, "finished")
					}
				}
				job.Return()
				require.NotPanics(t, func() { u.do(s) })
			})
		}
	}
}

func TestContainerInFlightIsNotDisposed(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, m := range modes {
		s := newStack(3)
		job := opened(t, "J", nil, s.claim(m, "F"))
		v := broken(t, s.guard.Dispose)
		assert.ErrorIs(t, v, safety.ErrInFlight)
		assert.Contains(t, v.Error(), "safety_test.stack was disposed while job J (field F)")
		require.False(t, s.guard.Disposed())
		completed(job)
		requireFree(t, s)
		s.guard.Dispose()
	}
}

// A job that was not given a place, because the caller ran it at once, is described without.
func TestJobWithoutASiteIsDescribedWithout(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	var job safety.Ticket
	job.Reset("J", 0)
	job.Claim(s.claim(safety.Write, ""))
	require.Nil(t, job.Open(safety.CurrentScope(), 0, false))
	v := broken(t, func() { s.top() })
	assert.Contains(t, v.Error(), "was read while job J writes it and was not completed")
	lawtest.Equal(t, safety.Violation{Kind: safety.ErrInFlight, Container: "safety_test.stack", Made: "guard_test.go", OtherJob: "J"}, v)
	other := refused(t, "K", nil, s.claim(safety.Read, ""))
	assert.Contains(t, other.Error(), "which job J writes")
	assert.Empty(t, other.Scheduled)
	completed(&job)
}

// A use that was refused because of a job that another goroutine completes meanwhile was not
// ordered with it, and the text says so.
func TestUseThatRacesWithCompleteIsStillRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	v := safety.Refusal(&s.guard)
	lawtest.Equal(t, safety.Violation{Kind: safety.ErrInFlight, Container: "safety_test.stack", Made: "guard_test.go"}, v)
	assert.Contains(t, v.Error(), "was read while a job that another goroutine completed meanwhile held it")
	assert.Contains(t, v.Error(), "Order this use with that goroutine's Complete")
}

// The owner may not add beside jobs that append while a job that they run after still reads, writes
// or shares the container.
func TestOwnerAdditionIsRefusedWhileAnEarlierJobOfTheChainHoldsTheContainer(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, m := range []safety.Mode{safety.Read, safety.Write, safety.Shared} {
		s := newStack(3)
		first := opened(t, "first", nil, s.claim(m, "F"))
		second := opened(t, "second", after(first), s.claim(safety.Append, "F"))
		third := opened(t, "third", after(second), s.claim(safety.Append, "F"))
		err := lawtest.Failure(func() error { s.push(1); return nil })
		assert.ErrorIs(t, err, safety.ErrInFlight, "job first %s it and was not completed", verbs[m])
		completed(first, second)
		require.NotPanics(t, func() { s.push(1) })
		completed(third)
	}
}

// The unchecked build checks nothing, but a container that was disposed knows it.
func TestUncheckedBuildRefusesNothing(t *testing.T) {
	lawtest.UncheckedOnly(t)
	s := newStack(3)
	job := opened(t, "J", nil, s.claim(safety.Write, "S"), s.claim(safety.Write, "T"))
	for _, u := range uses {
		require.NotPanics(t, func() { u.do(s) })
	}
	completed(job)
	s.guard.Dispose()
	require.True(t, s.guard.Disposed())
	s.guard.Dispose()
}
