package counter

import (
	"iter"
	"math"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// HistogramParallelWriter is a view through which the batches of a parallel loop add to any bin of
// a [Histogram]. Each worker adds plainly to a block of its own; the blocks are added to the
// histogram when the job is sealed. If a batch fails, the histogram gets exactly what the
// sequential loop adds before it fails. The view works only inside the job that carries it; Adds of
// the Histogram stay legal beside it.
//
// Cost: a bounds test and an addition in memory. [CountAll] takes the time of a loop over an array
// of one's own, and a loop that calls Add a fifth more.
//
// Add: lane; wait-free; O(1); allocates never.
// Len: constant; wait-free; O(1); allocates never.
type HistogramParallelWriter struct {
	counts []int64 // the block of the current span; none in an unbound view
	hold
	lane *lane[[]int64]
	bins int
}

// ParallelWriter returns a view that adds from any batch of a loop.
//
// Memory: a block of 8 bytes for each bin, for each worker, and another block each time that a
// worker goes on with a batch that does not follow its last one. The histogram keeps the blocks for
// later loops. It drops most blocks of a worker when the last 32 loops needed less than a quarter
// of them. A loop with less than a quarter as many workers drops all blocks of most workers.
func (h *Histogram) ParallelWriter() HistogramParallelWriter {
	if h == nil {
		return HistogramParallelWriter{}
	}
	return HistogramParallelWriter{hold: h.guard.Hold(safety.Append, (*histogramParallelWriterKind)(nil)), bins: len(h.bins)}
}

// Add adds n to the bin; w.Add(bin, 1) counts one. It is a violation if the bin is outside [0,
// Len), or if the view is not bound, or in strict builds not to the current batch.
//
//go:norace
func (w *HistogramParallelWriter) Add(bin int, n int64) {
	if safety.Strict {
		w.hold.CheckLane()
	}
	if uint(bin) >= uint(len(w.counts)) {
		panic(w.hold.Out(bin))
	}
	w.counts[bin] += n
}

// CountAll adds 1 to the bin of each element of bins, in all else as so many calls of
// [HistogramParallelWriter.Add].
//
//go:norace
func CountAll[K integer](w *HistogramParallelWriter, bins []K) {
	if safety.Strict {
		w.hold.CheckLane()
	}
	atom.ReadSlice(bins)
	counts := w.counts // in registers, where each Add would load it again
	for _, bin := range bins {
		if uint64(bin) >= uint64(len(counts)) {
			i := int(bin)
			if bin > 0 {
				i = int(min(uint64(bin), math.MaxInt))
			}
			panic(w.hold.Out(i))
		}
		counts[bin]++
	}
}

// integer is a type of numbers of bins.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Len returns the number of bins.
func (w *HistogramParallelWriter) Len() int {
	quiet.MustBeUsable(&w.hold)
	return w.bins
}

// histogramParallelWriterKind has the methods of a HistogramParallelWriter that drivers call.
type histogramParallelWriterKind HistogramParallelWriter

// Of implements safety.ViewKind.
func (*histogramParallelWriterKind) Of(view any, _ *safety.Hold) safety.Binder {
	return (*histogramParallelWriterKind)(view.(*HistogramParallelWriter))
}

// Window returns the indices that the view may touch and the length, for texts.
func (w *histogramParallelWriterKind) Window() (begin, end, length int) { return 0, w.bins, w.bins }

// Claim completes the claim.
func (w *histogramParallelWriterKind) Claim(c *safety.Claim) { c.Into = w.lane }

// Bind implements safety.Binder.
//
//go:norace
func (w *histogramParallelWriterKind) Bind(b safety.Binding) {
	w.hold.Bind(b)
	if s, ok := b.State().(*blocks); ok { // otherwise only its length is needed, before the job starts
		w.lane = s.of(b.Worker())
		w.counts = w.lane.part
	}
}

// BeginSpan implements safety.SpanView.
//
//go:norace
func (w *histogramParallelWriterKind) BeginSpan(batch int) {
	if spare, ok := w.lane.begin(batch); ok {
		if spare == nil {
			spare = block(w.bins)
		}
		w.lane.part = spare
	}
	w.counts = w.lane.part
}

// HistogramWriter is a view through which a job reads and changes the bins that its indices own:
// index i owns bin i, and a single job all bins. It is for loops over the bins, such as merging and
// scaling. It works only inside the job that carries it. If a body passes it on, it is a view of
// the bins that the batch owns, and the first of them is bin 0.
//
// Add, At, Set: own batch; wait-free; O(1); allocates never.
// Len: constant; wait-free; O(1); allocates never.
type HistogramWriter struct {
	hold
	begin int
	s     []atom.Int64 // the batch's bins, from begin on; none in an unbound view
	base  []atom.Int64 // the bins, or those of the batch that passed the view on
}

// Writer returns a view of the bins that the current batch's indices own, for single jobs and for
// loops of at most Len indices. A loop that adds to any bin takes a ParallelWriter.
func (h *Histogram) Writer() HistogramWriter {
	if h == nil {
		return HistogramWriter{}
	}
	return HistogramWriter{hold: h.guard.Hold(safety.Write, (*histogramWriterKind)(nil)), base: h.bins}
}

// At returns the count of the bin. It is a violation, as in all methods, if the current batch does
// not own the bin.
func (w *HistogramWriter) At(bin int) int64 { return w.bin(bin).Load() }

// Set makes the count of the bin n.
func (w *HistogramWriter) Set(bin int, n int64) { w.bin(bin).Store(n) }

// Add adds n to the bin.
func (w *HistogramWriter) Add(bin int, n int64) { w.bin(bin).Add(n) }

// Len returns the number of indices that a loop over the view may have. It does not depend on the
// batch.
func (w *HistogramWriter) Len() int {
	quiet.MustBeUsable(&w.hold)
	return len(w.base)
}

// bin returns bin i.
func (w *HistogramWriter) bin(i int) *atom.Int64 {
	if safety.Strict {
		w.hold.Check()
	}
	k := uint(i - w.begin)
	if k >= uint(len(w.s)) {
		panic(w.hold.Out(i))
	}
	return &w.s[k]
}

// histogramWriterKind has the methods of a HistogramWriter that drivers call.
type histogramWriterKind HistogramWriter

// Of implements safety.ViewKind.
func (*histogramWriterKind) Of(view any, _ *safety.Hold) safety.Binder {
	return (*histogramWriterKind)(view.(*HistogramWriter))
}

// Claim completes the claim.
func (w *histogramWriterKind) Claim(c *safety.Claim) {
	c.Ranged, c.Extent = true, len(w.base)
	if w.hold.Bound() {
		c.Extent = len(w.s)
	}
}

// Bind implements safety.Binder.
func (w *histogramWriterKind) Bind(b safety.Binding) {
	if w.hold.Bound() {
		w.base = w.s
	}
	w.hold.Bind(b)
	w.s, w.begin = nil, 0
}

// SetRange implements safety.RangeView.
func (w *histogramWriterKind) SetRange(begin, end int) {
	w.s, w.begin = w.base[begin:end:end], begin
}

// Elsewhere returns the advice of a violation by a bin that the batch does not own.
func (w *histogramWriterKind) Elsewhere() string {
	return "A parallel loop may touch only the bins of its own indices through a Writer. To read others take a Reader() of another histogram; to count in any bin take a ParallelWriter()."
}

// Window implements safety.RangeView.
func (w *histogramWriterKind) Window() (begin, end, length int) {
	return w.begin, w.begin + len(w.s), len(w.base)
}

// HistogramReader is a view through which jobs read a [Histogram] that no job changes meanwhile.
//
// At, Len: job reads; wait-free; O(1); allocates never.
// Total, All: job reads; wait-free; O(bins); allocates never.
// Counts: job reads; wait-free; O(bins); allocates one, if dst is short.
type HistogramReader struct {
	held[Histogram] `custody:"part"`
}

// Reader returns a view that reads all bins.
func (h *Histogram) Reader() HistogramReader {
	if h == nil {
		return HistogramReader{}
	}
	return HistogramReader{held[Histogram]{hold: h.guard.Hold(safety.Read, (*histogramReaderKind)(nil)), of: h}}
}

// At returns the count of the bin. It is a violation if the bin is outside [0, Len) or, as in all
// methods, outside the batch that the view is bound to.
func (r *HistogramReader) At(bin int) int64 {
	h := r.use()
	if uint(bin) >= uint(len(h.bins)) {
		panic(r.hold.Out(bin))
	}
	return h.bins[bin].Load()
}

// Len returns the number of bins.
func (r *HistogramReader) Len() int { return len(r.use().bins) }

// Total returns the sum of all counts.
func (r *HistogramReader) Total() int64 { return sumOf(r.use().bins) }

// Counts stores the Len counts in dst, or in a new slice if it is too short, and returns them.
func (r *HistogramReader) Counts(dst []int64) []int64 { return counts(r.use().bins, dst) }

// All returns an iterator over the bins and their counts.
func (r *HistogramReader) All() iter.Seq2[int, int64] {
	return func(yield func(int, int64) bool) {
		for i := range r.use().bins {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// histogramReaderKind has the method of a HistogramReader that violations call.
type histogramReaderKind HistogramReader

// Of implements safety.ViewKind.
func (*histogramReaderKind) Of(view any, _ *safety.Hold) safety.Binder {
	return (*histogramReaderKind)(view.(*HistogramReader))
}

// Window returns the indices that the view may touch and the length, for texts.
func (r *histogramReaderKind) Window() (begin, end, length int) {
	return 0, len(r.of.bins), len(r.of.bins)
}
