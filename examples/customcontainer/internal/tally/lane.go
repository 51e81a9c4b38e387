package tally

import "example.com/custody/safety"

// lane is where one worker of a job adds, plainly. For each run of cells that the worker executes it keeps what that adds up to, because when a
// cell fails some runs count and others do not (see safety.RunView).
//
// In builds with the race detector each cell is a goroutine of its own, and the detector sees no order between two cells of one worker. Lanes
// have one, the worker's, so what touches them is hidden from it; CheckLane, in the view, shows it the uses that have none.
type lane struct {
	_     safety.CacheLine
	part  int64 // what the current run adds up to
	first int   // its first cell, or none
	runs  []run // the runs before
	_     safety.CacheLine
}

type run struct {
	first int
	part  int64
}

// none is the first cell of no run.
const none = -1

// begin begins a run. Another view of the same counter in the same job may have begun it already.
//
//go:norace
func (l *lane) begin(cell int) {
	if l.first == cell {
		return
	}
	if l.first != none {
		l.runs = append(l.runs, run{l.first, l.part})
	}
	l.first, l.part = cell, 0
}

//go:norace
func (l *lane) add(d int64) { l.part += d }

// lanes are one lane for each worker. They are kept from phase to phase, and grow only.
type lanes struct{ list []*lane }

// open makes all lanes empty, and sees to it that there are enough.
//
//go:norace
func (ls *lanes) open(workers int) {
	for len(ls.list) < workers {
		ls.list = append(ls.list, new(lane))
	}
	for _, l := range ls.list {
		l.part, l.first, l.runs = 0, none, l.runs[:0]
	}
}

// sum returns what the runs add up to that begin below the number of kept cells (I3).
//
//go:norace
func (ls *lanes) sum(kept int) (sum int64) {
	for _, l := range ls.list {
		for _, r := range l.runs {
			if r.first < kept {
				sum += r.part
			}
		}
		if l.first != none && l.first < kept {
			sum += l.part
		}
	}
	return sum
}
