package explore_test

import (
	"fmt"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// simple is a machine on which all that takes time is easy to add up.
var simple = explore.Machine{Hit: 1, Update: 10, Transfer: 100, Far: 1000, Miss: 10_000, Hold: 50, Yield: 5, Start: 3, Signal: 20, Wake: 200, Spin: 500, Socket: 2}

// words are some that lie in lines of their own.
type words [40]struct {
	n uint64
	_ [56 + 64]byte
}

func (w *words) load(k int) uint64 {
	sched.Point(sched.OpLoad, unsafe.Pointer(&w[k]))
	return w[k].n
}

func (w *words) add(k int) {
	sched.Point(sched.OpAdd, unsafe.Pointer(&w[k]))
	w[k].n++
}

// swap is a CompareAndSwap.
func (w *words) swap(k int, o, n uint64) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(&w[k]))
	if w[k].n != o {
		return false
	}
	w[k].n = n
	return true
}

// timed runs what n tasks do k times, after a first time that does not count.
func timed(t *testing.T, m explore.Machine, seed uint64, n, k int, do func(w *words, g int)) explore.Timing {
	t.Helper()
	if sched.Race {
		t.Skip("machines are simulated on coroutines")
	}
	w := new(words)
	took, err := explore.Time(m, seed, false, explore.Load{Goroutines: n, Warm: 1, Timed: k, Fresh: func() func(g, i int) { return func(g, _ int) { do(w, g) } }})
	require.NoError(t, err)
	return took
}

func TestALineIsWithWhoUsedItLast(t *testing.T) {
	one := timed(t, simple, 1, 1, 10, func(w *words, _ int) { w.add(0) })
	require.Equal(t, explore.Timing{Time: 10 * 10, Accesses: 10}, one)
	apart := timed(t, simple, 1, 2, 10, func(w *words, g int) { w.add(g) })
	require.Equal(t, explore.Timing{Time: 10 * 10, Accesses: 20}, apart)
	read := timed(t, simple, 1, 2, 10, func(w *words, _ int) { w.load(0) })
	require.Equal(t, explore.Timing{Time: 10, Accesses: 20}, read)
}

// Two that change a word have it for Hold, so five changes at a time.
func TestALineGoesFromOneToTheOther(t *testing.T) {
	both := timed(t, simple, 1, 2, 60, func(w *words, _ int) { w.add(0) })
	require.InDelta(t, 120/6, both.Transfers, 3)
	require.InDelta(t, 120/6*150, float64(both.Time), 300)
	asked := simple
	asked.Hold, asked.Ask = 0, 80 // so the line is used for 60 between two transfers
	both = timed(t, asked, 1, 2, 60, func(w *words, _ int) { w.add(0) })
	require.InDelta(t, 120/7, both.Transfers, 3)
	require.InDelta(t, 120/7*80, float64(both.Time), 300)
	asked.Then = 30 // of the 60
	require.Greater(t, timed(t, asked, 1, 2, 60, func(w *words, _ int) { w.add(0) }).Transfers, both.Transfers)
	far := simple
	far.Socket = 1
	require.Greater(t, timed(t, far, 1, 2, 60, func(w *words, _ int) { w.add(0) }).Time, 5*both.Time)
}

// A word that one changes and another reads is fetched by the reader, and then by the writer.
func TestAReaderTakesPartOfALine(t *testing.T) {
	took := timed(t, simple, 1, 2, 1, func(w *words, g int) {
		if g == 0 {
			w.add(0)
		} else {
			w.load(0)
		}
	})
	require.Equal(t, 2, took.Accesses)
	require.LessOrEqual(t, took.Transfers, 2)
	require.Positive(t, took.Transfers)
}

// The chain is that of transfers which wait for each other: a word that all change, and not the
// words that two change beside it.
func TestTheChain(t *testing.T) {
	row := timed(t, simple, 1, 4, 1, func(w *words, _ int) { w.add(0) })
	require.Equal(t, row.Transfers, row.Chain)
	pairs := timed(t, simple, 1, 8, 1, func(w *words, g int) { w.add(g / 2) })
	require.Greater(t, pairs.Transfers, 2*pairs.Chain)
	require.Positive(t, pairs.Chain)
}

func TestTheSeedDecides(t *testing.T) {
	m := simple
	m.Step = 7
	mixed := func(seed uint64) explore.Timing {
		return timed(t, m, seed, 4, 100, func(w *words, g int) {
			w.add(g % 2)
			w.load(1 - g%2)
		})
	}
	require.Equal(t, mixed(1), mixed(1))
	require.NotEqual(t, mixed(1).Time, mixed(2).Time)
}

// A goroutine that sleeps goes on Wake after it is woken, which takes Signal.
func TestAWakeUpTakesTime(t *testing.T) {
	var at [2]time.Duration
	if sched.Race {
		t.Skip("machines are simulated on coroutines")
	}
	w := new(words)
	_, err := explore.Time(simple, 1, false, explore.Load{Goroutines: 2, Timed: 1, Fresh: func() func(g, i int) {
		f := new(flag)
		return func(g, _ int) {
			if g == 0 {
				f.wait()
			} else {
				sched.Spend(300)
				f.raise()
				w.add(1)
			}
			at[g], _ = sched.Clock()
		}
	}})
	require.NoError(t, err)
	woken := time.Duration(10_000 + 100) // a miss of the one that sleeps, and a transfer
	require.Equal(t, [2]time.Duration{woken + 200, woken + 20 + 10_000}, at)
}

