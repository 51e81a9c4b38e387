package safety_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// plainView is a view without a window.
type plainView struct{ safety.Hold }

func TestViewUsedWhereItMayNotBe(t *testing.T) {
	s := newStack(5, safety.Named("s"))
	bound := func(do func(v *stackView)) error {
		b := enter(t, "J", s.view(safety.Read))
		defer b.leave()
		// The text is made while the batch lasts.
		return lawtest.Violation(t, func() error { do(b.views[0]); return nil })
	}
	want := safety.Violation{Kind: safety.ErrStaleView, Container: `safety_test.stack "s"`, Made: "hold_test.go"}
	inJob := want
	inJob.Job, inJob.Field = "J", "Outer"
	index := inJob
	index.Kind, index.Max, index.Length = safety.ErrIndex, 5, 5
	high, low, outside := index, index, index
	high.Index, low.Index = 5, -1
	outside.Kind, outside.Index, outside.Min, outside.Max = safety.ErrWriteRange, 3, 1, 3
	lawtest.Run(t, []lawtest.Misuse{{
		Name: "never assigned",
		Do:   func() error { new(stackView).slice(); return nil },
		Want: safety.Violation{Kind: safety.ErrStaleView},
		Says: []string{"a view was used that was never assigned, or after the job it was bound for had ended"},
	}, {
		Name: "outside a job",
		Do: func() error {
			v := s.view(safety.Write)
			v.slice()
			return nil
		},
		Want: want,
		Says: []string{`a view that writes safety_test.stack "s" was used outside a job`},
	}, {
		Name: "indexed outside a job",
		Do: func() error {
			v := s.view(safety.Write)
			v.at(0)
			return nil
		},
		Want: want,
		Says: []string{"outside a job"},
	}, {
		Name: "without data",
		Do:   func() error { return bound(func(v *stackView) { panic(v.Hold.Stale()) }) },
		Want: inJob,
		Says: []string{`job J (field Outer) used a view of safety_test.stack "s" that has no data`},
	}, {
		Name: "index beyond the end",
		Do:   func() error { return bound(func(v *stackView) { v.at(5) }) },
		Want: high,
		Says: []string{`job J (field Outer) used index 5 of safety_test.stack "s", which has length 5`},
	}, {
		Name: "index below the beginning",
		Do:   func() error { return bound(func(v *stackView) { v.at(-1) }) },
		Want: low,
		Says: []string{"used index -1"},
	}, {
		Name: "index of another batch",
		Do:   func() error { return bound(func(v *stackView) { v.SetRange(1, 3); v.at(3) }) },
		Want: outside,
		Says: []string{"used index 3", "in a batch that owns 1 <= index < 3", "double buffering", "array.Unrestricted"},
	}, {
		Name: "index of a view that has no window",
		Do: func() error {
			v := &plainView{s.guard.Hold(safety.Read, nil)}
			k := opened(t, "J", nil, held(v, "Outer"))
			l := safety.NewScope()
			l.Open(k, 0, true)
			defer func() {
				l.Close()
				l.Discard()
				completed(k)
			}()
			v.Bind(safety.NewBinding(l, 0, v))
			return lawtest.Failure(func() error { panic(v.Hold.Out(2)) }) // while the batch lasts
		},
		Want: safety.Violation{Kind: safety.ErrIndex, Container: inJob.Container, Made: inJob.Made, Job: "J", Field: "Outer", Index: 2},
		Says: []string{"used index 2 of safety_test.stack \"s\", which is outside its view.\n\tIndices begin at 0"},
	}})
}

// What an accessor panics with is the violation to errors.Is and errors.As, and has its text.
func TestARefusedUseIsTheViolationItStandsFor(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(2)
	b := enter(t, "J", s.view(safety.Read))
	var err error
	func() {
		defer func() { err = recover().(error) }()
		b.views[0].at(7)
	}()
	var refused *safety.Refused
	require.ErrorAs(t, err, &refused)
	assert.ErrorIs(t, err, safety.ErrIndex)
	assert.NotErrorIs(t, err, safety.ErrStaleView)
	var v *safety.Violation
	require.ErrorAs(t, err, &v)
	assert.Equal(t, 7, v.Index)
	assert.Equal(t, v.Error(), err.Error())
	assert.Equal(t, v.Error(), refused.Violation().Error())
	b.leave()
}

