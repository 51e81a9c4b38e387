//go:build !race && !custody_explore

package guarantees_test

import (
	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// bag is a container that jobs append to.
type bag struct {
	guard safety.Guard
	lanes lane.Lanes[int]
	shown func(items lane.Items[int])
}

func newBag() *bag {
	b := &bag{shown: func(lane.Items[int]) {}}
	b.guard.Init(b, 0)
	return b
}

// OpenPhase implements safety.Phased.
func (b *bag) OpenPhase(p *safety.Phase) { b.lanes.Open(p) }

// SealPhase implements safety.Phased.
func (b *bag) SealPhase(p *safety.Phase) { b.lanes.Seal(p, b.shown) }

// bagWriter is a view of a bag.
type bagWriter struct {
	safety.Hold
	bound safety.Binding
	lane  *lane.Lane[int]
}

func (b *bag) writer() bagWriter { return bagWriter{Hold: b.guard.Hold(safety.Append, nil)} }

// Claim completes the claim.
func (w *bagWriter) Claim(c *safety.Claim) {
	c.Into = w.lane
}

// Bind implements safety.Binder.
func (w *bagWriter) Bind(b safety.Binding) {
	w.Hold.Bind(b)
	w.bound, w.lane = b, lane.Of[int](b)
}

// BeginSpan implements safety.SpanView.
func (w *bagWriter) BeginSpan(cell int) { w.lane.BeginSpan(cell) }

// countLanes counts the rows of package lane.
func countLanes(c *counted) {
	parallelfor.Do(newBag().writer(), func(w *bagWriter) {
		of := c.of("lane.Lane")
		w.lane.Append(&w.Hold, 1)
		of("TryAppend", func() { used(w.lane.TryAppend(1)) })
		of("Last, Len", func() { used(w.lane.Last()); used(w.lane.Len()) })
		c.of("lane")("Of", func() { used(lane.Of[int](w.bound)) })
	})
	var ls lane.Lanes[int]
	all := c.of("lane.Lanes")
	vs := ints()
	add := func(lane.Items[int]) {}
	p := &safety.Phase{Mode: safety.Append, Workers: 1, N: 1, Batches: 1, BatchSize: 1, Parallel: inline}
	phase := func() {
		p.State, p.Kept = nil, 1
		ls.Open(p)
		l := ls.Lane(0)
		l.BeginSpan(0)
		for range 1000 {
			l.AppendAll(nil, vs)
		}
		ls.Seal(p, add)
	}
	all("Lane, Seal", phase)
	add = func(items lane.Items[int]) {
		of := c.of("lane.Items")
		of("Len", func() { used(items.Len()) })
		of("Slices", func() {
			for range items.Slices(10, 5000) {
			}
		})
		dst := make([]int, items.Len())
		of("CopyTo", func() { used(items.CopyTo(dst)) })
	}
	phase()
	piece := ints()
	all("Reuse", func() { ls.Reuse(piece) })
	all("Lend", func() { ls.Lend(piece[:0]) })
	all("Bytes", func() { used(ls.Bytes()) })
	all("Trim", func() { ls.Trim() })
	all("Share", each(func() *lane.Lanes[int] { return new(lane.Lanes[int]) }, func(ls *lane.Lanes[int]) { ls.Share(nil) }))
}
