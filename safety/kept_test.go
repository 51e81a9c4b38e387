package safety_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// keptBytes is the most memory that may be kept for later use, in bytes, however much was used at a
// time.
const keptBytes = 256 << 10

// The library keeps memory for later use only up to a bound. The garbage collector takes the rest.
func TestWhatIsUsedAgainIsGivenBack(t *testing.T) {
	if atom.Explored {
		t.Skip("this build keeps memory, to find late uses of it")
	}
	lawtest.CheckedOnly(t)
	n := 100 * lawtest.Rounds(1000)
	s, k := newStack(1), new(safety.Ticket)
	for name, do := range map[string]func(){
		"scopes": func() {
			all := make([]*safety.Scope, n)
			for i := range all {
				all[i] = safety.NewScope()
			}
			for _, l := range all {
				l.Discard()
			}
		},
		"scopes, the first last": func() {
			all := make([]*safety.Scope, n)
			for i := range all {
				all[i] = safety.NewScope()
			}
			for i := range all {
				all[n-1-i].Discard()
			}
		},
		"numbers of goroutines that were ended": func() {
			l := safety.NewScope()
			for range 4 * n {
				l.Renumber()
			}
			l.Discard()
		},
		"jobs that were not completed": func() {
			all := make([]*safety.Ticket, n/4)
			for i := range all {
				all[i] = opened(t, "J", nil)
			}
			for _, k := range all {
				completed(k)
			}
		},
		"jobs that hold one container": func() {
			all := make([]*safety.Ticket, n/4)
			for i := range all {
				all[i] = opened(t, "J", nil, s.claim(safety.Read, "S"))
			}
			for _, k := range all {
				completed(k)
			}
		},
		"a long chain": func() {
			k := opened(t, "J", nil, s.claim(safety.Write, "S"))
			for range n / 8 {
				k = opened(t, "J", after(k), s.claim(safety.Write, "S"))
				finished(k)
			}
			k.Return()
			completed(opened(t, "J", after(opened(t, "J", nil))))
		},
		"claims of one ticket": func() {
			all := make([]safety.Claim, 5000)
			for i := range all {
				all[i] = s.claim(safety.Read, "S")
			}
			for _, claims := range [][]safety.Claim{all, all[:1]} {
				fill(k, "J", nil, claims...)
				require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
				completed(k)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Less(t, lawtest.Kept(do), keptBytes)
		})
	}
	runtime.KeepAlive(k)
}

// A retired number belongs to no scope and is not given to another one for at least 5000 numbers. A
// goroutine finds its own scope whatever numbers were retired before.
func TestRetiredNumbersAreNotGivenAwayAgainForLong(t *testing.T) {
	lawtest.CheckedOnly(t)
	l := safety.NewScope()
	defer l.Discard()
	seen := map[uint32]bool{}
	for range 5000 {
		n := l.Number()
		require.False(t, seen[n], n)
		seen[n] = true
		l.Renumber()
		require.Nil(t, safety.Numbered(n))
		require.Same(t, l, safety.Numbered(l.Number()))
	}
	enter(t, "active").do(func() {
		l.Do(runner(func() { require.Same(t, l, safety.CurrentScope()) }))
	})
}

// A scope that would need a number beyond the last one is refused.
func TestMoreWorkersThanThereAreNumbers(t *testing.T) {
	lawtest.CheckedOnly(t)
	defer safety.LimitNumbers(3)()
	var all []*safety.Scope
	defer func() {
		for _, l := range all {
			l.Discard()
		}
	}()
	v := lawtest.Violation(t, func() error {
		for range 100_000 { // more than the free numbers of all blocks
			all = append(all, safety.NewScope())
		}
		return nil
	})
	require.ErrorIs(t, v, safety.ErrArgument)
	require.Contains(t, v.Error(), "workers")
}

// After the last of many nested jobs, and of many jobs on adopted memory, no list names one of
// them.
func TestManyAtATimeAreForgotten(t *testing.T) {
	lawtest.CheckedOnly(t)
	const n = 200
	outer := enter(t, "outer", newStack(1).view(safety.Read))
	var inner, adopting []*safety.Ticket
	for i := range n {
		k := newTicket("inner", nil, held(outer.views[0], "S"))
		require.Nil(t, k.Open(outer.scope, 0, false))
		inner = append(inner, k)
		s := newStack(1)
		s.guard.Adopts(uintptr(1000+10*i), uintptr(1010+10*i))
		adopting = append(adopting, opened(t, "J", nil, s.claim(safety.Write, "S")))
	}
	require.Equal(t, n, safety.Lent(outer.scope))
	held, _ := safety.Adopted()
	require.Equal(t, n, held)
	completed(inner...)
	completed(adopting...)
	require.Zero(t, safety.Lent(outer.scope))
	held, _ = safety.Adopted()
	require.Zero(t, held)
}

// A ticket that ran after 400 jobs can be used again for a job that runs after one.
func TestATicketRunsAfterManyAndThenAfterOne(t *testing.T) {
	lawtest.CheckedOnly(t)
	s, k := newStack(1), new(safety.Ticket)
	for _, n := range []int{400, 1, 400, 1} {
		var all []*safety.Ticket
		for range n {
			all = append(all, opened(t, "J", nil, s.claim(safety.Read, "S")))
		}
		fill(k, "K", nil, s.claim(safety.Write, "S"))
		k.Ordered = true
		require.Nil(t, k.Open(safety.CurrentScope(), 0, false))
		require.NotEmpty(t, k.Found())
		completed(all...)
	}
}
