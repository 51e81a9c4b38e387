package queue_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// An end of an SPSC can be used after an operation at it was refused: nothing is under way there.
func TestAnEndCanBeUsedAfterARefusal(t *testing.T) {
	for name, refused := range map[string]func(p *queue.Producer[int], c *queue.Consumer[int]){
		"Reserve": func(p *queue.Producer[int], _ *queue.Consumer[int]) { p.Reserve(-1) },
		"Commit":  func(p *queue.Producer[int], _ *queue.Consumer[int]) { p.Commit(3) },
		"Look":    func(_ *queue.Producer[int], c *queue.Consumer[int]) { c.Look(-1) },
		"Release": func(_ *queue.Producer[int], c *queue.Consumer[int]) { c.Release(3) },
	} {
		t.Run(name, func(t *testing.T) {
			q := queue.NewSPSC[int](4)
			lawtest.Violation(t, func() error { refused(q.Producer(), q.Consumer()); return nil })
			require.NotPanics(t, func() {
				require.True(t, q.Producer().TryEnqueue(1))
				_, ok := q.Consumer().TryDequeue()
				require.True(t, ok)
			})
		})
	}
}

// A capacity that memory can hold is none too large, on machines of 32 bits too; one that no memory
// can hold is refused with a violation.
func TestCapacitiesNearWhatMemoryCanHold(t *testing.T) {
	require.NotPanics(t, func() {
		queue.NewRing[int](1 << 22)
		queue.NewSPSC[int](1 << 22)
	})
	if strconv.IntSize == 32 {
		return
	}
	bits := 47
	for ; bits < 63; bits++ {
		for _, fresh := range []func(){func() { queue.NewRing[int](1 << bits) }, func() { queue.NewSPSC[int](1 << bits) }} {
			v := lawtest.Violation(t, func() error { fresh(); return nil })
			require.ErrorIs(t, v, safety.ErrLength)
		}
	}
}

// A window is of no use when the queue was disposed of.
func TestAWindowEndsWithItsQueue(t *testing.T) {
	lawtest.CheckedOnly(t)
	q := queue.NewSPSC[int](4)
	w := q.Producer().Reserve(2)
	q.Dispose()
	lawtest.Violation(t, func() error { w.Slices(); return nil })
}
