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

// unseenBy runs a job of a type of its own.
func unseenBy[T any](p *builds.Pair) time.Duration {
	began := time.Now()
	parallelfor.ForBatch(1, unseen[T]{In: p.In.Reader(), Out: p.Out.Writer()}, (*unseen[T]).ExecuteBatch)
	return time.Since(began)
}

// firstSchedules is what the first schedule of a type of job costs, which lays out where its views
// lie.
func firstSchedules(r *run) {
	p := builds.NewPair(1)
	times := []time.Duration{unseenBy[int](p), unseenBy[int8](p), unseenBy[int16](p), unseenBy[int32](p), unseenBy[int64](p)}
	slices.Sort(times)
	r.Rows = append(r.Rows, report.Row{Group: r.Group, Work: "first run of a type of job, two views", Ours: float64(times[len(times)/2].Nanoseconds()), Info: true})
}
