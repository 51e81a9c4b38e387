//go:build !custody_explore

package queue

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/pad"
)

// tries is a wait that ends at the n-th try, when more remain.
func tries(n, remain int) (try func() outcome, left func() int, tried *int) {
	tried = new(int)
	return func() outcome {
		if *tried++; *tried == n {
			return done
		}
		return blocked
	}, func() int { return remain }, tried
}

// A call that finds many others when it looks again waits longer the next time, up to a
// limit, and less when there is one, or none.
func TestWhoFindsManyLooksAwayLonger(t *testing.T) {
	var p backoff
	wait := func(remain int) int {
		try, left, tried := tries(1, remain)
		require.Equal(t, done, p.poll(try, left))
		require.Equal(t, 1, *tried)
		return p.delay()
	}
	require.Zero(t, wait(0))
	for d := leastDelay; d <= mostDelay; d *= 2 {
		require.Equal(t, d, wait(5))
	}
	require.Equal(t, mostDelay, wait(5))
	for d := mostDelay / 2; d >= leastDelay; d /= 2 {
		require.Equal(t, d, wait(0))
	}
	require.Zero(t, wait(0))
	p = backoff{most: 8}
	for _, c := range [][2]int{{5, 64}, {5, 128}, {6, 64}, {5, 128}, {8, 64}, {7, 0}} { // nearly all: it was away for too long
		require.Equal(t, c[1], wait(c[0]), c)
	}
	p = backoff{}
	wait(5)
	try, left, tried := tries(2, 5)
	require.Equal(t, done, p.poll(try, left))
	require.Equal(t, 2, *tried)
	require.Equal(t, leastDelay, p.delay(), "it looked away in vain, and found many after the yield")
}

// Two that answer each other from two processors look closely, until one of them sleeps; and not
// when a yield was enough.
func TestWhoIsAnsweredFromAnotherProcessorLooksClosely(t *testing.T) {
	var p backoff
	wait := func(n, remain int) {
		t.Helper()
		try, left, tried := tries(n, remain)
		require.Equal(t, done, p.poll(try, left))
		require.Equal(t, n, *tried)
	}
	wait(1, 0)
	require.Zero(t, p.replies.Load(), "a yield was enough")
	wait(2, 1)
	require.Zero(t, p.replies.Load(), "there were more")
	p = backoff{}
	wait(2, 0)
	for k := range uint32(mostReplies) {
		require.Equal(t, k+1, p.replies.Load())
		require.Zero(t, p.sleeps.Load())
		wait(1+int(k)%closePolls, 0)
	}
	require.Zero(t, p.replies.Load())
	require.Equal(t, uint32(1), p.sleeps.Load())
	try, left, tried := tries(1, 0)
	require.Equal(t, blocked, p.poll(try, left), "it sleeps now")
	require.Zero(t, *tried)
	require.Zero(t, p.sleeps.Load())

	wait(2, 0)
	require.Equal(t, uint32(1), p.replies.Load())
	wait(closePolls+1, 0)
	require.Zero(t, p.replies.Load(), "looking closely was in vain, and a yield was enough")
	require.Zero(t, p.misses.Load())

	wait(2, 0)
	for k := range uint32(mostMisses) {
		require.Equal(t, k, p.misses.Load())
		wait(closePolls+2, 0)
	}
	require.Zero(t, p.replies.Load(), "looking closely was in vain too often")
	for r := uint32(longSkip); r > 1; r-- {
		wait(2, 0)
		require.Equal(t, r-2, p.skips.Load())
		require.Zero(t, p.replies.Load())
	}
	wait(2, 0)
	require.Equal(t, uint32(1), p.replies.Load())
}

// A goroutine that waits for long sleeps, and at once when others compute.
func TestALookEnds(t *testing.T) {
	var p backoff
	try, left, tried := tries(0, 0)
	start := time.Now()
	require.Equal(t, blocked, p.poll(try, left))
	require.GreaterOrEqual(t, time.Since(start), pollTime)
	require.Greater(t, *tried, 1)

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p = backoff{}
	require.Equal(t, blocked, p.poll(func() outcome {
		for until := time.Now().Add(2 * longYield); time.Now().Before(until); { // as if the yield had let another goroutine compute
		}
		return blocked
	}, left))
	require.Equal(t, uint32(sleepAtOnce), p.sleeps.Load())
	require.Equal(t, blocked, p.poll(try, left))
	require.Equal(t, uint32(sleepAtOnce-1), p.sleeps.Load())
}

// A call that meets one that is about to do what it needs waits as the others at its end do, and
// tells them how it was.
func TestWhoIsTooCloseLooksAwayLonger(t *testing.T) {
	var p backoff
	l := pauses{of: &p}
	require.False(t, l.learns())
	for k, away := range []int{leastDelay, leastDelay, 2 * leastDelay, 4 * leastDelay} {
		l = pauses{of: &p}
		l.pause()
		require.True(t, l.learns())
		require.Equal(t, away, l.delay, k)
		l.learn(k > 0)
	}
	l.pause() // and then it yields
	require.Equal(t, 8*leastDelay, p.delay())
	l = pauses{delay: 100}
	l.pause()
	require.Equal(t, 100, l.delay)
}

// An end of an SPSC goes on line by line, and never farther than there are places, or items.
func TestAnEndFetchesWholeLines(t *testing.T) {
	const bytes = fetchLines * pad.Line
	for size, want := range map[int][2]int{
		1: {bytes, pad.Line}, 8: {bytes / 8, pad.Line / 8}, pad.Line: {fetchLines, 1}, bytes / 2: {2, 1},
		bytes/2 + 1: {math.MaxInt, 0}, bytes: {math.MaxInt, 0}, 10 * bytes: {math.MaxInt, 0},
	} {
		n, line := fetchOf(size)
		require.Equal(t, want, [2]int{n, line}, size)
	}
	for _, capacity := range []int{1, 2, 3, 100, 300} {
		q := NewSPSC[int](capacity)
		p, c := q.Producer(), q.Consumer()
		in, out := 0, 0
		for round := range 50 {
			for k := range 1 + (round*37)%(capacity+1) { // one too many, now and then
				if ok := p.TryEnqueue(in); ok {
					in++
				} else {
					require.Equal(t, capacity, in-out, k)
				}
				require.LessOrEqual(t, p.between(p.mine, p.near), capacity-(in-out))
			}
			for range 1 + (round*53)%(capacity+1) {
				v, ok := c.TryDequeue()
				require.Equal(t, ok, in > out)
				if ok {
					require.Equal(t, out, v)
					out++
				}
				require.LessOrEqual(t, c.between(c.mine, c.near), in-out)
			}
		}
	}
}
