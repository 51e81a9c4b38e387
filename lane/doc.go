// Package lane appends in parallel, in the order of the sequential loop. It is for authors of
// containers: the library's own views that append in order use it.
//
// Each worker of a job appends to a lane of its own, with no atomic operation and no lock. When the
// job is sealed, the container gets the items of all lanes in the order of the sequential loop.
//
//	func (c *Bag) OpenPhase(p *safety.Phase) { c.lanes.Open(p) }
//	func (c *Bag) SealPhase(p *safety.Phase) { c.lanes.Seal(p, c.add) } // add gets the items
//
//	func (w *Writer) Claim(c *safety.Claim) { c.Into = w.lane }
//	func (w *Writer) Bind(b safety.Binding) { w.hold.Bind(b); w.lane = lane.Of[int](b) }
//	func (w *Writer) BeginSpan(batch int)   { w.lane.BeginSpan(batch) }
//	func (w *Writer) Put(v int)             { w.lane.Append(&w.hold, v) }
//
// Guarantees are in the words of docs/consistency.md. Those of functions:
// Of: driver; wait-free; O(1); allocates never.
//
// A span is what a worker appends in a maximal sequence of neighbouring batches (see
// [safety.SpanView]). It counts if its first batch is a kept one (see Kept in [safety.Phase]).
//
// An Append in a batch happens before the Seal of the job.
//
// Map: lanes.go Lanes, the lanes of one phase; lane.go Lane; items.go Items, the contents of the
// lanes at the seal. Package internal/lanes is what they are without their types.
package lane
