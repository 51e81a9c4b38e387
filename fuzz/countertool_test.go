package fuzz_test

import "example.com/custody/counter"

// counterData is the containers.
type counterData struct {
	count  *counter.Counter
	sum    *counter.Sum[int8]
	floats *counter.Sum[float64]
	min    *counter.Min[float64]
	max    *counter.Max[float64]
	bins   *counter.Histogram
}

func newCounterData() counterData {
	return counterData{
		count: counter.New(), sum: counter.NewSum[int8](), floats: counter.NewSum[float64](),
		min: counter.NewMin[float64](), max: counter.NewMax[float64](), bins: counter.NewHistogram(bins),
	}
}

// tool is one of the containers as the commands use it.
type tool struct {
	add, set func(x int)
	read     func(n *numbers)
	swap     func(x int, old *numbers) // nil where there is none
	dispose  func()

	// Each gives a job a view.
	lend func(j *adders)
	show func(j *readers)
}

// tools returns the containers by number.
func (d *counterData) tools() [theKinds]tool {
	return [theKinds]tool{
		theCounter: {
			add:     func(x int) { d.count.Add(int64(x)) },
			set:     func(x int) { d.count.Set(int64(x)) },
			read:    func(n *numbers) { n.count = d.count.Value() },
			swap:    func(x int, old *numbers) { old.count = d.count.Swap(int64(x)) },
			dispose: d.count.Dispose,
			lend:    func(j *adders) { j.Count = append(j.Count, d.count.ParallelWriter()) },
			show:    func(j *readers) { j.Count = append(j.Count, d.count.Reader()) },
		},
		theSum: {
			add:     func(x int) { d.sum.Add(int8(x)) },
			set:     func(x int) { d.sum.Set(int8(x)) },
			read:    func(n *numbers) { n.sum = d.sum.Value() },
			swap:    func(x int, old *numbers) { old.sum = d.sum.Swap(int8(x)) },
			dispose: d.sum.Dispose,
			lend:    func(j *adders) { j.Sum = append(j.Sum, d.sum.ParallelWriter()) },
			show:    func(j *readers) { j.Sum = append(j.Sum, d.sum.Reader()) },
		},
		theFloats: {
			add:     func(x int) { d.floats.Add(float(x)) },
			set:     func(x int) { d.floats.Set(float(x)) },
			read:    func(n *numbers) { n.floats = d.floats.Value() },
			swap:    func(x int, old *numbers) { old.floats = d.floats.Swap(float(x)) },
			dispose: d.floats.Dispose,
			lend:    func(j *adders) { j.Floats = append(j.Floats, d.floats.ParallelWriter()) },
			show:    func(j *readers) { j.Floats = append(j.Floats, d.floats.Reader()) },
		},
		theMin: {
			add:     func(x int) { d.min.Observe(float(x)) },
			set:     func(x int) { d.min.Set(float(x)) },
			read:    func(n *numbers) { n.min.v, n.min.seen = d.min.Value() },
			dispose: d.min.Dispose,
			lend:    func(j *adders) { j.Best = append(j.Best, d.min.ParallelWriter()) },
			show:    func(j *readers) { j.Best = append(j.Best, d.min.Reader()) },
		},
		theMax: {
			add:     func(x int) { d.max.Observe(float(x)) },
			set:     func(x int) { d.max.Set(float(x)) },
			read:    func(n *numbers) { n.max.v, n.max.seen = d.max.Value() },
			dispose: d.max.Dispose,
			lend:    func(j *adders) { j.Best = append(j.Best, d.max.ParallelWriter()) },
			show:    func(j *readers) { j.Best = append(j.Best, d.max.Reader()) },
		},
		theHistogram: {
			add:     func(x int) { d.bins.Add(x%bins, int64(x)) },
			set:     func(int) { d.bins.Reset() },
			read:    func(n *numbers) { d.bins.Counts(n.counts[:0]) },
			dispose: d.bins.Dispose,
			lend:    func(j *adders) { j.Bins = append(j.Bins, d.bins.ParallelWriter()) },
			show:    func(j *readers) { j.Bins = append(j.Bins, d.bins.Reader()) },
		},
	}
}
