package scheduler

import (
	"slices"
	"time"

	"example.com/custody/array"
	"example.com/custody/bench/internal/builds"
	"example.com/custody/bench/internal/report"
	"example.com/custody/parallelfor"
)

// unseen is as many types of jobs as T has: one is scheduled for the first time once in the life of
// a program.
type unseen[T any] struct {
	In    array.Reader[float64]
	Out   array.Writer[float64]
	Extra [0]T
}

func (j *unseen[T]) ExecuteBatch(begin, _ int) { j.Out.Set(begin, j.In.At(begin)) }

// unseenBy runs a job of a type of its own, and prepares it if it is asked to.
func unseenBy[T any](p *builds.Pair, prepared bool) time.Duration {
	if prepared {
		parallelfor.Prepare[unseen[T]]()
	}
	began := time.Now()
	parallelfor.ForBatch(1, unseen[T]{In: p.In.Reader(), Out: p.Out.Writer()}, (*unseen[T]).ExecuteBatch)
	return time.Since(began)
}

// firstSchedules is what the first schedule of a type of job costs, which lays out where its views
// lie, and what is left of that after Prepare.
func firstSchedules(r *run) {
	p := builds.NewPair(1)
	first := []time.Duration{unseenBy[int](p, false), unseenBy[int8](p, false), unseenBy[int16](p, false), unseenBy[int32](p, false), unseenBy[int64](p, false)}
	second := []time.Duration{unseenBy[uint](p, true), unseenBy[uint8](p, true), unseenBy[uint16](p, true), unseenBy[uint32](p, true), unseenBy[uint64](p, true)}
	for _, c := range []struct {
		work  string
		times []time.Duration
	}{{"first run of a type of job, two views", first}, {"first run of a type of job, after Prepare", second}} {
		slices.Sort(c.times)
		r.Rows = append(r.Rows, report.Row{Group: r.Group, Work: c.work, Ours: float64(c.times[len(c.times)/2].Nanoseconds()), Info: true})
	}
}
