package parallelfor_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// spoiler is a container that fails when it comes back.
type spoiler struct {
	guard safety.Guard
	fail  func()
}

// ReturnPhase implements safety.Returner.
func (s *spoiler) ReturnPhase(bool) { s.fail() }

type spoilerView struct{ safety.Hold }

func newSpoiler(fail func()) *spoiler {
	s := &spoiler{fail: fail}
	s.guard.Init(s, 0)
	return s
}

// Of the jobs that a body leaves all are completed, although a container of one fails when it comes
// back: that is the batch's failure.
func TestEveryJobThatABodyLeavesIsCompleted(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for name, fail := range map[string]func(){"panic": func() { panic("on return") }, "Goexit": runtime.Goexit} {
		var left []parallelfor.Handle
		came, again := 0, false
		e := endingOf(func() {
			parallelfor.For(2, none{}, func(_ *none, i int) {
				if i == 1 {
					again = true
					return
				}
				for k := range 3 {
					s := newSpoiler(func() {
						came++
						if k == 0 {
							fail()
						}
					})
					left = append(left, scheduleFor(1, spoilerView{s.guard.Hold(safety.Append, nil)}, func(*spoilerView, int) {}))
				}
			}, parallelfor.Sequential(), parallelfor.Batch(1))
		})
		require.Equal(t, 3, came, name)
		require.False(t, again, "batches above the one that failed do not run")
		if name == "panic" {
			require.IsType(t, &parallelfor.Panic{}, e.value)
			require.Equal(t, "on return", e.value.(*parallelfor.Panic).Value)
		} else {
			require.True(t, e.goexit, "%v", e)
		}
		for _, h := range left {
			require.True(t, h.Finished())
			require.True(t, h.Ticket().Returned())
		}
	}
}
