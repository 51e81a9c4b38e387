package atom_test

import (
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// all runs f on n goroutines and waits for them.
func all(n int, f func(i int)) {
	var wg atom.WaitGroup
	wg.Add(n)
	for i := range n {
		atom.Go(func() {
			defer wg.Done()
			f(i)
		})
	}
	wg.Wait()
}

const rounds = 1000

func TestGoOrdersWhatCameBefore(t *testing.T) {
	seen, done := 0, make(chan struct{})
	seen = 1
	atom.Go(func() { seen++; close(done) })
	<-done
	require.Equal(t, 2, seen)
}

func TestSleepPausesAtLeast(t *testing.T) {
	start := time.Now()
	atom.Sleep(time.Millisecond)
	require.GreaterOrEqual(t, time.Since(start), time.Millisecond)
}

func TestYieldLetsOthersGoOn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var went atom.Bool
	atom.Go(func() { went.Store(true) })
	for !went.Load() {
		atom.Yield()
	}
}

// An Unpark that comes first is kept.
func TestParkAfterUnparkReturns(t *testing.T) {
	p := atom.NewParker()
	p.Unpark()
	p.Park()
}

// Of several Unparks that come first one is kept, so the second Park waits.
func TestOneTokenIsKept(t *testing.T) {
	p := atom.NewParker()
	for range 3 {
		p.Unpark() // never blocks
	}
	p.Park()
	var woken atom.Bool
	done := make(chan struct{})
	atom.Go(func() {
		p.Park()
		woken.Store(true)
		close(done)
	})
	for range 100 {
		atom.Yield()
		require.False(t, woken.Load(), "no token was left")
	}
	p.Unpark()
	<-done
}

// A Parker is a small value: its copies are one parker.
func TestCopiesOfAParkerAreOne(t *testing.T) {
	p := atom.NewParker()
	q := p
	q.Unpark()
	p.Park()
}

// No wake-up is lost: two goroutines that wake each other get through all rounds, and what one
// writes before Unpark the other sees after Park.
func TestParkersPlayPingPong(t *testing.T) {
	ping, pong := atom.NewParker(), atom.NewParker()
	ball := 0
	all(2, func(i int) {
		for range rounds {
			if i == 0 {
				ping.Park()
				ball++
				pong.Unpark()
			} else {
				ball++
				ping.Unpark()
				pong.Park()
			}
		}
	})
	require.Equal(t, 2*rounds, ball)
}

func TestHiddenUint32(t *testing.T) {
	var h atom.HiddenUint32
	require.Zero(t, h.Load())
	h.Store(7)
	require.EqualValues(t, 7, h.Load())
}

func TestHiddenUint64(t *testing.T) {
	var h atom.HiddenUint64
	require.Zero(t, h.Load())
	const large uint64 = 1 << 40
	h.Store(large)
	require.Equal(t, large+1, h.Add(1))
	require.Equal(t, large, h.Add(^uint64(0)))
	require.False(t, h.CompareAndSwap(1, 2))
	require.Equal(t, large, h.Load())
	require.True(t, h.CompareAndSwap(large, 2))
	require.EqualValues(t, 2, h.Load())
	h.Store(0)
	all(4, func(int) {
		for range rounds {
			h.Add(1)
			for {
				if v := h.Load(); h.CompareAndSwap(v, v+1) {
					break
				}
			}
		}
	})
	require.EqualValues(t, 4*2*rounds, h.Load())
}

func TestHiddenInt64(t *testing.T) {
	var h atom.HiddenInt64
	require.Zero(t, h.Load())
	h.Store(-3)
	require.EqualValues(t, -3, h.Load())
	require.EqualValues(t, -5, h.Add(-2))
	h.Store(0)
	all(4, func(i int) {
		for range rounds {
			h.Add(int64(1 - 2*(i&1)))
		}
	})
	require.Zero(t, h.Load())
}

func TestHiddenPointer(t *testing.T) {
	var h atom.HiddenPointer[int]
	require.Nil(t, h.Load())
	v := 3
	h.Store(&v)
	require.Same(t, &v, h.Load())
	h.Store(nil)
	require.Nil(t, h.Load())
}

