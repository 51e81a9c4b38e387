package safety_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// Of all pairs of modes only two readers and two sharers go together without an order; every pair
// goes when one runs after the other, or the first was completed.
func TestModesThatGoTogether(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, a := range modes {
		for _, b := range modes {
			t.Run(fmt.Sprint(a, " ", b), func(t *testing.T) {
				s := newStack(3, safety.Named("s"))
				first := opened(t, "A", nil, s.claim(a, "X"))
				second := newTicket("B", nil, s.claim(b, "Y"))
				v := second.Open(safety.CurrentScope(), 0, false)
				if a == b && (a == safety.Read || a == safety.Shared) {
					require.Nil(t, v, "unordered")
					completed(second)
				} else {
					lawtest.Equal(t, safety.Violation{
						Kind: safety.ErrConflict, Container: `safety_test.stack "s"`, Made: "ticket_test.go", Scheduled: here,
						Job: "B", Field: "Y", OtherJob: "A", OtherField: "X",
					}, v)
				}
				completed(opened(t, "C", after(first), s.claim(b, "Z")))
				require.True(t, first.Returned())
				requireFree(t, s)
				first = opened(t, "A", nil, s.claim(a, "X"))
				completed(first)
				completed(opened(t, "D", nil, s.claim(b, "Z")))
				requireFree(t, s)
			})
		}
	}
}

// A job that has merely finished still holds its containers against others.
func TestFinishedIsNotCompleted(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	first := finished(opened(t, "A", nil, s.claim(safety.Write, "X")))
	require.True(t, safety.Sealed(first))
	require.False(t, first.Returned())
	require.ErrorIs(t, refused(t, "B", nil, s.claim(safety.Write, "X")), safety.ErrConflict)
	first.Return()
	require.True(t, first.Returned())
	completed(opened(t, "B", nil, s.claim(safety.Write, "X")))
}

// Inside one job a container may be held twice to read, to append or to share it, and in no other
// way.
func TestOneJobHoldsAContainerTwice(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, a := range modes {
		for _, b := range modes {
			t.Run(fmt.Sprint(a, " ", b), func(t *testing.T) {
				s, other := newStack(3, safety.Named("s")), newStack(3)
				job := newTicket("J", nil, s.claim(a, "A"), other.claim(safety.Write, "O"), s.claim(b, "B"))
				v := job.Open(safety.CurrentScope(), 0, false)
				if a == b && a != safety.Write {
					require.Nil(t, v)
					require.ErrorIs(t, refused(t, "K", nil, s.claim(safety.Write, "W")), safety.ErrConflict)
					completed(job)
				} else {
					lawtest.Equal(t, safety.Violation{
						Kind: safety.ErrAliased, Container: `safety_test.stack "s"`, Made: "ticket_test.go",
						Job: "J", Field: "A", OtherField: "B",
					}, v)
					assert.Contains(t, v.Error(), "field A "+verbs[a]+" it and field B "+verbs[b]+" it")
				}
				requireFree(t, s)
				requireFree(t, other)
			})
		}
	}
	s := newStack(1)
	require.ErrorIs(t, refused(t, "J", nil, s.claim(safety.Read, "A"), s.claim(safety.Read, "B"), s.claim(safety.Write, "C")), safety.ErrAliased)
	requireFree(t, s)
}

