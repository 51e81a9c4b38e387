package safety_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

type scopeSuite struct {
	suite.Suite
	s *stack
}

func TestScope(t *testing.T) {
	lawtest.CheckedOnly(t)
	lawtest.Within(t, func() { suite.Run(t, new(scopeSuite)) })
}

func (l *scopeSuite) SetupTest()    { l.s = newStack(4, safety.Named("s")) }
func (l *scopeSuite) TearDownTest() { requireFree(l.T(), l.s) }

func (l *scopeSuite) TestCurrentInsideAndOutside() {
	l.Nil(safety.CurrentScope())
	outer, inner := enter(l.T(), "outer"), enter(l.T(), "inner")
	outer.do(func() {
		l.Same(outer.scope, safety.CurrentScope())
		inner.do(func() { l.Same(inner.scope, safety.CurrentScope()) })
		l.Same(outer.scope, safety.CurrentScope())
		found := make(chan *safety.Scope)
		go func() { found <- safety.CurrentScope() }()
		l.Nil(<-found, "a goroutine started in a body is in no body")
	})
	l.Nil(safety.CurrentScope())
	l.Same(outer.job, outer.scope.Ticket())
	outer.leave()
	inner.leave()
	l.Nil(outer.scope.Ticket())
}

func (l *scopeSuite) TestBodyThatPanicsOrEndsItsGoroutineLeavesTheScope() {
	b := enter(l.T(), "J")
	for _, end := range []func(){func() { panic("stop") }, runtime.Goexit} {
		var inDeferred *safety.Scope
		var all sync.WaitGroup
		all.Go(func() {
			defer func() { _ = recover() }()
			defer func() { inDeferred = safety.CurrentScope() }()
			b.do(func() {
				l.Same(b.scope, safety.CurrentScope())
				end()
			})
		})
		all.Wait()
		l.Nil(inDeferred)
		l.Nil(safety.CurrentScope())
		b.do(func() { l.Same(b.scope, safety.CurrentScope()) })
	}
	b.leave()
}

// Deferred functions of a goroutine that a body ended are in no body, also while others are.
func (l *scopeSuite) TestDeferredFunctionsAreInNoBodyWhileOthersAre() {
	other := enter(l.T(), "other")
	other.do(func() {
		for name, end := range map[string]func(){"panics": func() { panic("stop") }, "ends": runtime.Goexit} {
			b := enter(l.T(), "J")
			var inDeferred *safety.Scope
			var all sync.WaitGroup
			all.Go(func() {
				defer func() { _ = recover() }()
				defer func() { inDeferred = safety.CurrentScope() }()
				b.do(end)
			})
			all.Wait()
			l.Nil(inDeferred, name)
			b.do(func() { l.Same(b.scope, safety.CurrentScope(), name) })
			completed(b.job)
			b.leave()
		}
		l.Same(other.scope, safety.CurrentScope())
	})
	completed(other.job)
	other.leave()
}

func (l *scopeSuite) TestManyScopesAreToldApart() {
	var all []*safety.Scope
	for range 600 {
		all = append(all, safety.NewScope())
	}
	check := func() {
		for _, k := range all {
			k.Do(runner(func() { l.Require().Same(k, safety.CurrentScope()) }))
		}
	}
	check()
	for i := 0; i < len(all); i += 3 { // their numbers are used again
		all[i].Discard()
	}
	for i := 0; i < len(all); i += 3 {
		all[i] = safety.NewScope()
	}
	check()
	for _, k := range all {
		k.Discard()
	}
}

func (l *scopeSuite) TestCopyOfAViewIsStaleInTheNextBatch() {
	b := enter(l.T(), "J", l.s.view(safety.Read))
	kept := *b.views[0]
	l.NotPanics(func() { kept.slice() })
	b.next()
	l.NotPanics(func() { b.views[0].slice() })
	v := broken(l.T(), func() { kept.slice() })
	lawtest.Equal(l.T(), safety.Violation{Kind: safety.ErrStaleView, Container: `safety_test.stack "s"`, Made: "scope_test.go"}, v)
	l.Contains(v.Error(), "used after the batch it was bound for had ended")
	last := *b.views[0]
	b.leave()
	l.ErrorIs(broken(l.T(), func() { last.slice() }), safety.ErrStaleView)
	b.scope.Open(b.job, 0, true)
	l.ErrorIs(broken(l.T(), func() { last.slice() }), safety.ErrStaleView, "the scope serves another job")
	b.scope.Close()
}

