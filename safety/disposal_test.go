package safety_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// A container that has ended does not keep what it has let go of.
func TestWhatWasLetGoOfIsNotKept(t *testing.T) {
	lawtest.CheckedOnly(t)
	c := newPhased(new(diary), "c")
	k := opened(t, "J", nil, c.claim(safety.Read))
	var gone, let atomic.Bool
	func() {
		data := new([1 << 16]byte)
		runtime.AddCleanup(data, func(*atomic.Bool) { gone.Store(true) }, &gone)
		c.guard.DisposeAfter(handle{k}, func() { let.Store(data[0] == 0) })
	}()
	completed(k)
	require.True(t, let.Load())
	lawtest.Happens(t, "the container keeps nothing", gone.Load)
	runtime.KeepAlive(c)
	runtime.KeepAlive(k)
}

// Unchecked builds, which keep no records, know how many jobs write a container, also when these
// come and go at the same time.
func TestUncheckedBuildCountsWritersThatComeTogether(t *testing.T) {
	lawtest.UncheckedOnly(t)
	c := newPhased(new(diary), "c")
	first := opened(t, "first", nil, c.claim(safety.Append))
	many := make([]safety.Claim, 64) // so that much of the time is spent on counting
	for i := range many {
		many[i] = c.claim(safety.Append)
	}
	var both sync.WaitGroup
	for range 4 {
		both.Go(func() {
			for range 10_000 {
				k := newTicket("J", nil, many...)
				k.Called = true
				if k.Open(safety.CurrentScope(), 0, false) == nil {
					k.Return()
				}
			}
		})
	}
	both.Wait()
	require.Zero(t, c.plainWord, "it was given back while the first job had it")
	completed(first)
	require.Equal(t, 1, c.plainWord)
}
