package safety_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// growing is a stack that hands out iterators.
type growing struct{ *stack }

func newGrowing(n int) growing {
	s := newStack(n, safety.Named("g"))
	s.guard.Growable()
	return growing{s}
}

func (g growing) push(v int) {
	g.stack.push(v)
	g.guard.Bump("was changed by Push")
}

func (g growing) all(yield func(int) bool) {
	borrow := g.guard.Borrow("an iterator", 0)
	for i := 0; i < len(g.items); i++ {
		if !yield(g.items[i]) {
			return
		}
		borrow.Check()
	}
}

func TestAStaleIteratorNamesWhatEndedIt(t *testing.T) {
	lawtest.CheckedOnly(t)
	g := newGrowing(3)
	n := 0
	for range g.all {
		n++
	}
	require.Equal(t, 3, n)
	v := lawtest.Violation(t, func() error {
		for range g.all {
			require.Equal(t, 3, len(g.items), "pushed twice in one loop")
			g.push(1)
		}
		return nil
	})
	lawtest.Equal(t, safety.Violation{Kind: safety.ErrBorrowed, Container: `safety_test.stack "g"`, Made: "borrow_test.go"}, v)
	require.Regexp(t, `an iterator of safety_test\.stack "g", taken at borrow_test\.go:\d+, was used after safety_test\.stack "g" was changed by Push`, v.Error())
	v = lawtest.Violation(t, func() error {
		next, stop := iter.Pull(g.all)
		defer stop()
		next()
		g.push(1)
		next()
		return nil
	})
	require.Contains(t, v.Error(), `an iterator of safety_test.stack "g" was used after`)
}

// requireTaken completes k, which took the container of the borrow to change it, and asserts that
// the borrow was over before and is over afterwards.
func requireTaken(t *testing.T, borrow *safety.Borrow, k *safety.Ticket) {
	t.Helper()
	for range 2 {
		v := lawtest.Violation(t, func() error { borrow.Check(); return nil })
		require.ErrorIs(t, v, safety.ErrBorrowed)
		require.Equal(t, "grows", v.OtherJob)
		require.Equal(t, "S", v.OtherField)
		require.Regexp(t, `^helpers_test\.go:\d+$`, v.Scheduled)
		require.Regexp(t, `of safety_test\.stack "g", taken at .*\.go:\d+, was used after job grows .* took safety_test\.stack "g" to change it`, v.Error())
		if !k.Returned() {
			completed(k)
		}
	}
}

// A job that writes or appends ends borrows when it is scheduled, and they stay ended; one that
// reads or shares does not.
func TestSchedulingAWriterEndsBorrows(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, m := range modes {
		t.Run(m.String(), func(t *testing.T) {
			g := newGrowing(3)
			borrow := g.guard.Borrow("a slice", 0)
			k := opened(t, "grows", nil, g.claim(m, "S"))
			switch m {
			case safety.Read:
				borrow.Check()
				completed(k)
				borrow.Check()
			case safety.Shared:
				require.ErrorIs(t, lawtest.Violation(t, func() error { borrow.Check(); return nil }), safety.ErrInFlight)
				completed(k)
				borrow.Check()
			default:
				requireTaken(t, &borrow, k)
			}
			again := g.guard.Borrow("a slice", 0)
			again.Check()
		})
	}
}

// The borrow of BorrowLook is ended by jobs that may change the structure of the container, and not
// by ordinary changes or by jobs that read or share it.
func TestOnlyJobsEndTheBorrowsOfIteratorsBesideOthers(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, m := range modes {
		t.Run(m.String(), func(t *testing.T) {
			g := newGrowing(3)
			borrow := g.guard.BorrowLook("an iterator", 0)
			g.guard.Bump("was changed")
			borrow.Check()
			k := opened(t, "grows", nil, g.claim(m, "S"))
			switch m {
			case safety.Read, safety.Shared:
				borrow.Check()
				completed(k)
				borrow.Check()
			default:
				v := lawtest.Violation(t, func() error { g.guard.BorrowLook("an iterator", 0); return nil })
				require.ErrorIs(t, v, safety.ErrInFlight)
				requireTaken(t, &borrow, k)
			}
			again := g.guard.BorrowLook("an iterator", 0)
			again.Check()
			g.guard.Dispose()
			require.ErrorIs(t, lawtest.Violation(t, func() error { again.Check(); return nil }), safety.ErrDisposed)
		})
	}
}

// What a job changes is not lent.
func TestNothingIsLentOfWhatMayNotBeRead(t *testing.T) {
	lawtest.CheckedOnly(t)
	g := newGrowing(3)
	k := opened(t, "grows", nil, g.claim(safety.Write, "S"))
	require.ErrorIs(t, lawtest.Violation(t, func() error { g.guard.Borrow("a slice", 0); return nil }), safety.ErrInFlight)
	completed(k)
	borrow := g.guard.Borrow("a slice", 0)
	borrow.Check()
}

func TestAContainerOfFixedSizeKeepsItsBorrows(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	borrow := s.guard.Borrow("a slice", 0)
	k := opened(t, "writes", nil, s.claim(safety.Write, "S"))
	require.ErrorIs(t, lawtest.Violation(t, func() error { borrow.Check(); return nil }), safety.ErrInFlight)
	completed(k)
	borrow.Check()
	s.guard.Dispose()
	require.ErrorIs(t, lawtest.Violation(t, func() error { borrow.Check(); return nil }), safety.ErrDisposed)
}

