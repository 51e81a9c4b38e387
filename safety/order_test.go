package safety_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// inOrder opens an Ordered ticket as a driver does, and returns it with what it was made to run
// after.
func inOrder(t testing.TB, job string, claims ...safety.Claim) (k *safety.Ticket, found []*safety.Ticket) {
	t.Helper()
	k = new(safety.Ticket)
	for {
		fill(k, job, found, claims...)
		k.Ordered = true
		require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
		if len(k.Found()) == 0 {
			return k, found
		}
		found = append(found, k.Found()...)
	}
}

func TestAnOrderedJobFindsWhatItMustRunAfter(t *testing.T) {
	for _, a := range modes {
		for _, b := range modes {
			s := newStack(4)
			first := opened(t, "first", nil, s.claim(a, "S"))
			k, found := inOrder(t, "second", s.claim(b, "S"))
			if a == b && (a == safety.Read || a == safety.Shared) {
				require.Empty(t, found, "%v %v", a, b)
			} else {
				require.Equal(t, after(first), found, "%v %v", a, b)
			}
			completed(first, k)
			requireFree(t, s)
		}
	}
}

func TestAnOrderedJobFindsAllReadersAndNotWhatTheyRanAfter(t *testing.T) {
	s, other := newStack(4), newStack(4)
	w := opened(t, "w", nil, s.claim(safety.Write, "S"))
	var readers []*safety.Ticket
	for range 5 {
		readers = append(readers, opened(t, "r", after(w), s.claim(safety.Read, "S")))
	}
	beside := opened(t, "beside", nil, other.claim(safety.Append, "S"))
	k, found := inOrder(t, "k", s.claim(safety.Write, "A"), other.claim(safety.Append, "B"))
	require.ElementsMatch(t, append(readers, beside), found, "the writer is behind the readers")
	next, found := inOrder(t, "next", s.claim(safety.Read, "A"), other.claim(safety.Read, "B"))
	require.Equal(t, after(k), found)
	finished(w)
	for _, r := range readers {
		finished(r)
	}
	finished(beside)
	finished(k)
	finished(next).Return()
	for _, r := range readers {
		require.True(t, r.Returned())
	}
	requireFree(t, s)
	requireFree(t, other)
}

func TestAnOrderedJobTakesNothingBeforeItIsOrdered(t *testing.T) {
	s, free := newStack(4), newStack(4)
	first := opened(t, "first", nil, s.claim(safety.Write, "S"))
	k := newTicket("k", nil, s.claim(safety.Write, "A"), free.claim(safety.Write, "B"))
	k.Ordered = true
	require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
	require.Equal(t, after(first), k.Found())
	requireFree(t, free)
	completed(first)
	fill(k, "k", nil, s.claim(safety.Write, "A"), free.claim(safety.Write, "B"))
	require.Empty(t, k.Found(), "Reset forgets them")
	require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
	require.Empty(t, k.Found())
	completed(k)
}

func TestJobsWithoutHandlesAreNotRunAfter(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, set := range []func(k *safety.Ticket){
		func(k *safety.Ticket) { k.Private = true },
		func(k *safety.Ticket) { k.Called = true },
	} {
		s := newStack(4)
		first := newTicket("first", nil, s.claim(safety.Write, "S"))
		set(first)
		require.Nil(t, first.Open(safety.CurrentScope(), 0, false))
		k := newTicket("k", nil, s.claim(safety.Read, "A"))
		k.Ordered = true
		v := k.Open(safety.CurrentScope(), 0, false)
		require.NotNil(t, v)
		require.ErrorIs(t, v, safety.ErrConflict)
		require.Equal(t, "first", v.OtherJob)
		require.Empty(t, k.Found())
		completed(first)
		requireFree(t, s)
	}
}

func TestConflictsSayThatTheOtherJobHasFinished(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(4)
	for m, advice := range map[safety.Mode]string{
		safety.Write:  ", or take a Reader() in both if both only read.",
		safety.Read:   ".",
		safety.Shared: ".",
	} {
		first := finished(opened(t, "first", nil, s.claim(safety.Write, "A")))
		text := refused(t, "second", nil, s.claim(m, "B")).Error()
		require.Contains(t, text, "has finished but was not completed.\n\tHaving finished does not give a container back."+
			" Complete its handle first, or add parallelfor.After(previous) when scheduling"+advice+"\n")
		first.Return()
	}
	first := finished(opened(t, "first", nil, s.claim(safety.Append, "A")))
	require.Contains(t, refused(t, "second", nil, s.claim(safety.Append, "B")).Error(), "has finished but was not completed.\n\tHaving finished")
	first.Return()
}

// A view whose length a job asks for is a claim to read, unless the job claims the container
// anyway.
func TestALengthIsAClaimOfItsOwnWhenThereIsNone(t *testing.T) {
	s, other := newStack(4), newStack(4)
	sv, ov := s.view(safety.Read), other.view(safety.Write)
	k := newTicket("k", nil, s.claim(safety.Write, "S"))
	require.Equal(t, 0, k.ClaimLength(&measuredView{sv}))
	require.Equal(t, 1, k.ClaimLength(&measuredView{ov}))
	require.Equal(t, safety.Read, k.Claimed(1).Mode)
	require.Equal(t, "LengthOf", k.Claimed(1).Field)
	require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
	if safety.Enabled {
		require.NotPanics(t, func() { other.top() })
		broken(t, other.pop)
		require.Nil(t, k.Fits(4))
		v := k.Fits(5)
		require.ErrorIs(t, v, safety.ErrLength)
		require.Equal(t, []any{"k", "S", 5, 4}, []any{v.Job, v.Field, v.N, v.Length})
	}
	completed(k)
	requireFree(t, other)
}

// measuredView is a view that knows its length.
type measuredView struct{ stackView }

func (m *measuredView) Len() int { return len(m.s) }