func TestClaimsThatNoJobMayHave(t *testing.T) {
	made := func() *stack { return newStack(5, safety.Named("s")) }
	open := func(n int, parallel bool, c safety.Claim) error {
		return newTicket("J", nil, made().claim(safety.Read, "ok"), c).Open(safety.CurrentScope(), n, parallel)
	}
	lawtest.Run(t, []lawtest.Misuse{{
		Name: "view that was never assigned",
		Do:   func() error { return open(1, true, held(&stackView{}, "V")) },
		Want: safety.Violation{Kind: safety.ErrUnassigned, Job: "J", Field: "V"},
		Says: []string{"job J (field V) has a view that was never assigned"},
	}, {
		Name: "view of a container that was never made",
		Do:   func() error { return open(1, true, new(stack).claim(safety.Read, "V")) },
		Want: safety.Violation{Kind: safety.ErrUnassigned, Job: "J", Field: "V"},
		Says: []string{"job J (field V) has a view of a container that was never made"},
	}, {
		Name: "loop that writes without a range",
		Do: func() error {
			v := made().view(safety.Write)
			v.ranged = false
			return open(3, true, held(&v, "V"))
		},
		Want: safety.Violation{Kind: safety.ErrNoRange, Job: "J", Field: "V", Container: `safety_test.stack "s"`, Made: "ticket_test.go"},
		Says: []string{"is a parallel loop and writes", "ParallelWriter()", "Batch(-1)"},
	}, {
		Name: "more indices than the view serves",
		Do: func() error {
			v := made().view(safety.Write)
			return open(6, true, held(&v, "V"))
		},
		Want: safety.Violation{Kind: safety.ErrLength, Job: "J", Field: "V", Container: `safety_test.stack "s"`, Made: "ticket_test.go", N: 6, Length: 5},
		Says: []string{"has 6 indices", "serves only 5"},
	}})
}

func TestClaimsThatAJobMayHave(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(5)
	unranged := s.view(safety.Write)
	unranged.ranged = false
	free := s.view(safety.Write)
	free.ranged, free.free = false, true
	writer := s.view(safety.Write)
	for _, c := range []struct {
		name     string
		n        int
		parallel bool
		claim    safety.Claim
	}{
		{"a single job writes without a range", 1, false, held(&unranged, "V")},
		{"a loop writes unrestricted, beyond the length too", 9, true, held(&free, "V")},
		{"fewer indices than the view serves", 4, true, held(&writer, "V")},
		{"as many indices as the view serves", 5, true, held(&writer, "V")},
		{"no indices", 0, true, held(&writer, "V")},
		{"a reader serves any number", 99, true, s.claim(safety.Read, "V")},
		{"so does an appender", 99, true, s.claim(safety.Append, "V")},
		{"and a sharer", 99, true, s.claim(safety.Shared, "V")},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newTicket("J", nil, c.claim)
			require.Nil(t, k.Open(safety.CurrentScope(), c.n, c.parallel))
			completed(k)
		})
	}
}

// A schedule that is refused holds nothing, whatever it is refused for and however many containers
// it has.
func TestFailedOpenChangesNothing(t *testing.T) {
	lawtest.CheckedOnly(t)
	var s [6]*stack
	for i := range s {
		s[i] = newStack(3)
	}
	holder := opened(t, "H", nil, s[3].claim(safety.Write, "X"))
	var claims []safety.Claim
	for _, i := range []int{5, 0, 4, 3, 1, 2} {
		claims = append(claims, s[i].claim(modes[i%4], "F"))
	}
	for _, spoil := range []func() []safety.Claim{
		func() []safety.Claim { return claims },
		func() []safety.Claim { return append(claims[:3:3], held(&stackView{}, "V")) },
		func() []safety.Claim { return append(claims[:3:3], s[0].claim(safety.Write, "V")) },
	} {
		refused(t, "J", nil, spoil()...)
		for i := range s {
			if i != 3 {
				requireFree(t, s[i])
			}
		}
	}
	completed(opened(t, "J", after(holder), claims...))
	for i := range s {
		requireFree(t, s[i])
	}
}

// A ticket that was refused can be opened when what stood in its way is gone.
func TestFailedOpenCanBeTriedAgain(t *testing.T) {
	lawtest.CheckedOnly(t)
	s, other := newStack(3), newStack(3)
	holder := opened(t, "H", nil, s.claim(safety.Write, "X"))
	job := newTicket("J", nil, s.claim(safety.Write, "X"), other.claim(safety.Write, "Y"))
	require.ErrorIs(t, job.Open(safety.CurrentScope(), 0, false), safety.ErrConflict)
	completed(holder)
	verdict := make(chan *safety.Violation, 1)
	go func() { verdict <- job.Open(safety.CurrentScope(), 0, false) }()
	require.Nil(t, lawtest.Arrives(t, "the second attempt, which may wait for locks that it holds itself", verdict), "the job has each container once")
	completed(job)
}

