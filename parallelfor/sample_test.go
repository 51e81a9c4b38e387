package parallelfor

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// What a worker that shares a short loop takes does not raise the cost of an index. It would be
// that of sharing, and the loop would be shared for ever.
func TestSharingDoesNotRaiseTheCostOfAnIndex(t *testing.T) {
	var s sample
	var c cost
	c.perIndex.Store(10 << 10)
	s.end(&c, 5*time.Microsecond, 50, 100, growsLoops)
	require.EqualValues(t, 10<<10, c.perIndex.Load())
	s.end(&c, 5*time.Microsecond, 100, 100, growsLoops) // alone
	require.EqualValues(t, 40<<10, c.perIndex.Load())
	c.perIndex.Store(1 << 30)
	s.end(&c, 5*time.Microsecond, 50, 100, growsLoops) // less than was known
	require.Less(t, c.perIndex.Load(), int64(1<<30))
	c.perIndex.Store(10 << 10)
	s.end(&c, longestSeldom/2, 50, 100, growsLoops) // may still be the time of sharing
	require.EqualValues(t, 10<<10, c.perIndex.Load())
	for range 10 {
		s.end(&c, longestSeldom+time.Microsecond, 50, 100, growsLoops)
	}
	require.Greater(t, c.perIndex.Load(), int64(2000<<10))
}

// A contest has a round of shared loops and one of loops alone, and times the second half of each.
// In the pause only loops that are timed count.
func TestContestsHaveTwoRoundsAndAPause(t *testing.T) {
	if atom.Exploring() {
		t.Skip("nothing is timed")
	}
	p := NewPool(2)
	defer p.Close()
	j := &exec{running: &running{work: new(work), cost: new(cost)}}
	j.pool, j.workers, j.n = p, 2, 1000
	const d = 5 * time.Microsecond
	j.cost.perIndex.Store(int64(d))
	p.wakeUps.turn.Store(0)
	s := &j.work.sample
	for turn := range pause {
		require.Equal(t, turn, j.turn(d))
		require.Equal(t, turn%aloneRound >= halfRound, s.begin() != 0, turn)
		workers := 2
		if turn >= aloneRound {
			workers = 1
		}
		require.Equal(t, workers, j.crowd(turn), turn)
	}
	s.wait = 3
	for _, turn := range []int{pause, noTurn, noTurn} {
		require.Equal(t, turn, j.turn(d))
		require.Zero(t, s.begin())
	}
	for turn := pause + 1; turn < turns; turn++ {
		require.Equal(t, turn, j.turn(d))
		require.NotZero(t, s.begin())
	}
	require.Zero(t, p.wakeUps.turn.Load())
	require.Equal(t, noTurn, j.turn(shortestShort-1))
	require.Equal(t, noTurn, j.turn(longestSeldom))
	alone := 0
	for range 10 * seldomAlone {
		if turn := j.turn(longestShort); turn == aloneRound {
			alone++
		} else {
			require.Equal(t, noTurn, turn)
		}
	}
	require.Equal(t, 10, alone)
	j.cost.sharing.Store(int64(longestShort))
	j.cost.perIndex.Store(int64(longestShort) * 1024 / 1000)
	require.Equal(t, 1, j.crowd(aloneRound))
	require.Greater(t, j.crowd(noTurn), 1)
	j.cost.perIndex.Store(int64(d))
	require.Equal(t, 1, j.crowd(noTurn))
	require.Zero(t, p.wakeUps.turn.Load())
}

