package safety_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// filler is a view that notes what it completes.
type filler struct {
	stackView
	found safety.Claim // what it was to complete
}

// Claim completes the claim.
func (f *filler) Claim(c *safety.Claim) {
	f.found = *c
	f.stackView.Claim(c)
}

// A ticket asks a view for its claim in the one way or the other, and notes it with the field:
// however many there are, and also where another job's claims were.
func TestATicketAsksViewsForTheirClaims(t *testing.T) {
	k, s := new(safety.Ticket), newStack(3)
	for range 2 {
		k.Reset("J", safety.Caller(0))
		fields := []string{"A", "B", "C.D", "E[3]", "F", "G"}
		for i, field := range fields {
			m := modes[i%len(modes)]
			v, f := s.view(m), &filler{stackView: s.view(m)}
			want := held(&v, field)
			if i%2 == 0 {
				k.ClaimOf(safety.FieldOf(&v, field))
			} else {
				k.ClaimOf(safety.FieldOf(f, field))
				require.Equal(t, safety.Claim{Guard: &s.guard, Mode: m}, f.found, "what it completes")
			}
			require.Equal(t, want, *k.Claimed(i))
		}
		for i, field := range fields {
			require.Equal(t, field, k.Claimed(i).Field)
		}
	}
	k.Reset("J", 0)
	k.ClaimOf(safety.FieldOf(new(plainView), "Unassigned"))
	require.Equal(t, safety.Claim{Field: "Unassigned"}, *k.Claimed(0))
}

// What a Field knows of its view is good for all views that have the same binder, and no others.
func TestAFieldKnowsWhetherItsViewHasAnotherBinder(t *testing.T) {
	s, other := newStack(3), newStack(2)
	var v plainView
	var q quietView
	for _, of := range []struct {
		view  safety.View
		set   func(h safety.Hold)
		kinds []safety.ViewKind
	}{
		{&v, func(h safety.Hold) { v = plainView{h} }, []safety.ViewKind{nil, (*plainKind)(nil), holdKind{}, holdKind2{}}},
		{&q, func(h safety.Hold) { q = quietView{quiet.New(h)} }, []safety.ViewKind{nil, quiet.Kind[*quietKind]{}, quiet.Kind[*quietKind2]{}}},
	} {
		empty := safety.FieldOf(of.view, "V")
		require.False(t, empty.Stale())
		for _, k := range of.kinds {
			of.set(s.guard.Hold(safety.Read, k))
			f := safety.FieldOf(of.view, "V")
			require.Equal(t, "V", f.Path)
			require.Same(t, of.view, f.View)
			require.False(t, f.Stale())
			require.Equal(t, empty.Binder != f.Binder, empty.Stale())
			of.set(other.guard.Hold(safety.Write, k))
			require.False(t, f.Stale(), "another container in another mode")
			for _, k := range of.kinds {
				of.set(s.guard.Hold(safety.Read, k))
				require.Equal(t, f.Binder != safety.FieldOf(of.view, "V").Binder, f.Stale())
			}
		}
	}
	v = plainView{s.guard.Hold(safety.Read, copyKind{})}
	require.True(t, safety.FieldOf(&v, "V").Stale(), "the binder is made anew")
}

// These are kinds of plainViews: whose binder is the view, the Hold, and a copy.
type (
	plainKind plainView
	holdKind  struct{}
	holdKind2 struct{ _ int }
	copyKind  struct{}
)

func (*plainKind) Of(view any, _ *safety.Hold) safety.Binder { return (*plainKind)(view.(*plainView)) }
func (holdKind) Of(_ any, h *safety.Hold) safety.Binder      { return h }
func (holdKind2) Of(_ any, h *safety.Hold) safety.Binder     { return h }
func (copyKind) Of(_ any, h *safety.Hold) safety.Binder      { c := *h; return &c }

// quietView is a view as containers of the library have.
type (
	quietView struct {
		quiet.Hold `custody:"part"`
	}
	quietKind  struct{ safety.Hold }
	quietKind2 struct{ safety.Hold }
)

