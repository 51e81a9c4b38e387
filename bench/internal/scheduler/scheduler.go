package scheduler

import (
	"runtime"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/bench/internal/rows"
)

const ours = rows.Ours

// run is a run of the group, with the drivers that take part.
type run struct {
	*rows.Run
	drivers *drivers
}

// Rows are the rows of the driver. Their bars are those of a machine with two cores.
func Rows(of *rows.Run) {
	r := &run{Run: of}
	d, err := startDrivers()
	if err != nil {
		r.Note("skipped: ants: " + err.Error())
		return
	}
	defer d.close()
	r.drivers = d
	if p := runtime.GOMAXPROCS(0); p != 2 {
		r.Note("note: the bars of group scheduler are for GOMAXPROCS 2")
	}
	lineRow(r, "before")
	firstSchedules(r)
	allocations(r)
	empty(r)
	claims(r)
	forkJoin(r)
	fromIdle(r)
	called(r)
	worst(r)
	chainOfFive(r)
	saxpy(r)
	sums(r)
	skewed(r)
	batches(r)
	stages(r)
	paths(r)
	nested(r)
	longChain(r)
	lineRow(r, "after")
}

// lineRow is a cache line's round trip, which the latencies below and above it depend on.
func lineRow(r *run, when string) {
	if ns := measure.PingPong(); ns > 0 {
		r.Rows = append(r.Rows, report.Row{Group: r.Group, Work: "a cache line's round trip, " + when, Ours: ns, Info: true})
	}
}
