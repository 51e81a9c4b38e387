package lane

import (
	"fmt"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// holder is a container that lends.
type holder[T any] struct {
	lanes Lanes[T]
	items []T
	lay   int // how many runs lay where they belong
}

// add is what a loop does to it.
func (h *holder[T]) add(s Items[T]) {
	n := len(h.items)
	grown := h.items
	if cap(grown)-n < s.Len() {
		grown = append(make([]T, 0, n+s.Len()), grown...)
	}
	for _, piece := range s.Slices(0, min(1, s.Len())) {
		if &piece[0] == &grown[n : n+1][0] {
			h.lay++
		}
	}
	h.items = grown[:n+s.Len()]
	s.CopyTo(h.items[n:])
}

// check runs the loop on a container of some items and some room, and says what is wrong with its
// items then.
func (h *holder[T]) check(of func(int) T, is func(T) int, p loop, have, room int) (wrong string) {
	h.items = make([]T, have, have+room)
	for i := range have {
		h.items[i] = of(-2 - i)
	}
	h.lanes.Lend(h.items)
	var want []int
	if wrong := modelOf(&h.lanes, of, p, func(s Items[T], w []int) string {
		want = w
		h.add(s)
		return ""
	}); wrong != "" {
		return wrong
	}
	for i, v := range h.items {
		switch {
		case i < have && is(v) != -2-i:
			return fmt.Sprintf("item %d of before is %d", i, is(v))
		case i >= have && is(v) != want[i-have]:
			return fmt.Sprintf("item %d is %d, expected %d", i-have, is(v), want[i-have])
		}
	}
	if len(h.items) != have+len(want) {
		return fmt.Sprintf("there are %d items, expected %d", len(h.items), have+len(want))
	}
	return ""
}

// What lies where it belongs is what would have been copied there, whichever worker ran which
// batches, however much room there was, and whichever batches failed. Nothing is kept alive behind
// it.
func TestTheDestinationHasTheFirstItems(t *testing.T) {
	words, pointers, wides := new(holder[int]), new(holder[*int]), new(holder[wide])
	law := func(most int, f func(p loop, have, room int) string) {
		lawtest.Check(t, lawtest.Parameters(t, 300), "lent", prop.ForAll(
			func(batches, workers, most, fails, have, room int, seed uint64) string {
				return f(loop{batches, workers, most, fails, seed}, have, room)
			},
			gen.IntRange(0, 60), gen.IntRange(1, 4), gen.IntRange(0, most), gen.IntRange(0, 2), gen.IntRange(0, 3), gen.IntRange(0, 30*most), gen.UInt64(),
		))
	}
	law(200, func(p loop, have, room int) string {
		return words.check(func(i int) int { return i }, func(v int) int { return v }, p, have, room)
	})
	law(200, func(p loop, have, room int) string {
		h := pointers
		if wrong := h.check(func(i int) *int { return &i }, func(v *int) int { return *v }, p, have, room); wrong != "" {
			return wrong
		}
		for i, v := range h.items[len(h.items):cap(h.items)] {
			if v != nil {
				return fmt.Sprintf("%d items behind the last one lies %d", i, *v)
			}
		}
		return ""
	})
	law(30, func(p loop, have, room int) string {
		return wides.check(func(i int) wide { return wide{n: i} }, func(v wide) int { return v.n }, p, have, room)
	})
	if !atom.Race {
		for _, n := range []int{words.lay, pointers.lay, wides.lay} {
			require.Greater(t, n, lawtest.Rounds(300)/6, "many loops begin in what was lent")
		}
	}
}

// What a loop of one worker appends is not copied at all.
func TestALoneWorkerCopiesNothing(t *testing.T) {
	if atom.Race {
		t.Skip("nothing is lent to the detector's engine")
	}
	h := holder[int]{items: make([]int, 1, 100_000)}
	h.lanes.Lend(h.items)
	p := &safety.Phase{Mode: safety.Append, Workers: 1, Batches: 2, Kept: 2, Parallel: once}
	h.lanes.Open(p)
	h.lanes.Lend(make([]int, 0, 10)) // too late
	l := h.lanes.Lane(0)
	l.BeginSpan(0)
	for i := range 50_000 {
		l.Append(nil, i)
	}
	before := h.items[1 : 1+50_000 : 1+50_000]
	require.Equal(t, 49_999, before[49_999], "it is there before the seal")
	h.lanes.Seal(p, func(s Items[int]) {
		for _, piece := range s.Slices(0, s.Len()) {
			require.Same(t, &h.items[:2][1], &piece[0])
			require.Len(t, piece, s.Len())
		}
		h.add(s)
	})
	require.Same(t, &before[0], &h.items[1])
	require.Len(t, h.items, 50_001)
}

// A container that lends memory cannot take it over, too.
func TestWhatIsLentIsNotTaken(t *testing.T) {
	if atom.Race {
		t.Skip("nothing is lent to the detector's engine")
	}
	var ls Lanes[int]
	ls.Lend(make([]int, 0, 10))
	p := &safety.Phase{Mode: safety.Append, Workers: 1, Batches: 1, Kept: 1, Parallel: once}
	ls.Open(p)
	ls.Lane(0).BeginSpan(0)
	ls.Lane(0).Append(nil, 1)
	v := lawtest.Violation(t, func() error { ls.Seal(p, func(s Items[int]) { s.Take() }); return nil })
	require.ErrorIs(t, v, safety.ErrArgument)
	require.False(t, field(&ls.of, "open").Bool())
	require.True(t, field(&ls.of, "dest").IsZero())
}

// What has no size needs no room.
func TestNothingIsLentForWhatHasNoSize(t *testing.T) {
	h := holder[struct{}]{items: make([]struct{}, 0, 10)}
	h.lanes.Lend(h.items)
	require.True(t, field(&h.lanes.of, "dest").IsZero())
	require.Empty(t, modelOf(&h.lanes, func(int) struct{} { return struct{}{} }, loop{20, 2, 5, 0, 1}, func(s Items[struct{}], want []int) string {
		h.add(s)
		require.Len(t, h.items, len(want))
		return ""
	}))
}

// A worker that took the buffer of batch 0 and appended nothing clears no item of another worker.
func TestAnUnusedBufferClearsNothingOfOthers(t *testing.T) {
	h := holder[*int]{items: make([]*int, 0, 10)}
	h.lanes.Lend(h.items)
	p := &safety.Phase{Mode: safety.Append, Workers: 2, Batches: 2, Kept: 2, Parallel: once}
	h.lanes.Open(p)
	h.lanes.Lane(0).BeginSpan(0)
	h.lanes.Lane(0).AppendAll(nil, h.lanes.Lane(0).AvailableBuffer(nil))
	h.lanes.Lane(1).BeginSpan(1)
	h.lanes.Lane(1).Append(nil, new(int))
	h.lanes.Seal(p, h.add)
	require.Len(t, h.items, 1)
	require.NotNil(t, h.items[0])
}

// What a container has copied stays, however often it copies.
func TestTwoCopiesOfWhatIsLent(t *testing.T) {
	data := make([]*int, 0, 10)
	var ls Lanes[*int]
	ls.Lend(data)
	p := &safety.Phase{Mode: safety.Append, Workers: 1, Batches: 1, Kept: 1, Parallel: once}
	ls.Open(p)
	ls.Lane(0).BeginSpan(0)
	for range 4 {
		ls.Lane(0).Append(nil, new(int))
	}
	ls.Seal(p, func(s Items[*int]) {
		data = data[:s.Len()]
		s.CopyTo(data)
		s.CopyTo(data[:1])
	})
	require.NotContains(t, data, (*int)(nil))
}