func (l *scopeSuite) TestBodyLendsTwoContainersToTwoJobsAtATime() {
	other := newStack(2)
	b := enter(l.T(), "outer", l.s.view(safety.Write), other.view(safety.Write))
	b.do(func() {
		one := opened(l.T(), "one", nil, held(b.views[0], "X"))
		two := opened(l.T(), "two", nil, held(b.views[1], "X"))
		l.Equal(after(one, two), b.scope.Children())
		l.Equal("two", refused(l.T(), "three", nil, held(b.views[1], "X")).OtherJob)
		completed(one)
		l.NotPanics(func() { b.views[0].slice() }, "it came back")
		l.Panics(func() { b.views[1].slice() }, "it did not")
		l.Equal(after(two), b.scope.Children())
		completed(two)
		l.NotPanics(func() { b.views[1].slice() })
		l.False(b.scope.Busy())
	})
	completed(b.job)
	b.leave()
	requireFree(l.T(), other)
}

func (l *scopeSuite) TestBodyLendsOnWhatItHolds() {
	b := enter(l.T(), "outer", l.s.view(safety.Write))
	b.do(func() {
		l.False(b.scope.Busy())
		nested := opened(l.T(), "nested", nil, held(b.views[0], "Inner"))
		l.NotNil(nested.Parent())
		l.Same(b.scope, nested.Parent())
		l.True(b.scope.Busy())
		l.Equal(after(nested), b.scope.Children())
		l.Equal(1, safety.Lent(b.scope))
		v := broken(l.T(), func() { b.views[0].slice() })
		lawtest.Equal(l.T(), safety.Violation{
			Kind: safety.ErrInFlight, Container: `safety_test.stack "s"`, Made: "scope_test.go", Job: "outer", Field: "Outer",
			OtherJob: "nested", OtherField: "Inner", Scheduled: "helpers_test.go",
		}, v)
		l.Contains(v.Error(), "job outer (field Outer) used its view of safety_test.stack \"s\" while nested job nested (field Inner), scheduled at "+
			v.Scheduled+", writes it and was not completed.\n\tCall Complete on the nested job's handle first.")
		finished(nested)
		l.Panics(func() { b.views[0].slice() }, "finished is not completed")
		nested.Return()
		l.False(b.scope.Busy())
		l.Empty(b.scope.Children())
		l.Zero(safety.Lent(b.scope))
		l.NotPanics(func() { b.views[0].slice() })
		l.ErrorIs(broken(l.T(), func() { l.s.top() }), safety.ErrInFlight, "the outer job holds it on")
	})
	b.leave()
}

func (l *scopeSuite) TestWhatIsLentToReadIsReadOn() {
	b := enter(l.T(), "outer", l.s.view(safety.Read))
	b.do(func() {
		first := opened(l.T(), "first", nil, held(b.views[0], "Inner"))
		second := opened(l.T(), "second", nil, held(b.views[0], "Inner"))
		l.NotPanics(func() { b.views[0].slice() })
		completed(first)
		l.Equal(after(second), b.scope.Children())
		completed(second)
	})
	b.leave()
}

func (l *scopeSuite) TestSiblingsExcludeEachOtherUnlessOrdered() {
	for _, m := range []safety.Mode{safety.Write, safety.Append} {
		b := enter(l.T(), "outer", l.s.view(m))
		b.do(func() {
			first := opened(l.T(), "first", nil, held(b.views[0], "Inner"))
			v := refused(l.T(), "second", nil, held(b.views[0], "Inner"))
			lawtest.Equal(l.T(), safety.Violation{
				Kind: safety.ErrConflict, Container: `safety_test.stack "s"`, Made: "scope_test.go", Scheduled: here,
				Job: "second", Field: "Inner", OtherJob: "first", OtherField: "Inner",
			}, v)
			l.Len(b.scope.Children(), 1, "a refused job is no child")
			second := opened(l.T(), "second", after(first), held(b.views[0], "Inner"))
			completed(second)
			l.True(first.Returned())
			completed(opened(l.T(), "third", nil, held(b.views[0], "Inner")))
			l.False(b.scope.Busy())
		})
		b.leave()
	}
}

func (l *scopeSuite) TestNestedJobLendsOnFurther() {
	outer := enter(l.T(), "outer", l.s.view(safety.Write))
	outer.do(func() {
		view := *outer.views[0]
		inner := enter(l.T(), "inner", view)
		inner.do(func() {
			completed(opened(l.T(), "innermost", nil, held(inner.views[0], "X")))
			l.ErrorIs(refused(l.T(), "wrong", nil, held(outer.views[0], "X")), safety.ErrStaleView, "that view is the outer batch's")
		})
		inner.leave()
	})
	outer.leave()
}