func TestABorrowOfADisposedContainerSaysSo(t *testing.T) {
	lawtest.CheckedOnly(t)
	g := newGrowing(3)
	borrow := g.guard.Borrow("a slice", 0)
	g.guard.Bump("was emptied")
	g.guard.Dispose()
	require.ErrorIs(t, lawtest.Violation(t, func() error { borrow.Check(); return nil }), safety.ErrDisposed)
	require.ErrorIs(t, lawtest.Violation(t, func() error { new(safety.Borrow).Check(); return nil }), safety.ErrBorrowed)
}

// What a view hands out in a body is good while the view is.
func TestABorrowOfAViewEndsWithItsBatch(t *testing.T) {
	lawtest.CheckedOnly(t)
	g := newGrowing(3)
	b := enter(t, "grows", g.view(safety.Write))
	var borrow safety.Borrow
	b.do(func() { borrow = b.views[0].Hold.Borrow("a slice", 0) })
	borrow.Check()
	b.do(func() { g.guard.Bump("was changed by the body") })
	v := lawtest.Violation(t, func() error { borrow.Check(); return nil })
	require.ErrorIs(t, v, safety.ErrBorrowed)
	require.Equal(t, []string{"grows", "Outer"}, []string{v.Job, v.Field})
	b.do(func() { borrow = b.views[0].Hold.Borrow("a slice", 0) })
	b.next() // the view is the next batch's
	v = lawtest.Violation(t, func() error { borrow.Check(); return nil })
	require.ErrorIs(t, v, safety.ErrStaleView)
	require.Regexp(t, `a slice of safety_test\.stack "g", taken at helpers_test\.go:\d+, was used after the batch that it was taken in had ended`, v.Error())
	b.do(func() { borrow = b.views[0].Hold.Borrow("a slice", 0) })
	b.scope.Next(nil, 1)
	require.ErrorIs(t, lawtest.Violation(t, func() error { borrow.Check(); return nil }), safety.ErrStaleView)
	b.leave()
	require.ErrorIs(t, lawtest.Violation(t, func() error { b.views[0].Hold.Borrow("a slice", 0); return nil }), safety.ErrStaleView)
}

// A job that is scheduled to run after a body's does not end what the body was lent: it changes
// nothing before.
func TestALaterJobLeavesTheBorrowsOfABody(t *testing.T) {
	lawtest.CheckedOnly(t)
	g := newGrowing(3)
	b := enter(t, "reads", g.view(safety.Read))
	var borrow safety.Borrow
	b.do(func() { borrow = b.views[0].Hold.Borrow("an iterator", 0) })
	owners := g.guard.Borrow("an iterator", 0)
	k := opened(t, "grows", []*safety.Ticket{b.job}, g.claim(safety.Append, "S"))
	b.do(func() { borrow.Check() })
	require.ErrorIs(t, lawtest.Violation(t, func() error { owners.Check(); return nil }), safety.ErrBorrowed)
	b.leave()
	completed(k)
}

// What happens while a job has the container is told as that job's.
func TestAJobThatTookTheContainerIsNamedAfterItsChanges(t *testing.T) {
	lawtest.CheckedOnly(t)
	g := newGrowing(3)
	borrow := g.guard.Borrow("an iterator", 0)
	k := opened(t, "grows", nil, g.claim(safety.Append, "S"))
	g.guard.Bump("was changed by what a job pushed")
	completed(k)
	require.Equal(t, "grows", lawtest.Violation(t, func() error { borrow.Check(); return nil }).OtherJob)
}

// Unchecked builds lend and look at nothing.
func TestBorrowsOfUncheckedBuildsAreNothing(t *testing.T) {
	if safety.Enabled {
		t.Skip("unchecked builds only")
	}
	g := newGrowing(3)
	v := g.view(safety.Write)
	for _, borrow := range []safety.Borrow{g.guard.Borrow("a slice", 0), v.Hold.Borrow("a slice", 0)} {
		g.guard.Bump("was changed")
		borrow.Check()
		require.Zero(t, borrow)
	}
}

func TestADivisionSplitsOnce(t *testing.T) {
	lawtest.CheckedOnly(t)
	whole, part := newStack(2), newStack(2)
	var d safety.Division
	d.Divide(&whole.guard, []*safety.Guard{&part.guard}, 0)
	d.Join()
	other := newStack(2)
	v := lawtest.Violation(t, func() error { d.Divide(&whole.guard, []*safety.Guard{&other.guard}, 0); return nil })
	require.ErrorIs(t, v, safety.ErrArgument)
	whole.pop()
}

// Parts have to be made for the split: locks are taken in the order in which containers were made.
func TestADivisionRefusesPartsThatWereNotMadeForIt(t *testing.T) {
	lawtest.CheckedOnly(t)
	older := newStack(2)
	whole := newStack(2)
	part := newStack(2)
	var never safety.Guard
	for name, parts := range map[string][]*safety.Guard{
		"made before": {&part.guard, &older.guard},
		"the whole":   {&part.guard, &whole.guard},
		"twice":       {&part.guard, &part.guard},
		"never made":  {&part.guard, &never},
	} {
		t.Run(name, func(t *testing.T) {
			var d safety.Division
			v := lawtest.Violation(t, func() error { d.Divide(&whole.guard, parts, 0); return nil })
			require.ErrorIs(t, v, safety.ErrArgument)
			require.Contains(t, v.Error(), "no container that was made for it")
			whole.pop()
			whole.push(1)
		})
	}
}
