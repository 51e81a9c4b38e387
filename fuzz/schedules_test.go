//go:build custody_explore

package fuzz

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore/ring"
	"example.com/custody/internal/sched"
	"example.com/custody/safety/atom"
)

// ringOf returns rings with a fault as the suite sees them.
func ringOf(f ring.Fault) func(capacity int) QueueOf {
	return func(capacity int) QueueOf {
		r := ring.New(capacity, f)
		return QueueOf{
			TryEnqueue: func(x *Item) bool { return r.TryEnqueue(x.ID) },
			TryDequeue: func() (*Item, bool) {
				v, ok := r.TryDequeue()
				return &Item{ID: v}, ok
			},
			Len: r.Len,
		}
	}
}

// scheduledRing runs drawn programs on rings in many schedules.
func scheduledRing(t *testing.T, f ring.Fault) *recorder {
	t.Helper()
	r := &recorder{TB: t}
	s := settingsOf([]Option{Bounded, Linearizable, Capacity(1, 2), Seed(1)})
	r.run(func() { newQueueSuite(r, ringOf(f), s).scheduled()(r) })
	return r
}

func TestExploreProgramsOnARing(t *testing.T) {
	r := scheduledRing(t, ring.None)
	require.False(t, r.failed, r.text())
}

// A fault that only schedules bring out shrinks to a program of a handful of operations.
func TestExploreProgramsShrinkFaults(t *testing.T) {
	if sched.Race {
		t.Skip("the race detector reports some of the faults, and that fails the test")
	}
	for f, most := range map[ring.Fault]int{
		ring.EmptyOnLostCAS: 5, ring.FullOnLostCAS: 5, ring.LenNegative: 4, ring.FullMidRelease: 5, ring.EmptyMidPublish: 5,
		ring.HeadLoadStore: 5, ring.TailLoadStore: 4, ring.DropOnLostCAS: 4,
	} {
		t.Run(f.String(), func(t *testing.T) {
			r := scheduledRing(t, f)
			require.True(t, r.failed, "the fault was not found")
			text := r.text()
			_, arg, ok := strings.Cut(text, "ARG_1: ")
			require.True(t, ok, text)
			arg, _, _ = strings.Cut(arg, "\n")
			ops := len(strings.Fields(arg))
			t.Logf("%d operations: %s", ops, arg)
			require.LessOrEqual(t, ops, most, text)
		})
	}
}

// hasty is a queue with one place, whose producer gives the place to the consumer before it writes.
type hasty struct {
	full atom.Bool
	item *Item
}

func (h *hasty) put(v *Item) bool {
	if h.full.Load() {
		return false
	}
	h.full.Store(true)
	atom.Writes(&h.item)
	h.item = v
	return true
}

func (h *hasty) take() (*Item, bool) {
	if !h.full.Load() {
		return nil, false
	}
	atom.Reads(&h.item)
	v := h.item
	h.full.Store(false)
	return v, true
}

// A plain access that no edge orders is found without the race detector.
func TestExploreProgramsTakePlainAccessesApart(t *testing.T) {
	if sched.Race {
		t.Skip("it is a race")
	}
	r := &recorder{TB: t}
	s := settingsOf([]Option{SPSC, Bounded, Linearizable, Capacity(1), Seed(1)})
	r.run(func() {
		newQueueSuite(r, func(int) QueueOf {
			h := new(hasty)
			return QueueOf{TryEnqueue: h.put, TryDequeue: h.take}
		}, s).scheduled()(r)
	})
	require.True(t, r.failed)
	require.Contains(t, r.text(), "fuzz.(*hasty).put")
}