// The scope that Open is given is the parent of the job, whichever goroutine calls it.
func TestAJobIsOpenedUnderAScope(t *testing.T) {
	lawtest.CheckedOnly(t)
	s, other := newStack(3), newStack(3)
	b := enter(t, "outer", s.view(safety.Write))
	under := func(l *safety.Scope, c safety.Claim) (*safety.Ticket, *safety.Violation) {
		k := newTicket("inner", nil, c)
		return k, k.Open(l, 0, false)
	}
	lent := func() safety.Claim { return held(b.views[0], "Inner") }
	foreign := func() safety.Claim { return other.claim(safety.Write, "Inner") }

	k, v := under(b.scope, lent()) // by a goroutine that is in no body
	require.Nil(t, v)
	require.Same(t, b.scope, k.Parent())
	require.True(t, b.scope.Busy())
	completed(k)
	require.False(t, b.scope.Busy())
	_, v = under(b.scope, foreign())
	require.NotNil(t, v, "the body does not hold it")

	b.do(func() {
		k, v := under(nil, foreign())
		require.Nil(t, v)
		require.Nil(t, k.Parent())
		require.False(t, b.scope.Busy())
		completed(k)
		_, v = under(nil, lent())
		require.NotNil(t, v, "nobody lends it")
		_, v = under(safety.CurrentScope(), foreign())
		require.Equal(t, refused(t, "inner", nil, foreign()).Kind, v.Kind)
		k = opened(t, "inner", nil, lent())
		require.Same(t, b.scope, k.Parent())
		completed(k)
	})
	b.leave()
	requireFree(t, s)
	requireFree(t, other)
}

// A ticket knows whether one of its containers wants to know that the job ends, from its start on.
func TestATicketKnowsWhetherItHasPhases(t *testing.T) {
	s, p := newStack(1), newPhased(new(diary), "p")
	k := opened(t, "plain", nil, s.claim(safety.Read, "S"))
	k.Start(safety.Phase{Workers: 1})
	require.False(t, k.Phased())
	k.Seal(0, false, inline)
	k.Return()

	fill(k, "phased", nil, s.claim(safety.Read, "S"), p.claim(safety.Read))
	require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
	k.Start(safety.Phase{Workers: 1})
	require.True(t, k.Phased())
	k.Seal(0, false, inline)
	k.Return()
	fill(k, "plain again", nil, s.claim(safety.Read, "S"))
	require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
	require.False(t, k.Phased())
	completed(k)
}

// A ticket knows whether one of its containers may call functions of its users in a phase.
func TestATicketKnowsWhetherItsPhasesCallItsUsers(t *testing.T) {
	p, s := newPhased(new(diary), "p"), newStack(1)
	k := opened(t, "phased", nil, s.claim(safety.Read, "S"), p.claim(safety.Read))
	require.Equal(t, safety.Enabled, k.Foreign() && safety.Enabled)
	completed(k)
	k = opened(t, "plain", nil, s.claim(safety.Read, "S"))
	require.False(t, k.Foreign())
	completed(k)
}

// Only an Ordered job inherits, and a claim of nothing is nothing to inherit; see
// TestWhatTheRaceDetectorIsShown for what it is good for.
func TestInheritanceOfNothing(t *testing.T) {
	for _, ordered := range []bool{true, false} {
		k := newTicket("J", nil, safety.Claim{}, newStack(1).claim(safety.Read, "S"))
		k.Ordered = ordered
		require.NotPanics(t, k.Inherit)
	}
}

// asking is a view that looks after others.
type asking struct {
	plainView
	of     []*stack
	claims []safety.Claim // of each, the zero one where there is none
}

func (v *asking) Bind(b safety.Binding) {
	v.plainView.Bind(b)
	for _, s := range v.of {
		c, ok := b.Claims(&s.guard)
		if ok != (c != safety.Claim{}) {
			panic("a claim that is none")
		}
		v.claims = append(v.claims, c)
	}
}

// A view gets to know what its job claims of another container: the first of two claims, and
// nothing of what the job does not have.
func TestABindingKnowsTheClaimsOfItsJob(t *testing.T) {
	own, twice, once, none := newStack(1), newStack(2), newStack(3), newStack(4)
	v := &asking{plainView: plainView{own.guard.Hold(safety.Read, nil)}, of: []*stack{none, once, twice, own}}
	first, second := twice.claim(safety.Read, "First"), twice.claim(safety.Read, "Second")
	k := opened(t, "J", nil, first, held(v, "V"), second, once.claim(safety.Write, "Once"))
	l := safety.NewScope()
	l.Open(k, 0, true)
	v.Bind(safety.NewBinding(l, 1, v))
	require.Equal(t, []safety.Claim{{}, once.claim(safety.Write, "Once"), first, *k.Claimed(1)}, v.claims)
	l.Close()
	l.Discard()
	completed(k)
}

