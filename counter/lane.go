package counter

import (
	"runtime"
	"slices"

	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// lane is where one worker of a job adds, plainly: the part that its current run adds up to, and the
// parts of its runs before. A run is a maximal sequence of neighbouring batches of the loop that one
// worker executes. What a failed job added up to its failure is exactly what its runs up to there
// did (see safety.SpanView), so one part for each run is all that must be kept (I5).
//
// Only the worker touches its lane between the opening and the sealing of the phase (I4), which
// happen before and after all batches. Under the race detector batches of one worker are goroutines that
// the detector sees no order between, so functions that touch a lane are hidden from it.
type lane[P any] struct {
	_     pad.Bytes
	part  P        // of the current run
	first int      // the first batch of the current run, or none
	runs  []run[P] // the runs before; what lies between length and capacity is left from earlier phases

	phases int // number of phases since the last trim
	most   int // most earlier runs of a phase since the last trim

	_ pad.Bytes
}

const (
	trimAfter = 32 // phases between two trims of a lane
	keptParts = 8  // number of spare parts that a trim keeps in any case
	keptLanes = 16 // number of lanes that a phase with few workers keeps in any case
)

// run is a finished run.
type run[P any] struct {
	first int
	part  P
}

// none is the first batch of no run.
const none = -1

// begin begins a run at the given batch, unless the lane is there already: another view of the same
// container in the same job said so. It returns a part that is not in use any more, for the caller
// to clear or replace and to make the current one.
//
//go:norace
func (l *lane[P]) begin(batch int) (spare P, ok bool) {
	switch l.first {
	case batch:
		return spare, false
	case none:
		spare = l.part
	default:
		k := len(l.runs)
		if k == cap(l.runs) {
			l.runs = append(l.runs, run[P]{})
		}
		l.runs = l.runs[:k+1]
		spare = l.runs[k].part
		l.runs[k] = run[P]{first: l.first, part: l.part}
	}
	l.first = batch
	return spare, true
}

// count returns the number of runs, the current one included.
//
//go:norace
func (l *lane[P]) count() int {
	if l.first == none {
		return 0
	}
	return len(l.runs) + 1
}

// run returns the first batch and the part of the k-th run.
//
//go:norace
func (l *lane[P]) run(k int) (first int, part *P) {
	if k == len(l.runs) {
		return l.first, &l.part
	}
	return l.runs[k].first, &l.runs[k].part
}

// clear forgets the runs. Their parts stay where they are, as spares for later phases.
//
//go:norace
func (l *lane[P]) clear() {
	l.first = none
	l.most = max(l.most, len(l.runs))
	l.runs = l.runs[:0]
	if l.phases++; l.phases == trimAfter {
		l.trim(max(l.most, keptParts))
		l.phases, l.most = 0, 0
	}
}

// trim drops the spare parts beyond the first most, if these are fewer than a quarter of the
// capacity. The parts that stay are those that the next phases use first.
//
//go:norace
func (l *lane[P]) trim(most int) {
	if most >= cap(l.runs)/4 {
		return
	}
	kept := make([]run[P], most)
	for i := range kept {
		kept[i] = l.runs[:most][i]
	}
	l.runs = kept[:0]
}

// lanes is a lane for each worker of a job. The lanes are kept for later phases, so a container
// that is used phase after phase with as many workers allocates nothing.
type lanes[P any] struct{ list []*lane[P] }

// resize makes sure that there are lanes for the given number of workers. It drops lanes of an
// earlier phase that had more than four times as many workers, except the first keptLanes and as
// many as there are processors.
//
//go:norace
func (ls *lanes[P]) resize(workers int) {
	if len(ls.list) > max(keptLanes, 4*workers) {
		if kept := max(keptLanes, workers, runtime.GOMAXPROCS(0)); len(ls.list) > kept {
			ls.list = slices.Clone(ls.list[:kept])
		}
	}
	for len(ls.list) < workers {
		l := new(lane[P])
		l.first = none
		ls.list = append(ls.list, l)
	}
}

// workers returns the number of workers for which there are lanes. A caller that the guard was too
// late to refuse (I4) gets the number before or after a change.
//
//go:norace
func (ls *lanes[P]) workers() int { return len(ls.list) }

// of returns the lane of a worker.
//
//go:norace
func (ls *lanes[P]) of(worker int) *lane[P] { return ls.list[worker] }

// openLanes makes the lanes of a phase: the container's own, or others when the job is nested, because
// then the container's are those of the job around it.
func openLanes[P any](own *lanes[P], p *safety.Phase) {
	if p.Into != nil {
		own = new(lanes[P])
	}
	own.resize(p.Workers)
	p.State = own
}
