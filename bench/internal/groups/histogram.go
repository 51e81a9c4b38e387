package groups

import (
	"math/rand/v2"
	"runtime"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// binsAll and bins are jobs that count bytes by value: by CountAll, and by Add for each.
type binsAll struct {
	In  array.Reader[byte]
	Out counter.HistogramParallelWriter
}

func (j *binsAll) ExecuteBatch(begin, end int) { counter.CountAll(&j.Out, j.In.Slice()[begin:end]) }

type bins struct {
	In  array.Reader[byte]
	Out counter.HistogramParallelWriter
}

func (j *bins) ExecuteBatch(begin, end int) {
	for _, v := range j.In.Slice()[begin:end] {
		j.Out.Add(int(v), 1)
	}
}

// histograms compares the ways to count bytes by value.
func histograms(r *rows.Run) {
	const n, own, each = 1 << 23, "own arrays", "ours, Add for each"
	in, out := array.New[byte](n), counter.NewHistogram(256)
	data, want := in.Slice(), [256]int64{}
	random := rand.New(rand.NewPCG(5, 6))
	for i := range data {
		data[i] = byte(random.Uint32())
		want[data[i]]++
	}
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
			parallelfor.ForBatch(n, bins{in.Reader(), w}, (*bins).ExecuteBatch)
		}),
		measure.Do(own, func() {
			parts := make([][256]int64, runtime.GOMAXPROCS(0))
			rows.Parts(n, func(p, begin, end int) {
				counts := &parts[p]
				for _, v := range data[begin:end] {
					counts[v]++
				}
			})
			sums := &parts[0]
			for _, counts := range parts[1:] {
				for v, count := range counts {
					sums[v] += count
				}
			}
			rows.MustBe(own, *sums, want)
		}))
	c.AtMost(1.05)
	c.As(each, "Add for each", 1.05, own)
}
