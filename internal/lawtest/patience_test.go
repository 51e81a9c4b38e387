package lawtest

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The clock of a patience is slow beside other programs, and stands while the machine does.
func TestPatienceGoesAsFastAsTheProgram(t *testing.T) {
	const ms = time.Millisecond
	require.Equal(t, 20*ms, spent(20*ms, 0, true, 0), "nobody wants to run")
	require.Equal(t, 20*ms, spent(20*ms, 40*ms, true, 2), "all who want to run do")
	require.Equal(t, 5*ms, spent(20*ms, 10*ms, true, 2), "others have most of the processors")
	require.Equal(t, 2*glance, spent(time.Hour, 0, true, 0), "the machine slept")
	require.Equal(t, 20*ms, spent(20*ms, 0, false, 2), "it is not known how long it has computed")
}

func TestThePatienceThatIsSaid(t *testing.T) {
	require.Equal(t, 20*time.Second, usual(""))
	require.Equal(t, 5*time.Second, usual("5s"))
	for _, said := range []string{"5", "-1s", "0s", "long"} {
		require.Panics(t, func() { usual(said) }, said)
	}
}

func TestWhatEndsIsNotStuck(t *testing.T) {
	done := make(chan int)
	close(done)
	require.True(t, Ends(done, 0, nil))
	require.False(t, Ends(make(chan int), 3*glance, nil))
	require.False(t, Ends(make(chan int), 3*glance, func() uint64 { return 7 }), "it does not move")
}

func TestWhatMovesIsNotStuck(t *testing.T) {
	var looks atomic.Uint64
	done := make(chan int)
	require.True(t, Ends(done, 20*glance, func() uint64 {
		if n := looks.Add(1); n != 60 {
			return n
		}
		close(done)
		return 60
	}))
}

func TestTheSpinnerIsStuckToo(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	for range 3 {
		go func() {
			for !over.Load() {
			}
		}()
	}
	require.False(t, Ends(make(chan int), 5*glance, nil))
}

func TestWhoWaitsTooLongFails(t *testing.T) {
	s := &spy{TB: t}
	func() {
		defer func() { _ = recover() }()
		until(s, "ever", 2*glance, func() bool { return false })
	}()
	require.True(t, s.failed)
	n := 0
	Until(t, "a while", func() bool { n++; return n == 1000 })
	c := make(chan int, 1)
	c <- 5
	require.Equal(t, 5, Arrives(t, "five", c))
}

func TestWhatHangsEndsTheProcess(t *testing.T) {
	before, ended := hangs, make(chan string, 1)
	defer func() { hangs = before }()
	hangs = func(name string) { ended <- name }
	Within(t, func() {})
	require.Empty(t, ended)
	t.Run("done", func(t *testing.T) { Watchdog(t) })
	require.Empty(t, ended)
}

func TestWhoIsSlowedDownIsGivenMoreTime(t *testing.T) {
	var given []time.Duration
	require.True(t, Unhurried(time.Hour, func(d time.Duration) bool {
		given = append(given, d)
		return len(given) == 3
	}))
	require.Equal(t, []time.Duration{time.Hour, 2 * time.Hour, 4 * time.Hour}, given)
	require.False(t, Unhurried(0, func(time.Duration) bool { return false }))
}

func TestPatientContextsEndWithTheTest(t *testing.T) {
	var ctx context.Context
	t.Run("in", func(t *testing.T) {
		ctx = Patient(t)
		require.NoError(t, ctx.Err())
	})
	require.Error(t, ctx.Err())
}