func (l *scopeSuite) TestWhatABodyDoesNotHoldIsNotLent() {
	other := newStack(3)
	b := enter(l.T(), "outer", l.s.view(safety.Write))
	b.do(func() {
		v := refused(l.T(), "nested", nil, other.claim(safety.Read, "X"))
		lawtest.Equal(l.T(), safety.Violation{
			Kind: safety.ErrNotLent, Container: "safety_test.stack", Made: "scope_test.go", Job: "nested", Field: "X", OtherJob: "outer",
		}, v)
		l.Contains(v.Error(), "scheduled by a body of job outer, which does not hold safety_test.stack")
		v = refused(l.T(), "nested", nil, l.s.claim(safety.Write, "X"))
		l.ErrorIs(v, safety.ErrNotLent, "a fresh view of what is held is no borrow")
		l.Contains(v.Error(), "scheduled by a body of job outer with a new view of safety_test.stack \"s\", which job outer (field Outer) holds.\n"+
			"\tPass on the view that the body was given, field Outer, instead of taking another one from the container.")
	})
	b.leave()
	requireFree(l.T(), other)
}

func (l *scopeSuite) TestBodyUsesWhatItMadeInItsBatch() {
	b := enter(l.T(), "outer")
	var made *stack
	b.do(func() {
		made = newStack(2)
		nested := opened(l.T(), "nested", nil, made.claim(safety.Write, "X"))
		l.ErrorIs(broken(l.T(), func() { made.top() }), safety.ErrInFlight)
		l.ErrorIs(refused(l.T(), "sibling", nil, made.claim(safety.Read, "X")), safety.ErrConflict)
		completed(nested)
		made.top()
	})
	b.next()
	b.do(func() { l.ErrorIs(refused(l.T(), "nested", nil, made.claim(safety.Write, "X")), safety.ErrNotLent) })
	b.leave()
	completed(opened(l.T(), "outside", nil, made.claim(safety.Write, "X")))
}

func (l *scopeSuite) TestBoundViewIsScheduledInItsBatchOnly() {
	b := enter(l.T(), "outer", l.s.view(safety.Read))
	want := safety.Violation{Kind: safety.ErrStaleView, Container: `safety_test.stack "s"`, Made: "scope_test.go", Job: "J", Field: "X"}
	v := refused(l.T(), "J", nil, held(b.views[0], "X"))
	lawtest.Equal(l.T(), want, v)
	l.Contains(v.Error(), "belongs to another job's batch")
	kept := *b.views[0]
	b.next()
	b.do(func() { lawtest.Equal(l.T(), want, refused(l.T(), "J", nil, held(&kept, "X"))) })
	other := enter(l.T(), "other")
	other.do(func() { lawtest.Equal(l.T(), want, refused(l.T(), "J", nil, held(b.views[0], "X"))) })
	other.leave()
	b.leave()
}

func (l *scopeSuite) TestOwnerUseInsideTheJobPointsToTheView() {
	b := enter(l.T(), "outer", l.s.view(safety.Write))
	b.do(func() {
		v := broken(l.T(), func() { l.s.top() })
		l.Contains(v.Error(), "Inside the job use the view of it that the job carries.")
	})
	l.NotContains(broken(l.T(), func() { l.s.top() }).Error(), "Inside the job")
	b.leave()
}

// A nested job that another goroutine completes is no child any more, whichever goroutine asks
// meanwhile.
func (l *scopeSuite) TestChildrenAreCompletedFromElsewhere() {
	b := enter(l.T(), "outer")
	for range lawtest.Rounds(100) {
		b.do(func() {
			var nested []*safety.Ticket
			for range 3 {
				nested = append(nested, finished(opened(l.T(), "nested", nil)))
			}
			var all sync.WaitGroup
			for _, k := range nested {
				all.Go(k.Return)
			}
			for b.scope.Busy() {
				runtime.Gosched()
			}
			all.Wait()
			l.Require().Empty(b.scope.Children())
		})
	}
	b.leave()
}

func TestUncheckedBuildKnowsNoScope(t *testing.T) {
	lawtest.UncheckedOnly(t)
	k := safety.NewScope()
	ran := false
	k.Do(runner(func() {
		ran = true
		require.Nil(t, safety.CurrentScope())
	}))
	require.True(t, ran)
	assert.Nil(t, k.Children())
	assert.False(t, k.Busy())
	k.Discard()
}
