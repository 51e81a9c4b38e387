package parallelfor_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// family are a job that holds a told container, and jobs related to it.
type family struct {
	ancestor   parallelfor.Handle // the job runs after it
	own        parallelfor.Handle
	descendant parallelfor.Handle // runs after the job
	sibling    parallelfor.Handle // reads what the job reads
}

// newFamily schedules a family whose container calls f with the family at the phase operation. The
// job starts after all of it has been scheduled.
func newFamily(operation string, f func(f *family)) *family {
	known, r := make(chan struct{}), new(family)
	call := func() { <-known; f(r) }
	c := newTold(momentsOf(operation, call))
	a, gate := array.New[int](1), make(chan struct{})
	type views struct {
		Told toldView
		Read array.Reader[int]
	}
	r.ancestor = parallelfor.Go(none{}, func(*none) { <-gate }, parallelfor.Name("ancestor"))
	r.own = parallelfor.Go(views{c.view(), a.Reader()}, func(*views) {}, parallelfor.After(r.ancestor), parallelfor.Name("lent"))
	r.descendant = parallelfor.Go(none{}, func(*none) {}, parallelfor.After(r.own), parallelfor.Name("descendant"))
	r.sibling = parallelfor.Go(a.Reader(), func(*array.Reader[int]) {}, parallelfor.Name("sibling"))
	close(known)
	close(gate)
	return r
}

// A container may wait, in a phase operation, for jobs that its job runs after and for jobs that
// have nothing to do with that job. It is reported if it waits for the job of the phase or for one
// that runs after it, in each way to wait and with each goroutine that may give the job back.
func TestWhatAContainerMayWaitForInAPhaseOperation(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	after := parallelfor.After
	wait := map[string]func(h parallelfor.Handle){
		"Complete":         func(h parallelfor.Handle) { h.Complete() },
		"Complete twice":   func(h parallelfor.Handle) { defer h.Complete(); h.Complete() },
		"Combine":          func(h parallelfor.Handle) { parallelfor.Combine(h).Complete() },
		"a job after it":   func(h parallelfor.Handle) { parallelfor.Go(none{}, func(*none) {}, after(h)).Complete() },
		"a loop after it":  func(h parallelfor.Handle) { parallelfor.For(1, none{}, nothing, after(h)) },
		"Do after it":      func(h parallelfor.Handle) { parallelfor.Do(none{}, func(*none) {}, after(h)) },
		"Inline after it":  func(h parallelfor.Handle) { scheduleFor(1, none{}, nothing, after(h), parallelfor.Inline()).Complete() },
		"a body of a loop": func(h parallelfor.Handle) { parallelfor.For(1, none{}, func(*none, int) { h.Complete() }) },
		"a goroutine":      func(h parallelfor.Handle) { parallelfor.Go(none{}, func(*none) { h.Complete() }).Complete() },
		"a nested loop": func(h parallelfor.Handle) {
			parallelfor.For(1, none{}, func(*none, int) { parallelfor.Do(none{}, func(*none) { h.Complete() }) })
		},
	}
	target := map[string]func(f *family) parallelfor.Handle{
		"own":        func(f *family) parallelfor.Handle { return f.own },
		"descendant": func(f *family) parallelfor.Handle { return f.descendant },
		"ancestor":   func(f *family) parallelfor.Handle { return f.ancestor },
		"sibling":    func(f *family) parallelfor.Handle { return f.sibling },
	}
	by := map[string]func(f *family){
		"the job's Complete":    func(f *family) { f.own.Complete() },
		"a descendant's":        func(f *family) { f.descendant.Complete() },
		"a combination's":       func(f *family) { parallelfor.Combine(f.sibling, f.own, f.ancestor).Complete() },
		"a job run after it":    func(f *family) { parallelfor.Do(none{}, func(*none) {}, after(f.own)) },
		"Complete in a body":    func(f *family) { parallelfor.Do(none{}, func(*none) { f.descendant.Complete() }) },
		"two goroutines' calls": func(f *family) { go endingOf(f.descendant.Complete); f.own.Complete() },
	}
	for _, operation := range []string{"opens", "seals", "comes back"} {
		for how, wait := range wait {
			for whose, target := range target {
				for who, by := range by {
					at := fmt.Sprintf("%s: %s of %s, given back by %s", operation, how, whose, who)
					seen := make(chan any, 2)
					f := newFamily(operation, func(f *family) {
						defer func() {
							v := recover()
							seen <- v
							if v != nil {
								panic(v)
							}
						}()
						wait(target(f))
					})
					endingOf(func() { by(f) })
					v := <-seen
					if whose == "ancestor" || whose == "sibling" {
						require.Nil(t, v, at)
					} else {
						require.ErrorIs(t, v.(error), safety.ErrWaitCycle, at)
					}
					for _, h := range []parallelfor.Handle{f.own, f.descendant, f.sibling, f.ancestor} {
						endingOf(h.Complete)
					}
				}
			}
		}
	}
}