// Violation keeps what it returns, also after the batch and the job. A refused access that is
// looked at only then is out of its batch.
func TestAFrozenAccessStaysWhatItIs(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(2, safety.Named("s"))
	b := enter(t, "J", s.view(safety.Read), s.view(safety.Read))
	frozen := b.views[0].Hold.Out(7)
	b.views[1].Hold.Out(7)
	again := b.views[1].Hold.Out(5)
	require.Equal(t, 5, again.Violation().Index)
	other := b.views[1].Hold.Out(7)
	want := frozen.Violation()
	require.ErrorIs(t, want, safety.ErrIndex)
	require.Equal(t, []any{7, "J", "Outer"}, []any{want.Index, want.Job, want.Field})
	for _, ends := range []func(){b.next, b.leave} {
		ends()
		require.Same(t, want, frozen.Violation())
		require.Same(t, want, frozen.Unwrap())
		require.Equal(t, want.Error(), frozen.Error())
	}
	require.ErrorIs(t, other.Violation(), safety.ErrStaleView)
}

// In strict builds a view knows the number of its batch, and elsewhere none.
func TestTheBatchOfAView(t *testing.T) {
	lawtest.CheckedOnly(t)
	b := enter(t, "J", newStack(9).view(safety.Write))
	a := &b.views[0].Hold
	for _, batch := range []int{3, 0, 8} {
		b.scope.Next([]*safety.Hold{a}, batch)
		if !safety.Strict {
			batch = 0
		}
		require.Equal(t, batch, a.Batch())
	}
	b.leave()
}

// ranging is a view whose claim is Ranged and which has no range.
type ranging struct{ plainView }

// Claim completes the claim.
func (v *ranging) Claim(c *safety.Claim) {
	c.Ranged, c.Extent = true, 3
}

// set is a view of which no text can tell the range.
type set struct{ ranging }

func (v *set) SetRange(begin, end int) {}

// shown is a view to which no driver can tell the range.
type shown struct{ ranging }

func (v *shown) Window() (begin, end, length int) { return 0, 3, 3 }

// misshapen is a view whose methods have other signatures than those of a RangeView.
type misshapen struct{ ranging }

func (v *misshapen) SetRange(begin, end int) {}

func (v *misshapen) Window() (begin, end int) { return 0, 3 }

// A claim that is Ranged is that of a RangeView: a view with a part of its methods would write what
// it likes. The violation names the view's type and the methods that are missing.
func TestAViewWhoseClaimIsRangedHasARange(t *testing.T) {
	lawtest.CheckedOnly(t)
	s, other := newStack(3, safety.Named("s")), newStack(3)
	const setRange, window = "SetRange(begin, end int)", "Window() (begin, end, length int)"
	for _, m := range []safety.Mode{safety.Read, safety.Write} {
		part := ranging{plainView{s.guard.Hold(m, nil)}}
		for _, c := range []struct {
			v       safety.View
			typ     string
			missing []string
		}{
			{&part, "ranging", []string{setRange, window}},
			{&set{part}, "set", []string{window}},
			{&shown{part}, "shown", []string{setRange}},
			{&misshapen{part}, "misshapen", []string{window}},
		} {
			for _, n := range []int{0, 3, 4} { // a job that is no loop, a loop, and one that is too long
				k, whole := new(safety.Ticket), other.view(safety.Write)
				k.Reset("J", safety.Caller(0))
				k.ClaimOf(safety.FieldOf(&whole, "A"))
				k.ClaimOf(safety.FieldOf(c.v, "B"))
				k.ClaimOf(safety.FieldOf(new(plainView), "Unassigned"))
				v := k.Open(safety.CurrentScope(), n, n > 0)
				if n > 3 {
					require.ErrorIs(t, v, safety.ErrLength, "of the first view, which has a range")
					continue
				}
				require.ErrorIs(t, v, safety.ErrNoRange, c.typ)
				require.Equal(t, []string{"J", "B", `safety_test.stack "s"`}, []string{v.Job, v.Field, v.Container})
				require.ErrorContains(t, v, "a view of type safety_test."+c.typ+", ")
				for _, method := range []string{setRange, window} {
					require.Equal(t, slices.Contains(c.missing, method), strings.Contains(v.Error(), method), "%s: %s", c.typ, v)
				}
			}
		}
	}
	requireFree(t, s)
	requireFree(t, other)
}
