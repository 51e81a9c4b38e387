package lane_test

import (
	"fmt"

	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Bag is a container of numbers that can only grow.
type Bag struct {
	guard safety.Guard
	items []int
	lanes lane.Lanes[int]
}

func NewBag(opts ...safety.Option) *Bag {
	b := new(Bag)
	b.guard.Init(b, 0, opts...)
	return b
}

// Slice is for use outside jobs.
func (b *Bag) Slice() []int {
	b.guard.CheckRead()
	return b.items
}

// ParallelWriter returns a view that puts items in from any batch of a loop.
func (b *Bag) ParallelWriter() BagWriter {
	return BagWriter{Hold: b.guard.Hold(safety.Append, nil)}
}

// OpenPhase, SealPhase and add are all that the container does about parallel loops.
func (b *Bag) OpenPhase(p *safety.Phase) { b.lanes.Open(p) }

func (b *Bag) SealPhase(p *safety.Phase) { b.lanes.Seal(p, b.add) }

func (b *Bag) add(added lane.Items[int]) {
	for _, piece := range added.Slices(0, added.Len()) {
		b.items = append(b.items, piece...)
	}
}

// BagWriter is the view.
type BagWriter struct {
	lane *lane.Lane[int] // nil while the view is not bound
	safety.Hold
}

// Put puts v in.
func (w *BagWriter) Put(v int) { w.lane.Append(&w.Hold, v) }

// PutAll puts all of vs in.
func (w *BagWriter) PutAll(vs []int) { w.lane.AppendAll(&w.Hold, vs) }

// Claim completes the claim.
func (w *BagWriter) Claim(c *safety.Claim) {
	c.Into = w.lane
}

func (w *BagWriter) Bind(b safety.Binding) {
	w.Hold.Bind(b)
	w.lane = lane.Of[int](b)
}

func (w *BagWriter) BeginSpan(batch int) { w.lane.BeginSpan(batch) }

// A container of one's own whose items are in the order of the sequential loop, whatever the
// workers do.
func ExampleLanes() {
	squares := NewBag()
	parallelfor.For(10_000, squares.ParallelWriter(), func(w *BagWriter, i int) {
		if i%1000 < 2 {
			w.Put(i * i)
		}
	})
	fmt.Println(len(squares.Slice()), squares.Slice()[:6])
	// Output: 20 [0 1 1000000 1002001 4000000 4004001]
}

// Filtered is a job that keeps some of the indices: the lane is part of a view, and the view of the
// job.
type Filtered struct{ Out BagWriter }

func (f *Filtered) Execute(i int) {
	if i%7 == 0 {
		f.Out.Put(i)
	}
}

// A view takes the worker's lane when it is bound, see BagWriter.Bind above.
func ExampleOf() {
	kept := NewBag()
	parallelfor.For(30, Filtered{Out: kept.ParallelWriter()}, (*Filtered).Execute, parallelfor.Batch(4))
	fmt.Println(kept.Slice())
	// Output: [0 7 14 21 28]
}

// Items can be looked at, copied, or taken over as slices, in the order of the sequential loop.
func ExampleItems() {
	var lanes lane.Lanes[string]
	p := safety.Phase{Mode: safety.Append, Workers: 2, N: 4, Batches: 4, BatchSize: 1, Kept: 3}
	lanes.Open(&p)
	lanes.Lane(1).BeginSpan(1) // worker 1 takes batches 1 and 2, the last of which fails on its way
	lanes.Lane(1).AppendAll(nil, []string{"b", "c"})
	lanes.Lane(0).BeginSpan(0)
	lanes.Lane(0).Append(nil, "a")
	lanes.Lane(0).BeginSpan(3) // does not count, because batch 2 failed
	lanes.Lane(0).Append(nil, "d")
	lanes.Seal(&p, func(added lane.Items[string]) {
		all := make([]string, added.Len())
		fmt.Println(added.CopyTo(all), all)
		for at, piece := range added.Take() {
			fmt.Println(at, piece)
		}
	})
	// Output:
	// 3 [a b c]
	// 0 [a]
	// 1 [b c]
}

// bags has memory for all bags. A package that has a generic container keeps one for each type that
// it is used with.
var bags lane.Lanes[int]

// Containers that a program makes, fills with large loops and throws away use the same memory one
// after the other.
func ExampleLanes_Share() {
	for range 3 {
		squares := NewBag()
		squares.lanes.Share(&bags) // which a constructor does
		parallelfor.For(1_000_000, squares.ParallelWriter(), func(w *BagWriter, i int) { w.Put(i * i) })
		fmt.Println(len(squares.Slice()))
	}
	// Output:
	// 1000000
	// 1000000
	// 1000000
}
