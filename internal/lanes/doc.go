// Package lanes is package lane without the types of items. Containers of this module have Lanes,
// whose methods their users' programs do not compile again for each type.
//
// Terms: a lane has what one worker appends in one phase. A span is what a worker appends in a
// maximal sequence of neighbouring batches (see [safety.SpanView]). A lane has its spans in the
// order in which its worker ran them. A chunk is a block of memory of a lane. A piece is the part
// of a span in one chunk. The destination is memory that the container lends for its first items
// (see [Lanes.Lend]). A span counts if its first batch is a kept one (see Kept in [safety.Phase]).
//
// # Invariants
//
//	(I1) Between Open and Seal only its worker uses a lane. All batches happen after Open and
//	     before Seal. A nested job's Seal uses it while the batch that scheduled the job waits:
//	     strict builds report one that appends instead.
//	(I2) Items do not move within a phase. Every chunk before the current one is full. So the
//	     place where a span begins is also where the span before it ends.
//	(I3) No two spans have the same first batch, and the first batches order the spans. The spans
//	     that count hold exactly what the sequential loop appends, also when a batch fails.
//	(I4) Outside phases no chunk holds an item that keeps memory alive.
//	(I5) No two lanes share a cache line, nor do their chunks.
//	(I6) Functions that write to a lane or its chunks are marked go:norace. The race detector
//	     sees no order between the batches of one worker and would report their writes. It sees
//	     the accesses of users: reads of slices that are appended, writes to the memory that items
//	     are copied to, and two goroutines that append in one batch.
//	(I7) Only the span that begins with batch 0 has items in the destination, from its start and
//	     without gaps. If they count they are the first of the sequential loop, so they lie where
//	     they are to be copied.
//
// The package has no atomic operations: the job orders everything. An Append in a batch happens
// before the Seal of the job.
//
// Map: lanes.go Lanes, the lanes of one phase; lane.go Lane; items.go Items, the contents of the
// lanes at the seal; destination.go memory of the container in which items have their final place;
// chunk.go the sizes of chunks, and their reuse; faces.go functions of items of a type.
package lanes
