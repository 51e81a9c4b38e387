package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/pad"
)

// hand is how the batches of one job are handed out to its workers.
//
// Each worker starts with an even run of neighbouring batches, in a word of its own. It takes from the
// front of its run, a quarter of what is left at a time, and when the run is empty steals the back half
// of another's: what was taken is nobody else's, what was not can be stolen, whether its owner came to
// work or not. When there are few batches for the workers, each probably heavy, everybody takes one at a
// time and steals from the front.
//
// Invariants:
//
//	(I1) A batch is in at most one run, and leaves the runs once, by a successful CompareAndSwap; whoever
//	     made it executes the batch.
//	(I2) Only its worker puts batches into an empty run, and only batches that it has just stolen. So a run
//	     never has the same batches twice, and a word that a CompareAndSwap finds unchanged was unchanged.
//	(I3) A worker that finds all runs empty leaves: batches that are in no run are in the hands of a worker
//	     that has not left. So when the last worker leaves all batches were executed.
type hand struct {
	runs  []run
	few   bool
	dealt [][]int // by worker, when a test deals the batches
}

// run is the batches [begin, end) that are still to be taken, begin in the upper half.
type run struct {
	_    pad.Bytes
	word atom.HiddenUint64
}

func packRun(begin, end int) uint64 { return uint64(begin)<<32 | uint64(end) }

func unpackRun(w uint64) (begin, end int) { return int(w >> 32), int(w & (1<<32 - 1)) }

// maxBatches is what a run has room for.
const maxBatches = 1<<31 - 1

// reset deals the batches to the workers.
func (h *hand) reset(batches, workers int) {
	h.dealt = handout.Deal(batches, workers)
	if h.dealt != nil {
		return
	}
	if cap(h.runs) < workers {
		h.runs = make([]run, workers)
	}
	h.runs = h.runs[:workers]
	h.few = batches <= 8*workers && workers > 1
	at := 0
	for w := range h.runs {
		n := batches / workers
		if w < batches%workers {
			n++
		}
		h.runs[w].word.Store(packRun(at, at+n))
		at += n
	}
}

// take gives the worker the batches [begin, end) to execute, or says that there are none left.
func (h *hand) take(worker int) (begin, end int, ok bool) {
	if h.dealt != nil {
		return h.deal(worker)
	}
	own := &h.runs[worker].word
	for {
		w := own.Load()
		b, e := unpackRun(w)
		if b == e {
			return h.steal(worker)
		}
		k := e - b
		if len(h.runs) > 1 {
			k = max(k/4, 1)
		}
		if h.few {
			k = 1
		}
		if own.CompareAndSwap(w, packRun(b+k, e)) {
			return b, b + k, true
		}
	}
}

// steal takes from the next worker that has batches left.
func (h *hand) steal(thief int) (begin, end int, ok bool) {
	for i := 1; i < len(h.runs); i++ {
		victim := &h.runs[(thief+i)%len(h.runs)].word
		for {
			w := victim.Load()
			b, e := unpackRun(w)
			if b == e {
				break
			}
			m := b + (e-b)/2
			left, from, to := packRun(b, m), m, e
			if h.few {
				left, from, to = packRun(b+1, e), b, b+1
			}
			if victim.CompareAndSwap(w, left) {
				k := max((to-from)/4, 1)
				h.runs[thief].word.Store(packRun(from+k, to)) // keeps (I2)
				return from, from + k, true
			}
		}
	}
	return 0, 0, false
}

// deal is take when a test deals the batches: one at a time.
func (h *hand) deal(worker int) (begin, end int, ok bool) {
	mine := h.dealt[worker]
	if len(mine) == 0 {
		return 0, 0, false
	}
	h.dealt[worker] = mine[1:]
	return mine[0], mine[0] + 1, true
}