// A short loop that is not timed has read GOMAXPROCS some loops before. It has no more workers than
// GOMAXPROCS all the same, unless it asked for them. A long one reads it.
func TestALowerGOMAXPROCSBoundsALoopThatIsNotTimed(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	w := &work{plan: new(plan)}
	j := &exec{running: &w.running}
	w.exec, w.work, w.cost = j, w, new(cost)
	j.work.sample.wait = 1
	short, long := int64(1024), int64(2*longestShort)
	configure := func(opts ...Option) {
		require.Nil(t, j.work.configure(1000, append(opts, Name("J"))))
		j.n = 1000
	}
	for _, c := range []struct{ before, now, workers int }{{3, 2, 2}, {2, 3, 2}, {3, 1, 1}} {
		runtime.GOMAXPROCS(c.before)
		j.work.procs = 0
		j.cost.perIndex.Store(short)
		configure()
		runtime.GOMAXPROCS(c.now)
		configure()
		if !atom.Exploring() { // then no cost is known
			require.Equal(t, c.before, j.workers)
		}
		for _, perIndex := range []int64{0, long} {
			j.cost.perIndex.Store(perIndex)
			require.Equal(t, min(c.workers, j.workers), j.crowd(noTurn))
		}
		for _, perIndex := range []int64{0, long, math.MaxInt64} {
			j.work.procs = c.before
			j.cost.perIndex.Store(perIndex)
			configure()
			require.Equal(t, c.now, j.workers)
		}
		j.cost.perIndex.Store(short)
		j.work.procs, j.work.sample.wait = c.before, 0
		configure()
		require.Equal(t, c.now, j.workers)
		j.work.sample.wait = 1
		configure(Workers(5))
		require.Equal(t, 5, j.crowd(noTurn))
	}
}

// Loops are shared as long as that takes less time, and a single long time does not end it.
func TestSharingIsAsItPays(t *testing.T) {
	const d = 5 * time.Microsecond
	var c cost
	require.True(t, c.sharingPays(d))
	for range 20 {
		c.shared(d, d*11/10)
	}
	require.False(t, c.sharingPays(d))
	require.True(t, c.sharingPays(2*d))
	for range 20 {
		c.shared(d, d*7/10)
	}
	require.True(t, c.sharingPays(d))
	c.shared(d, 1000*d)
	require.True(t, c.sharingPays(d))
	c.forget()
	require.False(t, c.sharingPays(2*firstSharing))
	require.True(t, c.sharingPays(2*firstSharing+1))
}

// A single worker that comes late, or too late, does not end the waking of workers.
func TestASingleLateArrivalDoesNotEndWaking(t *testing.T) {
	for name, note := range map[string]func(w *wakeUps, d time.Duration){"late": (*wakeUps).arrives, "too late": (*wakeUps).missed} {
		t.Run(name, func(t *testing.T) {
			var w wakeUps
			w.init()
			const d = 2 * (firstSpent + firstArrival)
			require.True(t, w.pays(d))
			note(&w, 100*d)
			require.True(t, w.pays(d))
			for range 5 {
				note(&w, 100*d)
			}
			require.False(t, w.pays(d))
		})
	}
	var w wakeUps
	w.init()
	drift(&w.spent, time.Second)
	require.True(t, w.pays(firstArrival+2*firstSpent))
}

// Short recursions are shared until that has not paid, and are tried again later. The first that is
// known to be long is shared.
func TestShortRecursionsAreSharedIfThatHasPaid(t *testing.T) {
	const short = 4 * beat
	var c cost
	require.False(t, c.forksPay(sharedBeats*beat-1))
	require.True(t, c.forksPay(short))
	for range 8 {
		c.shared(short, short+short/4)
	}
	require.False(t, c.forksPay(short))
	require.True(t, c.forksPay(longestSeldom))
	again := 1
	for ; !c.forksPay(short); again++ {
		require.Less(t, again, 1000)
	}
	require.Greater(t, again, 8)

	if atom.Exploring() {
		return // nothing is known
	}
	var s sample
	s.end(&c, time.Microsecond, 2, 2, growsForks)
	s.end(&c, time.Second, 2, 2, growsForks)
	long, known := c.of(2)
	require.True(t, known)
	require.Greater(t, long, sharedBeats*beat)
}
