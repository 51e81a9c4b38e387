package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// A recursion is the sequential one, whichever worker runs which half. Only if a half that the
// sequential recursion does not run ends its goroutine may the caller end, too.
func TestRecurseIsTheSequentialRecursion(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(8)
	defer pool.Close()
	r := lawtest.Rand(t)
	shared, failed, ended, n := 0, 0, 0, rounds(3_000)
	for range n {
		p := drawRecursing(r, pool)
		plain, w := &walk{plain: true}, &walk{opts: p.opts}
		want, how := plain.run(p)
		stop := func() {}
		if r.IntN(10) == 0 {
			stop = handout.Force(r.Uint64())
		}
		got, e := w.run(p)
		stop()
		if p.exits && e.goexit && !how.goexit {
			ended++
			continue
		}
		require.NoError(t, w.differs(plain, got, e, want, how), p)
		if w.shared.Load() {
			shared++
		}
		if how.value != nil {
			failed++
		}
	}
	t.Logf("of %d recursions %d were shared, %d failed, %d ended early", n, shared, failed, ended)
	require.Greater(t, failed, n/20)
	require.Less(t, ended, n/20)
	if !parallelfor.Raced {
		require.Greater(t, shared, n/50)
	}
}

// Memory of a deep recursion is used again by one that is not deep.
func TestRecurseDeeply(t *testing.T) {
	watchdog(t)
	const depth = 5000
	down := func(left bool) func(f *parallelfor.Forks[int, int], n int) int {
		return func(f *parallelfor.Forks[int, int], n int) (sum int) {
			switch {
			case n <= 0:
				return -n
			case left:
				l, r := f.Join(n-1, -n)
				return l + r
			}
			l, r := f.Join(-n, n-1)
			return l + r
		}
	}
	for range rounds(4) {
		for _, left := range []bool{true, false} {
			require.Equal(t, depth*(depth+1)/2, parallelfor.Recurse(down(left), depth))
			require.Equal(t, 55, parallelfor.Recurse(down(left), 10))
		}
	}
}
