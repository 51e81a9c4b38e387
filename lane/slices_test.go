package lane_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// sealed is a container that calls a function with what was appended.
type sealed struct {
	guard safety.Guard
	lanes lane.Lanes[int]
	add   func(lane.Items[int])
}

func (c *sealed) OpenPhase(p *safety.Phase) { c.lanes.Open(p) }
func (c *sealed) SealPhase(p *safety.Phase) { c.lanes.Seal(p, c.add) }

// sealedWriter is its view.
type sealedWriter struct {
	lane *lane.Lane[int]
	safety.Hold
}

func (w *sealedWriter) Bind(b safety.Binding) { w.Hold.Bind(b); w.lane = lane.Of[int](b) }
func (w *sealedWriter) BeginSpan(batch int)   { w.lane.BeginSpan(batch) }

// appended calls add with the numbers below n, which batches of 3 have appended.
func appended(n int, add func(lane.Items[int])) {
	c := &sealed{add: add}
	c.guard.Init(c, 0)
	parallelfor.For(n, sealedWriter{Hold: c.guard.Hold(safety.Append, nil)}, func(w *sealedWriter, i int) { w.lane.Append(&w.Hold, i) },
		parallelfor.Batch(3), parallelfor.Workers(3))
}

func TestSlicesOfItemsWithAllBounds(t *testing.T) {
	const n = 300
	wrong := ""
	appended(n, func(added lane.Items[int]) {
		for lo := 0; lo <= n; lo += 7 {
			for hi := lo; hi <= n; hi += 5 {
				next := lo
				for at, piece := range added.Slices(lo, hi) {
					if at != next || len(piece) == 0 || piece[0] != at || piece[len(piece)-1] != at+len(piece)-1 {
						wrong = "a slice is not where it says"
					}
					next += len(piece)
				}
				if next != hi {
					wrong = "not all came"
				}
			}
		}
		times := 0
		for range added.Slices(0, n) {
			times++
			break
		}
		if times != 1 {
			wrong = "it did not stop"
		}
	})
	require.Empty(t, wrong)
}

func TestSlicesOutsideTheItemsAreRefused(t *testing.T) {
	for _, b := range [][2]int{{-1, 0}, {0, 11}} {
		v := lawtest.Violation(t, func() error {
			appended(10, func(added lane.Items[int]) {
				for range added.Slices(b[0], b[1]) {
				}
			})
			return nil
		})
		require.ErrorIs(t, v, safety.ErrArgument)
	}
}
