// Package lane is how a parallel loop appends in the order of the sequential loop.
//
// Every parallel writer that keeps an order stands on it: each worker of a job appends plainly to a lane
// of its own, with no atomic and no lock, and when the job is sealed what all of them appended is put
// into the order in which the sequential loop appends it. It is for authors of containers, who get it with
// three calls; the loops that use their containers never see it.
//
//	func (c *Bag) OpenPhase(p *safety.Phase) { c.lanes.Open(p) }
//	func (c *Bag) SealPhase(p *safety.Phase) { c.lanes.Seal(p, c.add) } // c.add gets the items, in order
//
//	func (w *Writer) Claim(c *safety.Claim) { c.Into = w.lane }
//	func (w *Writer) Bind(b safety.Binding) { w.hold.Bind(b); w.lane = lane.Of[int](b) }
//	func (w *Writer) BeginSpan(batch int)     { w.lane.BeginSpan(batch) }
//	func (w *Writer) Put(v int)             { w.lane.Append(&w.hold, v) }
//
// What each method guarantees, whom it may wait for and what it allocates: docs/consistency.md#lane.
//
// Terms: a lane is what one worker appends in one phase. A run is what a worker appends in a maximal
// sequence of neighbouring batches (see safety.SpanView); a lane has its runs in the order in which the worker
// came to them. A chunk is a block of memory of a lane; a piece is the part of a run that lies in one chunk.
// A run counts when it begins below the number of kept batches (see safety.Phase).
//
// # Invariants
//
//	(I1) Only its worker touches a lane between Open and Seal, which happen before and after all batches; a
//	     nested job's seal is the worker's, too, for the batch that scheduled the job waits for it.
//	(I2) Items never move: a chunk that is full is followed by another one, and every chunk but the last in
//	     use is full. So the places where runs begin say all about them.
//	(I3) Runs are ordered by their first batches, which differ. The runs that count hold exactly what the
//	     sequential loop appends, also when a batch failed on its way.
//	(I4) Outside phases no chunk holds an item that could keep something else alive.
//	(I5) No two lanes share a cache line, nor do their chunks.
//	(I6) The race detector sees no write to a lane or to its chunks, because it sees no order between the
//	     batches of one worker. It sees what users could do wrong: the reading of slices that are appended,
//	     the writing of what items are copied to, and two goroutines that append in one batch.
//	(I7) What a container lends has items of the run that begins with batch 0 alone, from its beginning on without gaps. They are the
//	     first of the sequential loop, if they count, and so lie where they are to be copied.
//
// There is nothing atomic here; all order comes from the job. What happens before an Append in a batch happens before
// the seal of the job.
//
// Map: lanes.go Lanes, the lanes of one phase; lane.go Lane; items.go Items, the contents of the
// lanes when they are sealed; partial.go Partial, the partial result of a run; lend.go memory that
// a container lends, where items lie in their final place at once; chunk.go the sizes of chunks,
// and memory that lanes share; string.go the text that %v prints.
package lane