// The violation names the job that comes back and the one that is completed.
func TestACompletionInReturnPhaseNamesBothJobs(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	f := newFamily("comes back", func(f *family) { f.own.Complete() })
	v := violation(t, safety.ErrWaitCycle, f.descendant.Complete)
	require.Equal(t, []string{"lent", "lent"}, []string{v.Job, v.OtherJob})
	require.Contains(t, v.Error(), "a container that comes back from job lent completes its own job")
	f.descendant.Complete() // nothing is told twice
}

// Two goroutines that complete, each in a ReturnPhase, what the other returns are reported, and so
// are a body and a ReturnPhase that wait for each other.
func TestReturnPhasesThatWaitForEachOtherAreReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	refused := func(f, g func()) (texts string) {
		ends := make(chan ending, 2)
		for _, f := range []func(){f, g} {
			go func() { ends <- endingOf(f) }()
		}
		for range 2 {
			if e := <-ends; e.value != nil {
				require.ErrorIs(t, e.value.(error), safety.ErrWaitCycle)
				texts += e.value.(error).Error()
			}
		}
		require.NotEmpty(t, texts)
		return texts
	}
	both := newBarrier(2)
	one, two := newLater(), newLater()
	lent := func(l, other *later) {
		c := newTold(moments{back: func() { both.wait(); other.get().Complete() }})
		l.set(parallelfor.Go(c.view(), func(*toldView) {}))
	}
	lent(one, two)
	lent(two, one)
	texts := refused(one.get().Complete, two.get().Complete)
	require.Contains(t, texts, "whose containers cannot come back before that function returns")

	both, one, two = newBarrier(2), newLater(), newLater()
	lent(one, two)
	two.set(parallelfor.Go(none{}, func(*none) { both.wait(); one.get().Complete() }))
	refused(one.get().Complete, two.get().Complete)
}

// A body whose Complete tells a container cannot be waited for in ReturnPhase, also not by a job
// that ReturnPhase runs.
func TestAReturnPhaseThatWaitsForTheBodyThatCompletesIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for _, wait := range map[string]func(h parallelfor.Handle){
		"Complete":  parallelfor.Handle.Complete,
		"a job":     func(h parallelfor.Handle) { parallelfor.Go(none{}, func(*none) { h.Complete() }).Complete() },
		"a loop":    func(h parallelfor.Handle) { parallelfor.For(1, none{}, func(*none, int) { h.Complete() }) },
		"a Reader":  func(h parallelfor.Handle) { parallelfor.Do(none{}, func(*none) {}, parallelfor.After(h)) },
		"a Combine": func(h parallelfor.Handle) { parallelfor.Combine(h).Complete() },
	} {
		around := newLater()
		c := newTold(moments{back: func() { wait(around.get()) }})
		lent := parallelfor.Go(c.view(), func(*toldView) {})
		around.set(parallelfor.Go(none{}, func(*none) { lent.Complete() }))
		violation(t, safety.ErrWaitCycle, around.get().Complete)
	}
}

// Goroutines and bodies that complete a job while another goroutine is in its ReturnPhase wait, and
// are not refused, whatever that ReturnPhase runs.
func TestOthersMayCompleteAJobDuringItsReturnPhase(t *testing.T) {
	watchdog(t)
	begun := make(chan struct{})
	c := newTold(moments{back: func() {
		close(begun)
		parallelfor.For(10, none{}, nothing)
		scheduleFor(10, none{}, nothing).Complete()
	}})
	h := parallelfor.Go(c.view(), func(*toldView) {})
	ends := make(chan ending, 4)
	go func() { ends <- endingOf(h.Complete) }()
	<-begun
	for _, f := range []func(){
		h.Complete,
		func() { parallelfor.Do(none{}, func(*none) { h.Complete() }) },
		func() { parallelfor.For(1, none{}, nothing, parallelfor.After(h)) },
	} {
		go func() { ends <- endingOf(f) }()
	}
	for range 4 {
		require.Equal(t, ending{}, <-ends)
	}
}

// What a container is given to let go of its data is refused the completion of the job that it was
// left to.
func TestAReleaseThatCompletesItsJobIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	c := newTold(moments{})
	h := parallelfor.Go(c.view(), func(*toldView) {}, parallelfor.Name("last"))
	after := parallelfor.Go(none{}, func(*none) {}, parallelfor.After(h))
	c.guard.DisposeAfter(h, func() { h.Complete() })
	v := violation(t, safety.ErrWaitCycle, after.Complete)
	require.Equal(t, []string{"last", "last"}, []string{v.Job, v.OtherJob})
}
