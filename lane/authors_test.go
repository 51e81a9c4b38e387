package lane

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// A container that panics has lost the items; its lanes are as good as new.
func TestAContainerThatPanics(t *testing.T) {
	var ls Lanes[*int]
	p := phase(1, 1)
	broken := errors.New("no room")
	for range 2 {
		ls.Open(p)
		ls.Lane(0).BeginSpan(0)
		ls.Lane(0).Append(nil, new(int))
		require.PanicsWithValue(t, broken, func() { ls.Seal(p, func(Items[*int]) { panic(broken) }) })
	}
	require.Nil(t, *(**int)(field(ls.Lane(0).core(), "chunks").Index(0).Field(0).UnsafePointer()))
}

// What an author of a container may forget is found out by the first test that runs.
func TestWhatAuthorsMayForget(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 1)
	late := func() *Lane[int] {
		ls.Open(p)
		defer ls.Seal(p, func(Items[int]) {})
		return ls.Lane(0)
	}()
	for _, c := range []struct {
		name string
		kind error
		says string
		do   func()
	}{
		{"append outside a phase", safety.ErrStaleView, "outside its phase", func() { late.Append(nil, 1) }},
		{"append many outside a phase", safety.ErrStaleView, "outside its phase", func() { late.AppendAll(nil, []int{1}) }},
		{"append to no lane", safety.ErrStaleView, "outside its phase", func() { (*Lane[int])(nil).Append(nil, 1) }},
		{"append many to no lane", safety.ErrStaleView, "outside its phase", func() { (*Lane[int])(nil).AppendAll(nil, nil) }},
		{"no BeginSpan", safety.ErrArgument, "safety.SpanView", func() {
			ls.Open(p)
			defer ls.Seal(p, func(Items[int]) {})
			ls.Lane(0).Append(nil, 1)
		}},
		{"no lane to begin a run in", safety.ErrArgument, "lane.Of", func() { (*Lane[int])(nil).BeginSpan(0) }},
		{"no Open", safety.ErrArgument, "a lane of int", func() { Of[int](safety.NewBinding(scope(t), 0, nil)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := lawtest.Violation(t, func() error { c.do(); return nil })
			require.ErrorIs(t, v, c.kind)
			require.ErrorContains(t, v, c.says)
		})
	}
	t.Run("no Into", func(t *testing.T) {
		lawtest.CheckedOnly(t)
		ls.Open(p)
		v := lawtest.Violation(t, func() error { ls.Open(phase(1, 1)); return nil })
		require.ErrorIs(t, v, safety.ErrArgument)
		require.ErrorContains(t, v, "Into")
		require.Empty(t, seal(&ls, p))
	})
}

// scope returns the scope of a job with a claim whose container has no phases.
func scope(t *testing.T) *safety.Scope {
	var g safety.Guard
	g.Init(&g, 0)
	ticket := new(safety.Ticket)
	ticket.Reset("job", safety.Caller(0))
	view := g.Hold(safety.Read, nil)
	ticket.ClaimOf(safety.FieldOf(&view, ""))
	require.Nil(t, ticket.Open(safety.CurrentScope(), 1, false))
	ticket.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})
	l := safety.NewScope()
	l.Open(ticket, 0, true)
	t.Cleanup(func() {
		l.Close()
		l.Discard()
		ticket.Seal(1, false, nil)
		ticket.Return()
	})
	return l
}

// Lanes of different types do not take each other's phases and items.
func TestLanesOfOtherTypes(t *testing.T) {
	var a Lanes[int]
	var b Lanes[string]
	b.Seal(phase(1, 1), func(Items[string]) { t.Error("they were not opened") })
	p := phase(1, 1)
	q := *p
	b.Open(&q)
	a.Open(p)
	a.Lane(0).BeginSpan(0)
	a.Lane(0).Append(nil, 7)
	b.Lane(0).BeginSpan(0)
	b.Lane(0).Append(nil, "x")
	b.Seal(p, func(s Items[string]) { require.Equal(t, []string{"x"}, appended(nil, s)) })
	require.Equal(t, []int{7}, seal(&a, p))

	a.Open(p)
	q = *p
	q.Into = a.Lane(0)
	b.Open(&q)
	b.Lane(0).BeginSpan(0)
	b.Lane(0).Append(nil, "y")
	b.Seal(&q, func(s Items[string]) { require.Equal(t, []string{"y"}, appended(nil, s)) })
	require.Empty(t, seal(&a, p))
}

// Lanes that were never opened end no phase of others.
func TestLanesThatWereNotOpened(t *testing.T) {
	var a Lanes[uint64]
	var b Lanes[*uint64]
	p := phase(1, 1)
	a.Open(p)
	a.Lane(0).BeginSpan(0)
	a.Lane(0).Append(nil, 0xdeadbeef)
	b.Seal(p, func(Items[*uint64]) { t.Error("they have no items") })
	q := *p
	q.Into = a.Lane(0)
	b.Seal(&q, func(Items[*uint64]) { t.Error("they have no items") })
	require.Equal(t, []uint64{0xdeadbeef}, seal(&a, p))
}