// What the literature says of well-known ways to do one thing comes out: of two, the first is
// faster at 32 processors, by at least the factor.
func TestKnownOrderings(t *testing.T) {
	const n, k = 32, 100
	one := func(w *words, _ int) { w.add(0) }
	ways := []struct {
		name         string
		factor       float64
		fast, slow   func(w *words, g int)
		each, others int
	}{
		{"stripes, one counter", 5, func(w *words, g int) { w.add(g % 8) }, one, 1, 1},
		{"fetch and add, compare and swap", 1.5, one, func(w *words, _ int) {
			for {
				if o := w.load(0); w.swap(0, o, o+1) {
					return
				}
			}
		}, 1, 1},
	}
	for _, way := range ways {
		fast, slow := timed(t, explore.Usual, 1, n, k, way.fast), timed(t, explore.Usual, 1, n, k, way.slow)
		require.Greater(t, float64(slow.Time), way.factor*float64(fast.Time), way.name)
	}
}

// A queue lock (Mellor-Crummey and Scott, 1991), on whose words of their own tasks wait, is faster
// than a lock that all try to set.
func TestAQueueLockIsFaster(t *testing.T) {
	const n, k, tail = 32, 20, 39
	try := timed(t, explore.Usual, 1, n, k, func(w *words, _ int) {
		for !w.swap(tail, 0, 1) {
		}
		sched.Spend(200)
		w.swap(tail, 1, 0)
	})
	queue := timed(t, explore.Usual, 1, n, k, func(w *words, g int) {
		me := uint64(g + 1)
		w.set(g, 0)
		before := w.exchange(tail, me)
		if before != 0 {
			w.set(g, waits)
			w.tell(int(before-1), me)
			for w.load(g)&waits != 0 {
			}
		}
		sched.Spend(200)
		if w.load(g)>>8 == 0 {
			if w.swap(tail, me, 0) {
				return
			}
			for w.load(g)>>8 == 0 {
			}
		}
		w.clear(int(w.load(g)>>8-1), waits)
	})
	require.Greater(t, float64(try.Time), 1.3*float64(queue.Time))
	require.Greater(t, try.Transfers, queue.Transfers)
}

const waits = 1

func (w *words) set(k int, v uint64) {
	sched.Point(sched.OpStore, unsafe.Pointer(&w[k]))
	w[k].n = v
}

func (w *words) exchange(k int, v uint64) (before uint64) {
	sched.Point(sched.OpSwap, unsafe.Pointer(&w[k]))
	before, w[k].n = w[k].n, v
	return before
}

// tell notes in the word of task k which task waits behind it.
func (w *words) tell(k int, next uint64) {
	sched.Point(sched.OpAdd, unsafe.Pointer(&w[k]))
	w[k].n |= next << 8
}

func (w *words) clear(k int, bits uint64) {
	sched.Point(sched.OpAdd, unsafe.Pointer(&w[k]))
	w[k].n &^= bits
}

// Two words of one line meet, and the places of both are named.
func TestPlacesOfFalseSharing(t *testing.T) {
	if sched.Race {
		t.Skip("machines are simulated on coroutines")
	}
	took, err := explore.Time(explore.Usual, 1, true, explore.Load{Goroutines: 2, Timed: 50, Fresh: func() func(g, i int) {
		line := new([8]uint64)
		return func(g, _ int) {
			if g == 0 {
				left(line)
			} else {
				right(line)
			}
		}
	}})
	require.NoError(t, err)
	require.NotEmpty(t, took.Meetings)
	m := took.Meetings[0]
	require.ElementsMatch(t, []string{"left", "right"}, []string{shortOf(m.From), shortOf(m.To)}, fmt.Sprint(took.Meetings))
}

//go:noinline
func left(line *[8]uint64) { sched.Point(sched.OpAdd, unsafe.Pointer(&line[0])) }

//go:noinline
func right(line *[8]uint64) { sched.Point(sched.OpAdd, unsafe.Pointer(&line[1])) }

// shortOf returns the name of a place's function.
func shortOf(place string) string {
	var name, rest string
	fmt.Sscan(place, &name, &rest)
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}

// Two operations conflict at a line that one changes, wherever in it.
func TestConflicts(t *testing.T) {
	if sched.Race {
		t.Skip("machines are simulated on coroutines")
	}
	reads := func(line *[8]uint64, k int) func() {
		return func() { sched.Point(sched.OpLoad, unsafe.Pointer(&line[k])) }
	}
	for _, c := range []struct {
		name  string
		a, b  func(line, other *[8]uint64) func()
		count int
	}{
		{"two that read", func(l, _ *[8]uint64) func() { return reads(l, 0) }, func(l, _ *[8]uint64) func() { return reads(l, 1) }, 0},
		{"one that changes", func(l, _ *[8]uint64) func() { return reads(l, 0) }, func(l, _ *[8]uint64) func() { return func() { right(l) } }, 1},
		{"two lines", func(l, _ *[8]uint64) func() { return func() { left(l) } }, func(_, l *[8]uint64) func() { return func() { right(l) } }, 0},
	} {
		all, err := explore.Conflicts(1, 2, func(int) (a, b func()) {
			line, other := new([8]uint64), new([8]uint64)
			return c.a(line, other), c.b(line, other)
		})
		require.NoError(t, err)
		require.Len(t, all[0], c.count, c.name)
	}
}
