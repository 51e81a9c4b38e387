package safety_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// pair is a container of two guards: readers choose the front one, writers the back one, and they change
// places when the back one returns written.
type pair struct {
	guards [2]safety.Guard
	choice safety.Choice
	heard  []bool
	before func() // the buffers change places; nil, or called once
}

func newPair() *pair {
	p := new(pair)
	for i := range p.guards {
		p.guards[i].Init(p, 0)
	}
	p.choice.Init(&p.guards[0], &p.guards[1])
	return p
}

func (p *pair) ReturnPhase(ok bool) {
	p.heard = append(p.heard, ok)
	if f := p.before; f != nil {
		p.before = nil
		f()
	}
	p.choice.Swap()
}

func (p *pair) claim(m safety.Mode) safety.Claim {
	which := p.choice.Front()
	if m == safety.Write {
		which = p.choice.Back()
	}
	return safety.Claim{Guard: &p.guards[which], Mode: m, Choice: &p.choice}
}

func TestAChoiceSwapsWhenTheWriterReturns(t *testing.T) {
	p := newPair()
	writer := opened(t, "writer", nil, p.claim(safety.Write))
	require.False(t, writer.Again())
	require.Equal(t, 0, p.choice.Front())
	completed(writer)
	require.Equal(t, []bool{true}, p.heard)
	require.Equal(t, 1, p.choice.Front())
	require.Equal(t, 0, p.choice.Back())
}

// A claim that was made before a swap and opened after it takes nothing, and says so.
func TestAClaimThatMovedTakesNothing(t *testing.T) {
	modes := []safety.Mode{safety.Read, safety.Write, safety.Read, safety.Write}
	for i, m := range append(modes, modes...) {
		p, s := newPair(), newStack(1)
		claims := []safety.Claim{s.claim(safety.Write, "S"), p.claim(m)}
		if i%4 >= 2 {
			slices.Reverse(claims)
		}
		late := newTicket("late", nil, claims...)
		late.Called = i >= 4
		completed(opened(t, "writer", nil, p.claim(safety.Write)))
		require.Nil(t, late.Open(0, false))
		require.True(t, late.Again(), m)
		requireFree(t, s)
		for i := range p.guards {
			require.NotPanics(t, p.guards[i].CheckWrite)
		}
		again := opened(t, "late", nil, s.claim(safety.Write, "S"), p.claim(m))
		require.False(t, again.Again())
		completed(again)
	}
}

// In unchecked builds what a body lends on, and views that were never assigned, count as little when another claim moved as
// they do otherwise.
func TestAClaimThatMovedCountsNothingBack(t *testing.T) {
	lawtest.UncheckedOnly(t)
	p, c := newPair(), newPhased(new(diary), "c")
	v := c.view(safety.Append)
	outer := opened(t, "outer", nil, held(&v, "V"))
	outer.Start(safety.Phase{Workers: 1, N: 1, Cells: 1, Batch: 1})
	lease := safety.NewLease()
	lease.Open(outer, 0, true)
	v.Bind(safety.NewBinding(lease, 0, &v))
	late := newTicket("late", nil, held(&v, "V"), p.claim(safety.Write), safety.Claim{})
	late.Called = true
	completed(opened(t, "writer", nil, p.claim(safety.Write)))
	require.Nil(t, late.Open(0, false))
	require.True(t, late.Again())
	lease.Close()
	lease.Discard()
	outer.Seal(1, false, inline)
	outer.Return()
	require.Equal(t, 1, c.plainWord)
}

// When another writer was admitted between the return of one and the swap, they swap once, when that
// one returns.
func TestASwapWaitsForAWriterThatWasAdmittedMeanwhile(t *testing.T) {
	p := newPair()
	var holder *safety.Ticket
	p.before = func() { holder = opened(t, "holder", nil, p.claim(safety.Write)) }
	completed(opened(t, "writer", nil, p.claim(safety.Write)))
	assert.Equal(t, 0, p.choice.Front(), "the back is being written")
	completed(holder)
	assert.Equal(t, 1, p.choice.Front())
	p.choice.Swap()
	assert.Equal(t, 1, p.choice.Front(), "nobody has written since")
}

// The same when that one returns before: the first finds nothing to do.
func TestTwoWritersThatReturnAtTheSameTimeSwapOnce(t *testing.T) {
	p := newPair()
	p.before = func() { completed(opened(t, "another", nil, p.claim(safety.Write))) }
	completed(opened(t, "writer", nil, p.claim(safety.Write)))
	assert.Equal(t, 1, p.choice.Front())
}

// What a job that failed has left is never seen, also when the swap of one that did not comes late.
func TestNoSwapShowsWhatAFailedWriterLeft(t *testing.T) {
	fails := func(p *pair) {
		k := opened(t, "fails", nil, p.claim(safety.Write))
		k.Start(safety.Phase{Workers: 1, N: 1, Cells: 1, Batch: 1})
		k.Seal(1, true, inline)
		k.Return()
		assert.Equal(t, 0, p.choice.Front())
	}
	p := newPair()
	fails(p)
	p.before = func() { fails(p) }
	completed(opened(t, "writer", nil, p.claim(safety.Write)))
	assert.Equal(t, 0, p.choice.Front())
	completed(opened(t, "writer", nil, p.claim(safety.Write)))
	assert.Equal(t, 1, p.choice.Front())
}

// A turn is the time from when a job comes to hold the back until custody returns, whether the buffers change places or not.
func TestATurnBeginsWhenAJobComesToHoldTheBack(t *testing.T) {
	p := newPair()
	require.Zero(t, p.choice.Turns())
	completed(opened(t, "reader", nil, p.claim(safety.Read)))
	require.Zero(t, p.choice.Turns())
	for turn := range uint32(4) {
		first := finished(opened(t, "first", nil, p.claim(safety.Write)))
		began := p.choice.Turns()
		require.Greater(t, began, turn)
		second := finished(opened(t, "second", after(first), p.claim(safety.Write)))
		require.Equal(t, began, p.choice.Turns())
		p.before = func() {
			third := opened(t, "third", nil, p.claim(safety.Write))
			require.Greater(t, p.choice.Turns(), began)
			completed(third)
		}
		second.Return()
	}
}

// Both guards of a choice end together, in whichever order they are named.
func TestAChoiceIsDisposedAsAWhole(t *testing.T) {
	for _, back := range []int{0, 1} {
		p := newPair()
		p.choice.Dispose(&p.guards[1-back], &p.guards[back])
		require.True(t, p.guards[0].Disposed())
		require.True(t, p.guards[1].Disposed())
	}
}
