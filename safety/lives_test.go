package safety_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// owner counts how often a life of his was spent.
type owner struct{ spent atomic.Int32 }

func (o *owner) Spent(safety.Life) { o.spent.Add(1) }

// usedAgain returns a ticket whose job is over, in the life after that.
func usedAgain(t *testing.T, k *safety.Ticket) (before safety.Life) {
	t.Helper()
	before = k.Life()
	require.True(t, before.End())
	return before
}

func TestALifeEndsWhenNobodyIsInIt(t *testing.T) {
	if atom.Race {
		t.Skip("with the race detector tickets are not used again")
	}
	o := new(owner)
	k := opened(t, "J", nil)
	k.Owner = o
	l := k.Life()
	require.True(t, l.Enter())
	l.Leave()
	require.Zero(t, o.spent.Load(), "the job was not returned")
	finished(k).Return()
	require.True(t, l.Enter())
	require.True(t, l.Enter())
	require.False(t, l.End())
	l.Leave()
	require.False(t, l.End())
	require.Zero(t, o.spent.Load())
	l.Leave()
	require.EqualValues(t, 1, o.spent.Load())
	require.False(t, l.Ended())
	require.Same(t, k, l.Ticket())
	require.True(t, l.End())
	require.False(t, l.End())
	require.True(t, l.Ended())
	require.False(t, l.Enter())
	require.NotEqual(t, l, k.Life())
	require.True(t, k.Life().Enter())
}

// A generation that has ended cannot be entered, kept or ended, while the present one of the same
// ticket is entered, and while it is kept.
func TestALifeThatHasEndedIsNotEnteredInALaterOne(t *testing.T) {
	if atom.Race {
		t.Skip("with the race detector tickets are not used again")
	}
	k := opened(t, "J", nil)
	finished(k).Return()
	before := usedAgain(t, k)
	now := k.Life()
	for _, hold := range []func() bool{now.Enter, now.Keep} {
		require.True(t, hold())
		require.True(t, before.Ended())
		require.False(t, before.Enter())
		require.False(t, before.Keep())
		require.False(t, before.End())
		require.False(t, now.Ended())
	}
	require.True(t, now.Enter())
}

func TestTheZeroLifeHasEnded(t *testing.T) {
	var l safety.Life
	require.True(t, l.Ended())
	require.False(t, l.Enter())
	require.False(t, l.Keep())
	require.False(t, l.End())
	l.Leave()
	require.Nil(t, l.Ticket())
}

// A job that was to run after one whose ticket is another job's now does not run after that one.
func TestNobodyRunsAfterALaterLife(t *testing.T) {
	lawtest.CheckedOnly(t)
	if atom.Race {
		t.Skip("with the race detector tickets are not used again")
	}
	s, other := newStack(4), newStack(4)
	k := opened(t, "first", nil, other.claim(safety.Write, "S"))
	late := newTicket("late", after(k), s.claim(safety.Read, "S"))
	finished(k).Return()
	old := usedAgain(t, k)
	fill(k, "second", nil, s.claim(safety.Write, "S"))
	require.Nil(t, k.Open(0, false))
	v := late.Open(0, false)
	require.NotNil(t, v)
	require.ErrorIs(t, v, safety.ErrConflict)
	require.Equal(t, "second", v.OtherJob)

	// Nor does it through another one, nor after what that job runs after.
	third := newStack(4)
	x := opened(t, "x", nil, third.claim(safety.Write, "S"))
	finished(k).Return()
	middle := opened(t, "middle", after(k))
	usedAgain(t, k)
	fill(k, "third", after(x), s.claim(safety.Write, "S"))
	require.Nil(t, k.Open(0, false))
	for other, c := range map[string]safety.Claim{"third": s.claim(safety.Read, "S"), "x": third.claim(safety.Read, "S")} {
		for _, before := range [][]*safety.Ticket{after(middle), nil} {
			last := newTicket("last", before, c)
			last.After(old)
			v := last.Open(0, false)
			require.NotNil(t, v)
			require.Equal(t, other, v.OtherJob)
		}
	}
	finished(middle).Return()
	require.False(t, k.Returned(), "it is not what was to be before")
	require.False(t, x.Returned())
	completed(x, k)
}