// A hidden lock excludes as a plain one does. The detector does not see that, so what it protects
// is touched by functions that are hidden, too.
func TestHiddenMutexExcludes(t *testing.T) {
	var h hiddenSum
	all(4, func(int) {
		for range rounds {
			h.mu.Lock()
			h.inc()
			h.mu.Unlock()
		}
	})
	require.Equal(t, 4*rounds, h.get())
}

// TryLock takes a hidden lock that is free, and no other.
func TestHiddenMutexIsTriedOnlyWhenFree(t *testing.T) {
	var m atom.HiddenMutex
	require.True(t, m.TryLock())
	require.False(t, m.TryLock())
	m.Unlock()
	require.True(t, m.TryLock())
	m.Unlock()
}

type hiddenSum struct {
	mu atom.HiddenMutex
	n  int
}

//go:norace
func (h *hiddenSum) inc() { h.n++ }

//go:norace
func (h *hiddenSum) get() int { return h.n }

// Waiting on a hidden lock's condition gives the lock up and takes it again.
func TestHiddenCond(t *testing.T) {
	var h hiddenSum
	c := atom.NewCond(&h.mu)
	const waiters = 4
	all(waiters+1, func(i int) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if i == waiters {
			h.inc()
			atom.Broadcast(c)
			return
		}
		for h.get() == 0 {
			atom.Wait(c)
		}
	})
	require.Equal(t, 1, h.get())
}

// Acquire and ReleaseMerge show the race detector an order that hidden synchronisation keeps:
// without them this test is a race in builds that look for one.
func TestShownEdgesOrder(t *testing.T) {
	var (
		edge  byte
		ready atom.HiddenUint32
		data  int
	)
	all(2, func(i int) {
		if i == 0 {
			data = 5
			atom.ReleaseMerge(unsafe.Pointer(&edge))
			ready.Store(1)
			return
		}
		for ready.Load() == 0 {
			atom.Hide()
			atom.Yield()
			atom.Show()
		}
		atom.Acquire(unsafe.Pointer(&edge))
		if data != 5 {
			t.Error("the store was not seen")
		}
	})
}

// Declaring a range is for the detector alone; an empty one declares nothing.
func TestDeclaredRanges(t *testing.T) {
	s := []int64{1, 2, 3}
	atom.ReadRange(unsafe.Pointer(&s[0]), len(s)*8)
	atom.WriteRange(unsafe.Pointer(&s[0]), len(s)*8)
	atom.ReadRange(unsafe.Pointer(&s[0]), 0)
	atom.WriteRange(unsafe.Pointer(&s[0]), 0)
	require.Equal(t, []int64{1, 2, 3}, s)
}

// Hide and Show nest.
func TestHideNests(t *testing.T) {
	atom.Hide()
	atom.Hide()
	atom.Show()
	atom.Show()
	var n atom.Int64
	all(2, func(int) { n.Add(1) })
	require.EqualValues(t, 2, n.Load())
}

// A look at a Stamp beside its changes is no race and shows a value that it had.
func TestStampShowsAValueItHad(t *testing.T) {
	var s atom.Stamp
	require.Zero(t, s.Load())
	all(3, func(i int) {
		if i == 0 {
			for v := range uintptr(rounds) {
				s.Store(v | v<<16)
			}
			return
		}
		for range rounds {
			if v := s.Load(); v&0xffff != v>>16 {
				t.Errorf("torn: %x", v)
			}
		}
	})
	require.EqualValues(t, (rounds-1)|(rounds-1)<<16, s.Load())
}

// 64-bit atomics are aligned wherever they stand, on 32-bit machines too.
func TestAlignment(t *testing.T) {
	var s struct {
		_ uint32
		a atom.Int64
		_ uint32
		b atom.HiddenUint64
		_ uint32
		c atom.HiddenInt64
	}
	require.Zero(t, uintptr(unsafe.Pointer(&s.a))%8)
	require.Zero(t, uintptr(unsafe.Pointer(&s.b))%8)
	require.Zero(t, uintptr(unsafe.Pointer(&s.c))%8)
}
