package safety_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// leaked returns the leaks of jobs whose names begin so: tests beside this one have jobs of their
// own.
func leaked(prefix string) (jobs []safety.Leak) {
	for _, l := range safety.Leaks() {
		if strings.HasPrefix(l.Job, prefix) {
			jobs = append(jobs, l)
		}
	}
	return jobs
}

func names(leaks []safety.Leak) (n []string) {
	for _, l := range leaks {
		n = append(n, l.Job)
	}
	return n
}

func TestJobsThatAreNotCompletedAreLeaks(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	require.Empty(t, leaked("leak"))
	a := opened(t, "leak a", nil, s.claim(safety.Write, "S"))
	b := opened(t, "leak b", after(a), s.claim(safety.Write, "S"))
	c := opened(t, "leak c", nil)
	require.ElementsMatch(t, []string{"leak a", "leak b", "leak c"}, names(leaked("leak")))
	require.Regexp(t, `^helpers_test\.go:\d+$`, leaked("leak a")[0].Scheduled)
	require.False(t, leaked("leak a")[0].Finished)
	finished(a)
	require.True(t, leaked("leak a")[0].Finished, "having finished is not enough")
	finished(b).Return()
	require.Equal(t, []string{"leak c"}, names(leaked("leak")), "completing a job completes those that it runs after")
	b.Return()
	completed(c)
	require.Empty(t, leaked("leak"))
}

func TestJobsWithoutHandlesAreNoLeaks(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, set := range []func(k *safety.Ticket){
		func(k *safety.Ticket) { k.Private = true },
		func(k *safety.Ticket) { k.Called = true },
	} {
		k := newTicket("leak", nil)
		set(k)
		require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
		require.Empty(t, leaked("leak"))
		completed(k)
	}
	s := newStack(2)
	holder := opened(t, "holder", nil, s.claim(safety.Write, "S"))
	refused(t, "leak", nil, s.claim(safety.Read, "S"))
	require.Empty(t, leaked("leak"), "a schedule that was refused")
	completed(holder)
}

func TestLeaksSayWhatToDo(t *testing.T) {
	l := safety.Leak{Job: "Router", Scheduled: "router.go:88"}
	assert.Equal(t, "custody: leaked handle: job Router, scheduled at router.go:88, has not finished and was not completed.\n\tCall Complete on its handle, or on that of a job that runs after it.", l.String())
	l = safety.Leak{Job: "Router", Finished: true}
	assert.Equal(t, "custody: leaked handle: job Router has finished but was not completed.\n\tCall Complete on its handle, or on that of a job that runs after it.", l.String())
}

func TestJobsOfOnePlaceAreLeaksEach(t *testing.T) {
	lawtest.CheckedOnly(t)
	told := func() (texts []string) { // of jobs of this test: others drop theirs, and this one may run again after them
		for _, l := range leaked("leak ") {
			texts = append(texts, l.String())
		}
		return texts
	}
	require.Empty(t, told())
	var same []*safety.Ticket
	for range 3 {
		same = append(same, opened(t, "leak x", nil))
	}
	other := finished(opened(t, "leak y", nil))
	twice := []*safety.Ticket{opened(t, "leak z", nil), opened(t, "leak z", nil)}
	texts := told()
	require.Len(t, texts, 6)
	all := strings.Join(texts, "\n")
	for text, n := range map[string]int{
		`job leak x, scheduled at helpers_test\.go:\d+, has not finished and was not completed\.\n`: 3,
		`job leak y, scheduled at helpers_test\.go:\d+, has finished but was not completed\.\n`:     1,
		`job leak z, scheduled at helpers_test\.go:\d+, has not finished and was not completed\.\n`: 2,
	} {
		require.Len(t, regexp.MustCompile(text).FindAllString(all, -1), n, text)
	}
	completed(same...)
	completed(twice...)
	other.Return()
	require.Empty(t, told())
}

func TestLeaksFromManyGoroutines(t *testing.T) {
	lawtest.CheckedOnly(t)
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			kept := make([]*safety.Ticket, 0, 8)
			for round := range 300 {
				k := newTicket(fmt.Sprint("leak ", g), nil)
				if k.Open(safety.CurrentScope(), 0, false) != nil {
					panic("refused")
				}
				kept = append(kept, finished(k))
				if n := len(leaked(fmt.Sprint("leak ", g))); n != len(kept) {
					panic(fmt.Sprint(n, " jobs are known of ", len(kept)))
				}
				if len(kept) == cap(kept) {
					kept[round%len(kept)].Return()
					for _, k := range kept {
						k.Return()
					}
					kept = kept[:0]
				}
			}
			for _, k := range kept {
				k.Return()
			}
		})
	}
	all.Wait()
	require.Empty(t, leaked("leak"))
}

func TestAScheduleOfALeakListAllocatesNothing(t *testing.T) {
	if safety.Strict || !safety.Enabled {
		t.Skip("only the checked build counts")
	}
	var k safety.Ticket
	run := func() {
		k.Reset("leak", 0)
		if k.Open(safety.CurrentScope(), 0, false) != nil {
			panic("refused")
		}
		finished(&k).Return()
	}
	run()
	require.Zero(t, testing.AllocsPerRun(200, run))
}

func TestTheHookIsToldOfHandlesThatAreLost(t *testing.T) {
	lawtest.CheckedOnly(t)
	told := make(chan safety.Leak, 10)
	safety.OnLeak(func(l safety.Leak) { told <- l })
	defer func() { safety.OnLeak(nil) }()
	completed(opened(t, "leak completed", nil))
	func() {
		s := newStack(2)
		finished(opened(t, "leak lost", nil, s.claim(safety.Write, "S")))
	}()
	held := newStack(2)
	kept := opened(t, "leak kept", nil, held.claim(safety.Write, "S"))
	var got safety.Leak
	lawtest.Happens(t, "the hook is told", func() bool {
		select {
		case got = <-told:
			return true
		default:
			return false
		}
	})
	require.Equal(t, "leak lost", got.Job)
	require.True(t, got.Finished)
	require.Regexp(t, `^helpers_test\.go:\d+$`, got.Scheduled)
	require.Equal(t, []string{"leak kept"}, names(leaked("leak")), "a job that was lost is not asked for again")
	completed(kept)
	safety.OnLeak(nil)
	unheard := opened(t, "leak unheard", nil)
	completed(unheard)
	runtime.GC()
	require.Empty(t, told)
	runtime.KeepAlive(held)
}

// The log counts leaks by the place that they come from, whatever their names and stacks are, so
// its memory is bounded by the places in the program.
func TestLeaksAreCountedByPlace(t *testing.T) {
	var all []safety.Leak
	for i := range 100 {
		name := fmt.Sprint(i)
		all = append(all, safety.Leak{Job: name, Scheduled: "a.go:1", Finished: i%2 == 0}, safety.Leak{Container: name, Made: "a.go:1", Stack: name})
	}
	last, entries := safety.CountLeaks(all...)
	require.Equal(t, []int{100, 2}, []int{last, entries})
	last, entries = safety.CountLeaks(append(all, safety.Leak{Made: "a.go:2"})...)
	require.Equal(t, []int{1, 3}, []int{last, entries})
}