// ledgerSuite is about who runs after whom.
type ledgerSuite struct {
	suite.Suite
	s *stack
}

func TestLedger(t *testing.T) {
	lawtest.CheckedOnly(t)
	suite.Run(t, new(ledgerSuite))
}

func (l *ledgerSuite) SetupTest()    { l.s = newStack(3) }
func (l *ledgerSuite) TearDownTest() { requireFree(l.T(), l.s) }

func (l *ledgerSuite) writer(deps ...*safety.Ticket) *safety.Ticket {
	return opened(l.T(), "W", deps, l.s.claim(safety.Write, "X"))
}

func (l *ledgerSuite) TestChainThroughJobsThatHoldOtherThings() {
	first := l.writer()
	between := opened(l.T(), "between", after(first))
	completed(l.writer(between))
	l.True(first.Returned())
	l.True(between.Returned())
}

func (l *ledgerSuite) TestDiamondNeedsBothSides() {
	top := l.writer()
	left := opened(l.T(), "left", after(top), l.s.claim(safety.Read, "X"))
	right := opened(l.T(), "right", after(top), l.s.claim(safety.Read, "X"))
	v := refused(l.T(), "bottom", after(left), l.s.claim(safety.Write, "X"))
	l.Equal("right", v.OtherJob)
	v = refused(l.T(), "bottom", after(right), l.s.claim(safety.Write, "X"))
	l.Equal("left", v.OtherJob)
	bottom := l.writer(left, right)
	completed(bottom)
	for _, k := range after(top, left, right) {
		l.True(k.Returned())
	}
}

func (l *ledgerSuite) TestReaderMustRunAfterTheWriterBelowOtherReaders() {
	writer := l.writer()
	reader := opened(l.T(), "R", after(writer), l.s.claim(safety.Read, "X"))
	v := refused(l.T(), "S", nil, l.s.claim(safety.Read, "X"))
	l.Equal("W", v.OtherJob)
	completed(writer)
	completed(opened(l.T(), "S", nil, l.s.claim(safety.Read, "X")))
	completed(reader)
}

func (l *ledgerSuite) TestBeingAfterALaterJobIsNotBeingAfterAnEarlierBranch() {
	first := l.writer()
	second := l.writer(first)
	branch := opened(l.T(), "branch", after(first))
	l.Equal("W", refused(l.T(), "J", after(branch), l.s.claim(safety.Read, "X")).OtherJob)
	completed(second, branch)
}

func (l *ledgerSuite) TestReturnOfALateJobReturnsWhatItRunsAfter() {
	chain := []*safety.Ticket{l.writer()}
	for range 5 {
		chain = append(chain, l.writer(chain[len(chain)-1]))
	}
	for _, k := range chain {
		finished(k)
	}
	chain[3].Return()
	for i, k := range chain {
		l.Equal(i <= 3, k.Returned(), i)
	}
	l.ErrorIs(broken(l.T(), l.s.guard.CheckRead), safety.ErrInFlight)
	chain[5].Return()
	chain[5].Return()
	chain[0].Return()
}

func (l *ledgerSuite) TestDepthGrowsAlongTheLongestChain() {
	a := opened(l.T(), "a", nil)
	b := opened(l.T(), "b", after(a))
	c := opened(l.T(), "c", after(a, b))
	l.Equal([]int{0, 1, 2}, []int{safety.Depth(a), safety.Depth(b), safety.Depth(c)})
}

// More ancestors than the search marks without memory of its own.
func (l *ledgerSuite) TestWideGraphIsSearchedWhole() {
	first := l.writer()
	layer := after(first)
	for range 4 {
		var next []*safety.Ticket
		for range 40 {
			next = append(next, opened(l.T(), "n", layer))
		}
		layer = next
	}
	stranger := opened(l.T(), "stranger", nil)
	deep := opened(l.T(), "deep", after(opened(l.T(), "deep", after(opened(l.T(), "deep", after(stranger))))))
	l.Equal("W", refused(l.T(), "J", after(deep), l.s.claim(safety.Write, "X")).OtherJob)
	last := l.writer(append(layer, deep)...)
	finished(last).Return()
	l.True(first.Returned())
	l.True(stranger.Returned())
}
