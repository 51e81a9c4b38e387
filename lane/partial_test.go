package lane_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// joined is a container in which each run adds up to a list and the fold concatenates the lists.
// The result depends on the order of the lists, but not on how the batches are grouped.
type joined struct {
	guard safety.Guard
	items []int
	lanes lane.Lanes[[]int]
}

func newJoined() *joined {
	c := new(joined)
	c.guard.Init(c, 0)
	return c
}

func (c *joined) OpenPhase(p *safety.Phase) { c.lanes.Open(p) }
func (c *joined) SealPhase(p *safety.Phase) { c.lanes.Seal(p, c.fold) }

func (c *joined) fold(parts lane.Items[[]int]) {
	for _, piece := range parts.Slices(0, parts.Len()) {
		for _, part := range piece {
			c.items = append(c.items, part...)
		}
	}
}

type joiner struct {
	safety.Hold
	lane *lane.Lane[[]int]
}

func (c *joined) writer() joiner { return joiner{Hold: c.guard.Hold(safety.Append, nil)} }

// add has no go:norace directive, so the race detector sees its accesses.
func (w *joiner) add(v int) {
	p := w.lane.Partial(&w.Hold)
	*p = append(*p, v)
}

// Claim completes the claim.
func (w *joiner) Claim(c *safety.Claim) {
	c.Into = w.lane
}

func (w *joiner) Bind(b safety.Binding) {
	w.Hold.Bind(b)
	w.lane = lane.Of[[]int](b)
}

func (w *joiner) BeginSpan(batch int) { w.lane.BeginSpan(batch) }

// joinLoop runs a loop with nested loops that fails at the index fail, and returns the items of the
// container and the error of the loop. The loop does not fail if fail is outside [0, n).
func joinLoop(n, fail int, opts ...parallelfor.Option) (items []int, err error) {
	c := newJoined()
	c.items = []int{-1}
	err = parallelfor.ForErr(context.Background(), n, c.writer(), func(w *joiner, i int) error {
		w.add(i)
		if i == fail {
			return errFails
		}
		if i%5 == 0 {
			parallelfor.For(i%7, *w, func(w *joiner, k int) { w.add(1000*i + k) }, parallelfor.Batch(2))
		}
		w.add(-i)
		return nil
	}, opts...)
	return c.items, err
}

var errFails = errors.New("this index fails")

func TestPartialResultsAreFoldedInTheOrderOfTheSequentialLoop(t *testing.T) {
	for _, n := range []int{0, 1, 2, 17, 120} {
		for _, fail := range []int{-1, 0, n / 2, n - 1} {
			want, wrong := joinLoop(n, fail, parallelfor.Sequential())
			for _, batch := range []int{1, 3, 16} {
				for _, workers := range []int{1, 2, 5} {
					stop := fuzz.HandOut(uint64(n + workers))
					got, err := joinLoop(n, fail, parallelfor.Batch(batch), parallelfor.Workers(workers))
					stop()
					require.Equal(t, want, got, "n %d, fail %d, batch %d, %d workers", n, fail, batch, workers)
					require.Equal(t, wrong, err)
				}
			}
		}
	}
}

// Partial appends one item in a run, and a phase begins without a partial result.
func TestARunHasOnePartialResult(t *testing.T) {
	c := newJoined()
	for range 3 {
		c.items = nil
		parallelfor.For(100, c.writer(), func(w *joiner, i int) {
			before := w.lane.Len()
			w.add(i)
			w.add(i)
			if w.lane.Len() > before+1 {
				panic("two items")
			}
		}, parallelfor.Sequential())
		require.Len(t, c.items, 200)
	}
}

func TestAPartialResultOfAViewOutsideItsJobIsStale(t *testing.T) {
	c := newJoined()
	w := c.writer()
	text := "" // made while the panic is on the stack, which has the names
	use := func() (err error) {
		defer func() { err, _ = recover().(error); text = err.Error() }()
		w.add(1)
		return nil
	}
	require.ErrorIs(t, use(), safety.ErrStaleView)
	var kept *joiner
	parallelfor.For(1, c.writer(), func(w *joiner, i int) { w.add(i); kept = w })
	w = *kept
	require.ErrorIs(t, use(), safety.ErrStaleView)
	w = joiner{} // as after the job, in the worker's copy
	require.ErrorIs(t, use(), safety.ErrStaleView)
	require.Contains(t, text, "a view was used that was never assigned", "the program has called a method of the view")
	require.Equal(t, []int{0}, c.items)
}
