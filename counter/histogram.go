package counter

import (
	"iter"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Histogram is a fixed number of counts, the bins.
//
// All methods may be called by any goroutine at any time, except while a job holds the histogram in
// a way that excludes them. Each bin is linearizable by itself. A method that reads several bins is
// not a snapshot, but sees every Add that happened before it. A Histogram must not be copied.
//
// Cost: an atomic addition for each Add. 8 bytes for each bin, and as much again for each worker of
// a job that adds through a [HistogramParallelWriter], kept for later phases.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Add, At             linearizable  wait-free  O(1)     never
//	Total, All, Counts  summed        wait-free  O(bins)  Counts: one, if dst is short
//	Reset               item by item  wait-free  O(bins)  never
//	Len                 constant      wait-free  O(1)     never
type Histogram struct {
	guard  safety.Guard
	bins   []atom.Int64 // neither moves nor grows
	blocks blocks       // of the job that holds the histogram in mode Append
}

// NewHistogram returns a histogram with the given number of bins, all 0. It is a violation if that
// is below 1 or more than memory can hold.
func NewHistogram(bins int, opts ...safety.Option) *Histogram {
	h := new(Histogram)
	h.guard.Init(h, 0, opts...)
	h.guard.Phases((*histogramPhases)(h))
	if most := amount.Most[int64]() - 2*front; bins < 1 || bins > most {
		h.guard.Dispose() // the caller never gets the histogram, so it must not count as a leak
		panic(amount.Refusal(&h.guard, "was asked to have", bins, 1, most, "bin"))
	}
	h.bins = make([]atom.Int64, bins)
	h.blocks.init(h.bins)
	return h
}

// Len returns the number of bins. It is allowed while jobs hold h.
func (h *Histogram) Len() int {
	h.guard.CheckExists()
	return len(h.bins)
}

// Add adds n to the bin; h.Add(bin, 1) counts one. It is wait-free, and legal beside a
// [HistogramParallelWriter]. It panics with a violation if the bin is outside [0, Len), and while
// any other job holds h.
func (h *Histogram) Add(bin int, n int64) {
	h.guard.CheckAppend()
	h.at(bin).Add(n)
}

// At returns the count of the bin. It is wait-free. It panics with a violation if the bin is
// outside [0, Len), and while a job that changes h holds it.
func (h *Histogram) At(bin int) int64 {
	h.guard.CheckRead()
	return h.at(bin).Load()
}

// Counts stores the Len counts in dst, or in a new slice if it is too short, and returns them. It
// panics with a violation while a job that changes h holds it.
func (h *Histogram) Counts(dst []int64) []int64 {
	h.guard.CheckRead()
	return counts(h.bins, dst)
}

// Total returns the sum of all counts. It panics with a violation while a job that changes h holds
// it.
func (h *Histogram) Total() int64 {
	h.guard.CheckRead()
	return sumOf(h.bins)
}

// All returns an iterator over the bins and their counts. It checks custody at every bin, and
// panics with a violation while a job that changes h holds it.
func (h *Histogram) All() iter.Seq2[int, int64] {
	return func(yield func(int, int64) bool) {
		for i := range h.bins {
			h.guard.CheckRead()
			if !yield(i, h.bins[i].Load()) {
				return
			}
		}
	}
}

// Reset makes all counts 0. An Add that runs beside it takes effect before or after. It panics with
// a violation while any job holds h.
func (h *Histogram) Reset() {
	h.guard.CheckWrite()
	for i := range h.bins {
		h.bins[i].Store(0)
	}
}

// Dispose ends the histogram, as [Counter.Dispose] does.
func (h *Histogram) Dispose() { h.guard.Dispose() }

// DisposeAfter is Dispose for a histogram that jobs hold, as [Counter.DisposeAfter].
func (h *Histogram) DisposeAfter(after safety.Handle) { h.guard.DisposeAfter(after, func() {}) }

// Disposed reports whether the histogram was disposed.
func (h *Histogram) Disposed() bool { return h.guard.Disposed() }

// at returns the bin.
func (h *Histogram) at(bin int) *atom.Int64 {
	if uint(bin) >= uint(len(h.bins)) {
		panic(h.outside(bin))
	}
	return &h.bins[bin]
}

func (h *Histogram) outside(bin int) *safety.Violation {
	n := len(h.bins)
	v := h.guard.Violation(safety.ErrIndex, "bin "+strconv.Itoa(bin)+" of "+h.guard.Container()+" was used, which has "+strconv.Itoa(n)+" bins",
		"Bins begin at 0 and end at Len-1.")
	v.Index, v.Max, v.Length = bin, n, n
	return v
}

func counts(bins []atom.Int64, dst []int64) []int64 {
	if cap(dst) < len(bins) {
		dst = make([]int64, len(bins))
	}
	dst = dst[:len(bins)]
	for i := range bins {
		dst[i] = bins[i].Load()
	}
	return dst
}

func sumOf(bins []atom.Int64) (n int64) {
	for i := range bins {
		n += bins[i].Load()
	}
	return n
}

// histogramPhases has the methods of a Histogram that the ledger calls when a phase opens and when
// it ends.
type histogramPhases Histogram

// OpenPhase implements safety.Phased.
func (x *histogramPhases) OpenPhase(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	b := &x.blocks
	if outer[[]int64](p) != nil { // those of the histogram belong to the job around
		b = new(blocks)
		b.init(x.bins)
	}
	b.resize(p.Workers)
	p.State = b
}

// SealPhase implements safety.Phased.
func (*histogramPhases) SealPhase(p *safety.Phase) {
	if p.Mode == safety.Append {
		p.State.(*blocks).seal(outer[[]int64](p), p.Kept, p.Parallel)
	}
}
