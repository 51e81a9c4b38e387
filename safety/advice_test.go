package safety_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// What a text advises can be done where it is read.

func TestWhoMeetsARunningCallIsNotToldToCompleteIt(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	k := newTicket("busy", nil, s.claim(safety.Write, "S"))
	k.Called = true
	require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
	text := broken(t, func() { s.top() }).Error()
	require.Contains(t, text, "orders its use with the one that ran the job, by a channel or a lock: the job was run, not scheduled, and has no handle.")
	require.NotContains(t, text, "Complete on")
	completed(k)
}

func TestABodyIsToldToUseItsViewAndToDisposeOutside(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	b := enter(t, "outer", s.view(safety.Write))
	b.do(func() {
		require.Contains(t, broken(t, func() { s.top() }).Error(), "Inside the job use the view of it that the job carries.")
		require.Contains(t, broken(t, s.guard.Dispose).Error(), "Dispose it outside, when the job was completed")
	})
	b.leave()
}

// A nested job has two ways to be met: by the body around, and by its own body, which uses the
// wrong view.
func TestANestedBodyIsToldToUseItsOwnView(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	b := enter(t, "outer", s.view(safety.Write))
	b.do(func() {
		nested := new(safety.Ticket)
		nested.Reset("inner", 0) // it is run, not scheduled
		nested.Claim(held(b.views[0], "In"))
		require.Nil(t, nested.Open(safety.CurrentScope(), 0, false))
		require.Zero(t, nested.Site())
		nested.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})
		inside := safety.NewScope()
		inside.Open(nested, 0, true)
		inside.Do(runner(func() {
			require.Contains(t, broken(t, func() { b.views[0].slice() }).Error(),
				"while nested job inner (field In) writes it and was not completed.\n\tInside the nested job use the view of it that the nested job carries.")
		}))
		inside.Close()
		inside.Discard()
		nested.Seal(1, false, inline)
		nested.Return()
	})
	b.leave()
}

// A window that is lent on is as long as the batch that it is of.
func TestALentViewThatIsTooShortIsNotAContainerThatIs(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	b := enter(t, "outer", s.view(safety.Write))
	b.do(func() {
		c := held(b.views[0], "In")
		c.Ranged, c.Extent = true, 3
		v := newTicket("inner", nil, c).Open(safety.CurrentScope(), 4, true)
		require.ErrorIs(t, v, safety.ErrLength)
		require.Contains(t, v.Error(), "A view that a body passes on serves what the body owns")
	})
	b.leave()
}

// Readers help when all that is wrong is that both jobs asked for more than they need.
func TestReadersAreAdvisedWhereTheyWouldDo(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	for _, c := range []struct {
		held safety.Mode
		want string
	}{
		{safety.Read, "or take a Reader() if the job only reads."},
		{safety.Write, "or take a Reader() in both if both only read."},
		{safety.Append, "or complete the previous job first."},
		{safety.Shared, "or complete the previous job first."},
	} {
		first := opened(t, "first", nil, s.claim(c.held, "A"))
		require.Contains(t, refused(t, "second", nil, s.claim(safety.Write, "B")).Error(), c.want)
		completed(first)
	}
}

// elsewhere is a view that knows better what to do for what is outside its range.
type elsewhere struct{ stackView }

func (e *elsewhere) Elsewhere() string { return "Take another stack." }
func (e *elsewhere) NoIndex() string   { return "Make the stack larger." }

func TestAViewMayAdviseForWhatIsOutsideItsRange(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(5)
	v := &elsewhere{s.view(safety.Write)}
	k := opened(t, "J", nil, held(v, "A"))
	k.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})
	l := safety.NewScope()
	l.Open(k, 0, true)
	v.Bind(safety.NewBinding(l, 0, v))
	v.SetRange(1, 3)
	require.Contains(t, broken(t, func() { v.at(4) }).Error(), "in a batch that owns 1 <= index < 3.\n\tTake another stack.\n")
	require.Contains(t, broken(t, func() { v.at(5) }).Error(), "which has length 5.\n\tMake the stack larger.\n")
	l.Close()
	l.Discard()
	k.Seal(1, false, inline)
	k.Return()
}
