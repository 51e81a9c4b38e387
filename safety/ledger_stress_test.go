package safety_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// A chain of ten thousand jobs is searched and returned without recursion.
func TestLongChainNeedsNoDeepStack(t *testing.T) {
	lawtest.CheckedOnly(t)
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const length = 10000
	s, other := newStack(3), newStack(3)
	first := opened(t, "first", nil, other.claim(safety.Write, "X"))
	chain := after(first)
	last := func() *safety.Ticket { return chain[len(chain)-1] }
	for range length {
		chain = append(chain, finished(opened(t, "link", after(last()), s.claim(safety.Write, "X"))))
	}
	require.Equal(t, length, safety.Depth(last()))
	v := refused(t, "stranger", after(opened(t, "side", nil)), other.claim(safety.Read, "X"))
	require.Equal(t, "first", v.OtherJob)
	end := opened(t, "end", after(last()), other.claim(safety.Write, "X"), s.claim(safety.Read, "X"))
	for _, k := range chain[:length/2] {
		k.Return()
	}
	finished(end).Return()
	for _, k := range chain {
		require.True(t, k.Returned())
	}
	requireFree(t, s)
	requireFree(t, other)
}

// When many goroutines schedule and complete jobs over overlapping sets of containers, none waits
// for ever, no two that exclude each other are in at a time, and in the end every container is
// free.
func TestSchedulesOverlapWithoutDeadlockOrLoss(t *testing.T) {
	lawtest.CheckedOnly(t)
	const containers, goroutines = 6, 8
	seed := lawtest.Seed(t)
	rounds := lawtest.Rounds(4000)
	var s [containers]*stack
	var writers, sharers [containers]atomic.Int32
	for i := range s {
		s[i] = newStack(3)
	}
	var admitted, wrong atomic.Int32
	body := func(g int) {
		r := rand.New(rand.NewPCG(seed, uint64(g)))
		for range rounds {
			k := newTicket("J", nil)
			perm := r.Perm(containers)[:1+r.IntN(containers)]
			held := make([]safety.Mode, len(perm))
			for at, i := range perm {
				held[at] = safety.Read
				if r.IntN(4) == 0 {
					held[at] = safety.Write
				}
				k.Claim(s[i].claim(held[at], "X"))
			}
			if v := k.Open(safety.CurrentScope(), 0, false); v != nil {
				if !errors.Is(v, safety.ErrConflict) {
					wrong.Add(1)
				}
				continue
			}
			admitted.Add(1)
			for at, i := range perm {
				if held[at] == safety.Write {
					if writers[i].Add(1) != 1 || sharers[i].Load() != 0 {
						wrong.Add(1)
					}
				} else if sharers[i].Add(1); writers[i].Load() != 0 {
					wrong.Add(1)
				}
			}
			for at, i := range perm {
				if held[at] == safety.Write {
					writers[i].Add(-1)
				} else {
					sharers[i].Add(-1)
				}
			}
			completed(k)
		}
	}
	lawtest.Within(t, func() {
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() { body(g) })
		}
		all.Wait()
	})
	require.Zero(t, wrong.Load())
	require.NotZero(t, admitted.Load())
	for i := range s {
		requireFree(t, s[i])
	}
}

// A graph of jobs that many goroutines return from all its ends is returned once, and each
// goroutine finds everything returned that it asked for.
func TestReturnIsIdempotentFromManyGoroutines(t *testing.T) {
	lawtest.CheckedOnly(t)
	r := lawtest.Rand(t)
	for range lawtest.Rounds(300) {
		s := &notified{}
		s.guard.Init(s, 0)
		var jobs []*safety.Ticket
		for i := range 12 {
			var deps []*safety.Ticket
			if i > 0 {
				deps = after(jobs[i-1], jobs[r.IntN(i)])
			}
			view := stackView{Hold: s.guard.Hold(safety.Write, nil)}
			jobs = append(jobs, finished(opened(t, "J", deps, held(&view, "X"))))
		}
		var wrong atomic.Int32
		lawtest.Within(t, func() {
			var all sync.WaitGroup
			for range 4 {
				seed := r.Uint64()
				all.Go(func() {
					r := rand.New(rand.NewPCG(seed, 0))
					for range 8 {
						last := r.IntN(len(jobs))
						jobs[last].Return()
						for _, k := range jobs[:last+1] {
							if !k.Returned() {
								wrong.Add(1)
							}
						}
					}
					jobs[len(jobs)-1].Return()
				})
			}
			all.Wait()
		})
		require.Zero(t, wrong.Load())
		require.Equal(t, int32(1), s.returns.Load())
		require.NotPanics(t, s.guard.CheckWrite)
	}
}

// notified counts how often it comes back.
type notified struct {
	guard   safety.Guard
	returns atomic.Int32
}

func (n *notified) ReturnPhase(bool) { n.returns.Add(1) }

// ballast makes a schedule take its time between its steps: many claims, in the order that is the
// worst to sort.
func ballast(n int) []safety.Claim {
	claims := make([]safety.Claim, n)
	for i := range claims {
		claims[n-1-i] = newStack(1).claim(safety.Read, "B")
	}
	return claims
}

