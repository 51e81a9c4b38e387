package safety_test

import (
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// A container that panics when it comes back, or ends the goroutine, does not keep the others from
// coming back.
func TestTheOthersComeBackWhenAContainerFailsOnItsReturn(t *testing.T) {
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
	}
}

func TestToRunAfterANilTicketIsToRunAfterNoJob(t *testing.T) {
	s := newStack(4)
	k := newTicket("J", nil, s.claim(safety.Write, "S"))
	k.After(nil)
	require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
	completed(k)
	requireFree(t, s)
}

// A nil ticket, which the zero handle has, answers as one that was returned.
func TestNoTicketIsTheTicketOfACompletedJob(t *testing.T) {
	var k *safety.Ticket
	require.True(t, k.Returned())
	require.Zero(t, k.Job())
	require.Zero(t, k.Site())
	require.Nil(t, k.Parent())
	require.Nil(t, k.Parent())
	k.Return()
}

// A ticket that was returned keeps no container, however long it is known.
func TestAReturnedTicketKeepsNothing(t *testing.T) {
	k := new(safety.Ticket)
	gone := func() weak.Pointer[phased] {
		c := newPhased(new(diary), "c")
		fill(k, "J", nil, c.claim(safety.Append))
		require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
		completed(k)
		return weak.Make(c)
	}()
	lawtest.Collected(t, gone)
	require.Equal(t, "J", k.Job())
}
