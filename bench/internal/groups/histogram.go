package groups

import (
	"example.com/custody/array"
	"example.com/custody/bench/internal/builds"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// binsAll is a job that counts bytes by value, many in a call.
type binsAll struct {
	In  array.Reader[byte]
	Out counter.HistogramParallelWriter
}

func (j *binsAll) ExecuteBatch(begin, end int) { counter.CountAll(&j.Out, j.In.Slice()[begin:end]) }

// histograms compares the ways to count bytes by value.
func histograms(r *rows.Run) {
	const n, own, each = 1 << 23, "own arrays", "ours, Add for each"
	in, want := builds.RandomBytes(n)
	out := counter.NewHistogram(256)
	with := func(name string, run func(counter.HistogramParallelWriter)) measure.Side {
		return measure.Do(name, func() {
			run(out.ParallelWriter())
			rows.MustBe(name, [256]int64(out.Counts(nil)), want)
			out.Reset()
		})
	}
	c := r.Compare("8M random bytes into a histogram", n, []string{own},
		with(ours, func(w counter.HistogramParallelWriter) {
			parallelfor.ForBatch(n, binsAll{in.Reader(), w}, (*binsAll).ExecuteBatch)
		}),
		with(each, func(w counter.HistogramParallelWriter) {
			parallelfor.ForBatch(n, builds.Bin{In: in.Reader(), Out: w}, (*builds.Bin).ExecuteBatch)
		}),
		measure.Do(own, func() { rows.MustBe(own, builds.CountBytes(in.Slice()), want) }))
	c.AtMost(1.05)
	c.As(each, "Add for each", 1.05, own)
}