// A container that panics when it comes back, or ends the goroutine, keeps no life of those before the job from ending, nor the others from coming back.
func TestLivesAreLeftWhenAContainerFailsOnItsReturn(t *testing.T) {
	lawtest.CheckedOnly(t)
	for name, fail := range map[string]func(){"panic": func() { panic("on return") }, "Goexit": runtime.Goexit} {
		a, b, c := newPhased(new(diary), "a"), newPhased(new(diary), "b"), newPhased(new(diary), "c")
		a.onReturn = fail
		first := opened(t, "first", nil, a.claim(safety.Write))
		second := opened(t, "second", after(first), b.claim(safety.Write))
		third := opened(t, "third", after(second), c.claim(safety.Write))
		for _, k := range after(first, second, third) {
			finished(k)
		}
		var over sync.WaitGroup
		over.Go(func() {
			defer func() { _ = recover() }()
			third.Return()
		})
		over.Wait()
		require.True(t, first.Returned(), name)
		third.Return()
		require.True(t, second.Returned() && third.Returned(), name)
		require.Equal(t, []int{1, 1, 1}, []int{a.plainWord, b.plainWord, c.plainWord})
		for _, k := range after(first, second, third) {
			require.Equal(t, !atom.Race, k.Life().End(), "%s of %s", name, k.Job())
		}
	}
}

// A job runs after no life that has ended already, be it that of no ticket.
func TestNobodyRunsAfterALifeThatHasEnded(t *testing.T) {
	s := newStack(4)
	k := newTicket("J", nil, s.claim(safety.Write, "S"))
	k.After(safety.Life{})
	require.Nil(t, k.Open(0, false))
	completed(k)
	requireFree(t, s)
}

// Whoever has the ticket of a handle, which may be none, may ask it.
func TestNoTicketIsTheTicketOfACompletedJob(t *testing.T) {
	var k *safety.Ticket
	require.True(t, k.Returned() && k.Life().Ended())
	require.Zero(t, k.Job())
	require.Zero(t, k.Site())
	require.False(t, k.Nested())
	require.Nil(t, k.Parent())
	k.Return()
}

// A ticket that was returned keeps no container, however long it is known.
func TestAReturnedTicketKeepsNothing(t *testing.T) {
	k := new(safety.Ticket)
	gone := func() weak.Pointer[phased] {
		c := newPhased(new(diary), "c")
		fill(k, "J", nil, c.claim(safety.Append))
		require.Nil(t, k.Open(0, false))
		completed(k)
		return weak.Make(c)
	}()
	lawtest.Collected(t, gone)
	require.Equal(t, "J", k.Job())
}

// A life does not end before its job was returned.
func TestALifeDoesNotEndBeforeItsJobWasReturned(t *testing.T) {
	k := new(safety.Ticket)
	fill(k, "J", nil)
	require.Nil(t, k.Open(0, false))
	l := k.Life()
	require.False(t, l.End())
	finished(k)
	require.False(t, l.End())
	k.Return()
	require.Equal(t, !atom.Race, l.End())
}

// When more have entered a life than can be counted it does not end, and is no other one.
func TestALifeThatMoreHaveEnteredThanCanBeCounted(t *testing.T) {
	for _, keep := range []bool{false, true} {
		k := opened(t, "J", nil)
		finished(k).Return()
		l := k.Life()
		l.Fill()
		for i := range 3 {
			require.True(t, l.Enter())
			require.False(t, keep && i == 0 && !l.Keep())
			require.Equal(t, l, k.Life())
		}
		for range 5 {
			l.Leave()
		}
		require.True(t, l.Keep())
		require.False(t, l.End())
		require.False(t, l.Ended())
		require.Equal(t, l, k.Life())
	}
}
