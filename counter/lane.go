package counter

import (
	"runtime"
	"slices"

	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// lane is where one worker of a job adds, plainly. It has a part for each span: a maximal sequence
// of neighbouring batches that the worker executes. A failed job keeps exactly what its spans up to
// the failure added (see safety.SpanView), so one part for each span is enough (counter.I5).
//
// Only the worker touches its lane between the opening and the sealing of the phase (counter.I4),
// which happen before and after all batches. The race detector sees no order between the batches of
// one worker, so functions that touch a lane are hidden from it.
type lane[P any] struct {
	_     pad.Bytes
	part  P         // of the current span
	first int       // the first batch of the current span, or none
	spans []span[P] // the earlier ones; beyond the length lie spare parts of earlier phases

	phases int // number of phases since the last trim
	most   int // most earlier spans of a phase since the last trim

	_ pad.Bytes
}

const (
	trimAfter = 32 // phases between two trims of a lane
	keptParts = 8  // number of spare parts that a trim keeps in any case
	keptLanes = 16 // number of lanes that a phase with few workers keeps in any case
)

// span is a finished span.
type span[P any] struct {
	first int
	part  P
}

// none is the first batch of no span.
const none = -1

// begin begins a span at the given batch. It returns ok false if another view of the container in
// the same job has begun that span. Otherwise it returns a spare part, which the caller clears or
// replaces and makes the current one.
//
//go:norace
func (l *lane[P]) begin(batch int) (spare P, ok bool) {
	switch l.first {
	case batch:
		return spare, false
	case none:
		spare = l.part
	default:
		k := len(l.spans)
		if k == cap(l.spans) {
			l.spans = append(l.spans, span[P]{})
		}
		l.spans = l.spans[:k+1]
		spare = l.spans[k].part
		l.spans[k] = span[P]{first: l.first, part: l.part}
	}
	l.first = batch
	return spare, true
}

// count returns the number of spans, the current one included.
//
//go:norace
func (l *lane[P]) count() int {
	if l.first == none {
		return 0
	}
	return len(l.spans) + 1
}

// span returns the first batch and the part of span k.
//
//go:norace
func (l *lane[P]) span(k int) (first int, part *P) {
	if k == len(l.spans) {
		return l.first, &l.part
	}
	return l.spans[k].first, &l.spans[k].part
}

// clear forgets the spans. Their parts stay where they are, as spares for later phases.
//
//go:norace
func (l *lane[P]) clear() {
	l.first = none
	l.most = max(l.most, len(l.spans))
	l.spans = l.spans[:0]
	if l.phases++; l.phases == trimAfter {
		l.trim(max(l.most, keptParts))
		l.phases, l.most = 0, 0
	}
}

// trim keeps the first most spare parts, which the next phases use first, and drops the others. It
// does nothing if most is a quarter of the capacity or more.
//
//go:norace
func (l *lane[P]) trim(most int) {
	if most >= cap(l.spans)/4 {
		return
	}
	kept := make([]span[P], most)
	for i := range kept {
		kept[i] = l.spans[:most][i]
	}
	l.spans = kept[:0]
}

// lanes is a lane for each worker of a job. The lanes are kept for later phases, so a container
// that is used phase after phase with as many workers allocates nothing.
type lanes[P any] struct{ list []*lane[P] }

// resize makes sure that there are lanes for the given number of workers. If there are more than
// four times as many, it drops lanes, and keeps keptLanes or as many as there are workers or
// processors.
//
//go:norace
func (ls *lanes[P]) resize(workers int) {
	if len(ls.list) > max(keptLanes, 4*workers) {
		if kept := max(keptLanes, workers, runtime.GOMAXPROCS(0)); len(ls.list) > kept {
			ls.list = slices.Clone(ls.list[:kept])
		}
	}
	for len(ls.list) < workers {
		ls.list = append(ls.list, &lane[P]{first: none})
	}
}

// of returns the lane of a worker.
//
//go:norace
func (ls *lanes[P]) of(worker int) *lane[P] { return ls.list[worker] }

// openLanes makes the lanes of a phase. A nested job gets new lanes, because those of the container
// belong to the job around it.
func openLanes[P any](own *lanes[P], p *safety.Phase) {
	if outer[P](p) != nil {
		own = new(lanes[P])
	}
	own.resize(p.Workers)
	p.State = own
}

// outer returns the lane of the body that passed the view on, or nil if the job is not nested.
func outer[P any](p *safety.Phase) *lane[P] {
	l, _ := p.Into.(*lane[P])
	return l
}
