package counter

import (
	"iter"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// HistogramParallelWriter is a view through which the batches of a parallel loop add to a [Histogram],
// to any bin. Each worker adds plainly to a block of its own; the blocks are added to the histogram
// when the job is sealed. When a batch fails, exactly what the sequential loop would have added by then
// is. It works only inside the job that carries it; ordinary Adds stay legal beside it.
//
// Cost: a bounds test and an addition in memory. A block is taken for each run of neighbouring batches
// that a worker executes, most often one for each worker.
type HistogramParallelWriter struct {
	counts []int64 // the block of the current run; none while the view is not bound
	hold
	lane *lane[[]int64]
	bins int
}

// ParallelWriter returns a view that adds from any batch of a loop.
//
// Memory: a block of 8 bytes for each bin, for each worker, and another block each time that a
// worker goes on with a batch that does not follow its last one. The histogram keeps the blocks for
// later loops. It drops most blocks of a worker when the last 32 loops have needed less than a
// quarter of them, and the blocks of most workers when a loop has less than a quarter as many.
func (h *Histogram) ParallelWriter() HistogramParallelWriter {
	if h == nil {
		return HistogramParallelWriter{}
	}
	return HistogramParallelWriter{hold: h.guard.Hold(safety.Append, (*histogramParallelWriterKind)(nil)), bins: len(h.bins)}
}

// Add adds n to the bin. A bin outside [0, Len) of the histogram is a violation, and so is every use of
// a view that is not bound, or in strict builds not to the current batch.
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

// Len returns the number of bins.
func (w *HistogramParallelWriter) Len() int {
	if !w.hold.Bound() {
		panic(w.hold.Stale())
	}
	w.hold.Check()
	return w.bins
}

// histogramParallelWriterKind is the kind of HistogramParallelWriters.
type histogramParallelWriterKind HistogramParallelWriter

// Of implements safety.ViewKind.
func (*histogramParallelWriterKind) Of(view any) safety.Binder {
	return (*histogramParallelWriterKind)(view.(*HistogramParallelWriter))
}

// Window says which bins the view may touch, begin <= bin < end, and how many there are, for texts.
func (w *histogramParallelWriterKind) Window() (begin, end, length int) { return 0, w.bins, w.bins }

// Claim completes the claim.
func (w *histogramParallelWriterKind) Claim(c *safety.Claim) {
	if w.lane != nil {
		c.Into = w.lane
	}
}

// Bind implements safety.Binder.
//
//go:norace
func (w *histogramParallelWriterKind) Bind(b safety.Binding) {
	w.hold.Bind(b)
	if s, ok := b.State().(*blocks); ok { // otherwise it is asked for its length only, before the job starts
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

// HistogramWriter is a view through which a job reads and changes the bins that its loop's indices
// own: index i owns bin i, and a single job all bins. It is for loops over the bins, such as merging
// and scaling. It works only inside the job that carries it.
//
// Lent on by a body, it is a view of the body's bins: the first of them is bin 0.
type HistogramWriter struct {
	hold
	begin int
	s     []atom.Int64 // the batch's bins, from begin on; none while the view is not bound
	base  []atom.Int64 // what the view may be restricted to
}

// Writer returns a view that is restricted to the bins of the current batch: index i of a loop owns bin i, and a single job all. So parallel loops may carry
// it, of at most Len indices; to add to whatever bin from the batches of one take a ParallelWriter.
func (h *Histogram) Writer() HistogramWriter {
	if h == nil {
		return HistogramWriter{}
	}
	return HistogramWriter{hold: h.guard.Hold(safety.Write, (*histogramWriterKind)(nil)), base: h.bins}
}

// At returns the count of the bin, which like in all methods must be owned by the current batch.
func (w *HistogramWriter) At(bin int) int64 { return w.bin(bin).Load() }

// Set makes the count of the bin n.
func (w *HistogramWriter) Set(bin int, n int64) { w.bin(bin).Store(n) }

// Add adds n to the bin.
func (w *HistogramWriter) Add(bin int, n int64) { w.bin(bin).Add(n) }

// Len returns the number of bins that a loop can have as indices.
func (w *HistogramWriter) Len() int {
	if !w.hold.Bound() {
		panic(w.hold.Stale())
	}
	w.hold.Check()
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

// histogramWriterKind is the kind of HistogramWriters.
type histogramWriterKind HistogramWriter

// Of implements safety.ViewKind.
func (*histogramWriterKind) Of(view any) safety.Binder {
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

// Elsewhere says what to do for bins that the batch does not own, for texts.
func (w *histogramWriterKind) Elsewhere() string {
	return "A parallel loop may touch only the bins of its own indices through a Writer. To read others take a Reader() of another histogram; to count in any bin take a ParallelWriter()."
}

// Window implements safety.RangeView.
func (w *histogramWriterKind) Window() (begin, end, length int) {
	return w.begin, w.begin + len(w.s), len(w.base)
}

// HistogramReader is a view through which jobs read a [Histogram] that nobody changes meanwhile.
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

// At returns the count of the bin. A bin outside [0, Len) is a violation; so is, in all methods, a use
// outside the batch that the view is bound to.
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

// All ranges over the bins and their counts.
func (r *HistogramReader) All() iter.Seq2[int, int64] {
	return func(yield func(int, int64) bool) {
		for i := range r.use().bins {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// histogramReaderKind is the kind of HistogramReaders.
type histogramReaderKind HistogramReader

// Of implements safety.ViewKind.
func (*histogramReaderKind) Of(view any) safety.Binder {
	return (*histogramReaderKind)(view.(*HistogramReader))
}

// Window says which bins the view may touch, begin <= bin < end, and how many there are, for texts.
func (r *histogramReaderKind) Window() (begin, end, length int) {
	return 0, len(r.of.bins), len(r.of.bins)
}
