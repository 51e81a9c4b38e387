package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/pad"
)

// distribution assigns the batches of one job to its workers.
//
// Each worker starts with an even span of neighbouring batches, in a word of its own. It takes from
// the front of its span, a quarter of what is left at a time, or half in a loop that is known to be
// short. When the span is empty, it steals the back half of another's. Batches that were not taken
// can be stolen whether or not their worker came to work. When there are few batches for the
// workers, each is probably heavy, and workers take one at a time and steal from the front.
//
// Invariants:
//
//	(span.I1) A batch is in at most one span, and leaves the spans once, by a successful
//	     CompareAndSwap. The worker whose CompareAndSwap that was executes the batch.
//	(span.I2) Only its worker puts batches into an empty span, and only batches that it has just
//	     stolen. So a span never has the same batches twice, and a word that is equal has not
//	     changed meanwhile.
//	(span.I3) A worker that finds all spans empty leaves. Batches that are in no span have been
//	     taken by a worker that has not left. So when the last worker leaves all batches were
//	     executed.
//	(span.I4) filled is at least the number of spans that have batches: a span is counted before it
//	     is filled, and is not counted any more after it has been emptied. So when filled is 0 all
//	     spans are empty.
type distribution struct {
	spans    []batchSpan
	part     int     // workers take one of so many parts of what is left, and one batch at least
	counts   bool    // filled is kept: for so many workers that each should not look into all spans
	assigned [][]int // by worker, when a test assigns the batches

	_      pad.Bytes
	filled atom.HiddenInt64 // see (span.I4)
	_      pad.Bytes
}

// batchSpan is one worker's batches [begin, end) to be taken. begin is the upper half of word.
type batchSpan struct {
	_    pad.Bytes
	word atom.HiddenUint64
}

func packSpan(begin, end int) uint64 { return uint64(begin)<<32 | uint64(end) }

func unpackSpan(w uint64) (begin, end int) { return int(w >> 32), int(w & (1<<32 - 1)) }

const (
	maxBatches     = 1<<31 - 1  // that a span has room for
	oneByOne       = maxBatches // the part when there are few batches
	mostLookedInto = 8          // spans, by a worker without batches
)

// reset assigns the batches to the workers, before the first of them takes any.
func (h *distribution) reset(batches, workers int, short bool) {
	if h.part = 4; short {
		h.part = 2
	}
	if batches <= 8*workers {
		h.part = oneByOne
	}
	if h.assigned = handout.Deal(batches, workers); h.assigned != nil {
		return
	}
	if cap(h.spans) < workers {
		h.spans = make([]batchSpan, workers)
	}
	h.spans = h.spans[:workers]
	if h.counts = workers > mostLookedInto || atom.Explored; h.counts {
		h.filled.Store(int64(min(workers, batches)))
	}
	at := 0
	for w := range h.spans {
		n := batches / workers
		if w < batches%workers {
			n++
		}
		h.spans[w].word.Store(packSpan(at, at+n))
		at += n
	}
}

// take gives the worker the batches [begin, end) to execute. ok is false if none is left.
func (h *distribution) take(worker int) (begin, end int, ok bool) {
	if h.assigned != nil {
		return h.takeAssigned(worker)
	}
	own := &h.spans[worker].word
	for {
		w := own.Load()
		b, e := unpackSpan(w)
		if b == e {
			return h.steal(worker)
		}
		k := e - b
		if len(h.spans) > 1 {
			k = max(k/h.part, 1)
		}
		if own.CompareAndSwap(w, packSpan(b+k, e)) {
			if b+k == e {
				h.count(-1) // keeps (span.I4)
			}
			return b, b + k, true
		}
	}
}

// steal is take for a worker whose span is empty. It steals from the next worker that has batches
// left, and puts those that thief does not execute now into the span of thief.
func (h *distribution) steal(thief int) (begin, end int, ok bool) {
	for i := 1; i < len(h.spans) && (!h.counts || h.filled.Load() > 0); i++ {
		victim := &h.spans[(thief+i)%len(h.spans)].word
		for {
			w := victim.Load()
			b, e := unpackSpan(w)
			if b == e {
				break
			}
			m := b + (e-b)/2
			left, from, to := packSpan(b, m), m, e
			if h.part == oneByOne {
				left, from, to = packSpan(b+1, e), b, b+1
			}
			if victim.CompareAndSwap(w, left) {
				k := max((to-from)/h.part, 1)
				switch {
				case e-b == 1:
					h.count(-1)
				case from+k < to:
					h.count(1) // before the span is filled: keeps (span.I4)
				}
				h.spans[thief].word.Store(packSpan(from+k, to)) // keeps (span.I2)
				return from, from + k, true
			}
		}
	}
	return 0, 0, false
}

// count changes the number of filled spans by d.
func (h *distribution) count(d int64) {
	if h.counts {
		h.filled.Add(d)
	}
}

// takeAssigned is take when a test assigns the batches: one at a time.
func (h *distribution) takeAssigned(worker int) (begin, end int, ok bool) {
	mine := h.assigned[worker]
	if len(mine) == 0 {
		return 0, 0, false
	}
	h.assigned[worker] = mine[1:]
	return mine[0], mine[0] + 1, true
}