// Of a Dispose and a schedule that are not ordered one is refused: no job gets a container that is
// gone.
func TestDisposeOrScheduleWins(t *testing.T) {
	lawtest.CheckedOnly(t)
	r := lawtest.Rand(t)
	load := ballast(300)
	both := 0
	for range lawtest.Rounds(2000) {
		s := newStack(1)
		k := newTicket("J", nil, append([]safety.Claim{s.claim(safety.Write, "X")}, load...)...)
		spin := r.IntN(40000)
		var line sync.WaitGroup
		line.Add(2)
		disposed := make(chan bool)
		go func() {
			line.Done()
			line.Wait()
			for i := 0; i < spin && !safety.Sealed(k); i++ {
			}
			disposed <- lawtest.Failure(func() error { s.guard.Dispose(); return nil }) == nil
		}()
		line.Done()
		line.Wait()
		v := k.Open(safety.CurrentScope(), 0, false)
		if <-disposed && v == nil {
			both++
		}
		if v == nil {
			completed(k)
		}
	}
	require.Zero(t, both, "a job was admitted to a container that was disposed at the same time")
}

// A schedule that is refused because of a job that another goroutine completes meanwhile describes
// that job, also when its ticket is used for the next one at once.
func TestConflictWithAJobThatIsCompletedMeanwhileIsDescribed(t *testing.T) {
	lawtest.CheckedOnly(t)
	if safety.Strict {
		t.Skip("tickets are not used again in strict builds")
	}
	s := newStack(1)
	load := ballast(1000) // has the greater ids, so that the stack is let go of first
	slices.Reverse(load)
	var stop atomic.Bool
	stopped := make(chan bool)
	claim := s.claim(safety.Write, "X")
	go func() {
		defer close(stopped)
		var k safety.Ticket
		for !stop.Load() {
			k.Reset("holder", 0)
			k.Claim(claim)
			if k.Open(safety.CurrentScope(), 0, false) == nil {
				k.Seal(1, false, inline)
				for i := 0; i < 2000 && !stop.Load(); i++ {
				}
				k.Return()
			}
			k.Reset("", 0) // no goroutine can know of the job any more
			for i := 0; i < 20000 && !stop.Load(); i++ {
			}
		}
	}()
	var strange error
	for rounds := 0; strange == nil && rounds < 150; rounds++ {
		k := newTicket("J", nil, append([]safety.Claim{claim}, load...)...)
		err := lawtest.Failure(func() error {
			if v := k.Open(safety.CurrentScope(), 0, false); v != nil {
				return v
			}
			completed(k)
			return nil
		})
		var v *safety.Violation
		if err != nil && (!errors.As(err, &v) || v.OtherJob != "holder" || v.OtherField != "X") {
			strange = err
		}
	}
	stop.Store(true)
	<-stopped
	assert.NoError(t, strange)
}

// A container remembers no job that was completed, and a job none that it ran after.
func TestACompletedJobIsForgotten(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, m := range modes {
		s := newStack(1)
		last, gone := func() (*safety.Ticket, []weak.Pointer[safety.Ticket]) {
			first := opened(t, "first", nil, s.claim(m, "X"))
			second := opened(t, "second", after(first), s.claim(m, "X"))
			third := opened(t, "third", after(second), s.claim(m, "X"))
			finished(first)
			finished(second)
			completed(third)
			return third, []weak.Pointer[safety.Ticket]{weak.Make(first), weak.Make(second)}
		}()
		last.Reset("", 0) // as a driver does that uses it again
		runtime.GC()
		for i, p := range gone {
			require.Nil(t, p.Value(), "%v %d", m, i)
		}
		requireFree(t, s)
		runtime.KeepAlive(last)
	}
}

// Nor does it remember a crowd of readers that a writer and another reader came after.
func TestACrowdThatWasCompletedIsForgotten(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(1)
	last, gone := func() (last *safety.Ticket, gone []weak.Pointer[safety.Ticket]) {
		var crowd []*safety.Ticket
		for range 3 {
			crowd = append(crowd, opened(t, "reader", nil, s.claim(safety.Read, "X")))
		}
		writer := opened(t, "writer", after(crowd...), s.claim(safety.Write, "X"))
		last = opened(t, "last", after(writer), s.claim(safety.Read, "X"))
		for _, r := range append(crowd, writer) {
			finished(r)
			gone = append(gone, weak.Make(r))
		}
		completed(last)
		return last, gone
	}()
	last.Reset("", 0)
	runtime.GC()
	for i, p := range gone {
		require.Nil(t, p.Value(), "%d", i)
	}
	requireFree(t, s)
	runtime.KeepAlive(last)
}

// A schedule that is refused for one of its containers leaves the others as they were.
func TestARefusedScheduleLeavesNothingLocked(t *testing.T) {
	lawtest.CheckedOnly(t)
	a, b, c := newStack(1), newStack(1), newStack(1)
	job := opened(t, "J", nil, b.claim(safety.Write, "B"))
	lawtest.Within(t, func() {
		refused(t, "K", nil, a.claim(safety.Write, "A"), b.claim(safety.Read, "B"), c.claim(safety.Write, "C"))
		refused(t, "K", nil, a.claim(safety.Write, "A"), a.claim(safety.Read, "B"), c.claim(safety.Write, "C"))
		requireFree(t, a)
		requireFree(t, c)
		completed(opened(t, "L", nil, a.claim(safety.Write, "A"), c.claim(safety.Write, "C")), job)
		completed(opened(t, "M", nil, c.claim(safety.Write, "C"), b.claim(safety.Append, "B"), a.claim(safety.Read, "A")))
	})
}