func TestViewsKnowWhetherTheyAreBoundAndLive(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(2)
	v := s.view(safety.Read)
	assert.False(t, v.Hold.Bound())
	b := enter(t, "J", v)
	assert.True(t, b.views[0].Hold.Bound())
	assert.NotPanics(t, b.views[0].Hold.Check)
	kept := *b.views[0]
	assert.True(t, kept.Hold.Beside(&b.views[0].Hold))
	assert.False(t, kept.Hold.Beside(&v.Hold))
	b.leave()
	assert.True(t, kept.Hold.Bound())
	assert.Panics(t, kept.Hold.Check)
}

// bindingView keeps what it is bound with.
type bindingView struct {
	plainView
	worker int
	first  bool
	state  any
}

func (v *bindingView) Bind(b safety.Binding) {
	v.plainView.Bind(b)
	v.worker, v.first, v.state = b.Worker(), b.First(), b.State()
}

func TestBindingTellsTheWorker(t *testing.T) {
	s := newStack(2)
	v := &bindingView{plainView: plainView{s.guard.Hold(safety.Read, nil)}}
	k := opened(t, "J", nil, held(v, "X"))
	k.Start(safety.Phase{Workers: 4})
	l := safety.NewScope()
	for _, first := range []bool{true, false} {
		l.Open(k, 3, first)
		v.Bind(safety.NewBinding(l, 0, v))
		assert.Equal(t, 3, v.worker)
		assert.Equal(t, first, v.first)
		assert.Nil(t, v.state, "the container has no phases")
		l.Close()
	}
	l.Discard()
	k.Seal(0, false, inline)
	assert.Equal(t, "X", k.Claimed(0).Field)
	k.Return()
	assert.Equal(t, "J", k.Job())
	assert.Nil(t, k.Parent())
}

// A user's own container breaks rules in a parallel loop like a built-in one.
func TestOwnContainerHasFullStandingInLoops(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(64, safety.Named("own"))
	parallelfor.ForBatch(64, s.view(safety.Write), func(v *stackView, begin, end int) {
		w := v.slice()
		for k := range w {
			w[k] = begin + k
		}
	}, parallelfor.Batch(8))
	assert.Equal(t, 63, s.top())
	v := broken(t, func() {
		parallelfor.ForBatch(64, s.view(safety.Write), func(v *stackView, begin, end int) { v.at(min(end, 63)) },
			parallelfor.Batch(8), parallelfor.Name("Own"))
	})
	lawtest.Equal(t, safety.Violation{
		Kind: safety.ErrWriteRange, Container: `safety_test.stack "own"`, Made: "hold_test.go", Job: "Own", Index: 8, Max: 8, Length: 64,
	}, v)
	requireFree(t, s)
	err := lawtest.Failure(func() error {
		parallelfor.ForBatch(65, s.view(safety.Write), func(*stackView, int, int) {})
		return nil
	})
	assert.True(t, errors.Is(err, safety.ErrLength))
}

// The count of batches goes round, on 32 bits after some billions: a view of the batch before is
// stale all the same, and that of the new batch works.
func TestViewsAreToldApartWhereTheCountOfBatchesGoesRound(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	b := enter(t, "J", s.view(safety.Read))
	b.scope.SetEpoch(^uintptr(0) - 1)
	b.next()
	for range 3 {
		kept := *b.views[0]
		require.NotPanics(t, kept.Hold.Check)
		b.next()
		require.NotPanics(t, b.views[0].Hold.Check)
		v := lawtest.Violation(t, func() error { kept.Hold.Check(); return nil })
		require.ErrorIs(t, v, safety.ErrStaleView)
	}
	b.leave()
}
