package fuzz_test

import (
	"fmt"
	"math"
	"runtime"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

const (
	bins  = 7
	inner = 5 // indices of a nested loop
)

// How an index fails.
const (
	failPanic = iota
	failError // a panic in kinds that have no error
	failGoexit
	failIndex // an index outside of the array
	failRange // an index outside of the batch, or of the array
	failures
)

// fault says that an index fails.
type fault struct{ at, how int }

// faultError is the error and the panic of an index.
type faultError int

func (e faultError) Error() string { return fmt.Sprint("fault at ", int(e)) }

// loopViews is what the loops of FuzzParallelFor carry: all ways to leave something behind.
type loopViews struct {
	In      array.Reader[int]
	Out     array.Writer[int] // the bits of numbers
	Log     array.Writer[int] // two elements for each index: the batch's borders, for batch bodies
	Count   counter.ParallelWriter
	Sum     counter.SumParallelWriter[float64]
	Whole   counter.SumParallelWriter[int16]
	Min     counter.ExtremumParallelWriter[float64]
	Max     counter.ExtremumParallelWriter[float64]
	Bins    counter.HistogramParallelWriter
	Worker  parallelfor.Worker
	Nest    int // every so many indices begin a nested loop; 0 for none
	Workers int // of nested loops; 0 for Sequential
	Faults  [3]fault
	Faulty  int // how many of Faults count
	Seed    uint64
}

// nested is what a loop lends on.
type nested struct {
	Count counter.ParallelWriter
	Sum   counter.SumParallelWriter[float64]
	Min   counter.ExtremumParallelWriter[float64]
	Bins  counter.HistogramParallelWriter
	From  int
}

func (j *nested) Execute(i int) {
	k := j.From + i
	j.Count.Inc()
	j.Sum.Add(1 / float64(k+2))
	j.Min.Observe(float64(-k))
	j.Bins.Add(k%bins, 1)
}

// index is the body: what index i does.
func (v *loopViews) index(i int) error {
	x := math.Sin(float64(v.In.At(i))) + v.Worker.Rand(v.Seed, i).Float64()
	v.Out.Set(i, int(math.Float64bits(x/3)))
	v.Count.Add(int64(i))
	v.Sum.Add(x / 7)
	v.Whole.Add(int16(i * 257))
	v.Min.Observe(x)
	v.Max.Observe(math.Copysign(float64(i%3), float64(i%2)-1)) // -0 and +0 among them
	v.Bins.Add(i%bins, 1)
	for _, f := range v.Faults[:v.Faulty] {
		if f.at == i {
			return v.fail(i, f.how)
		}
	}
	if v.Nest > 0 && i%v.Nest == 0 {
		how := parallelfor.Sequential()
		if v.Workers > 0 {
			how = parallelfor.Workers(v.Workers)
		}
		parallelfor.For(inner, nested{v.Count, v.Sum, v.Min, v.Bins, i}, (*nested).Execute, parallelfor.Batch(2), how)
		v.Sum.Add(1 / float64(i+3))
	}
	return nil
}

func (v *loopViews) fail(i, how int) error {
	switch how {
	case failError:
		return faultError(i)
	case failGoexit:
		runtime.Goexit()
	case failIndex:
		v.In.At(-1 - i)
	case failRange:
		v.Out.Set(i-1, 0) // an index of this batch when the batch has it
		v.Out.Set(0, v.Out.At(0))
	}
	panic(faultError(i))
}

// batch is the body of kinds that take a batch at a time: the indices, and what depends on the cut.
func (v *loopViews) batch(begin, end int) error {
	v.Sum.Add(1 / float64(end-begin))
	for i := begin; i < end; i++ {
		row := v.Log.Row(i)
		row[0], row[1] = begin, end
		if err := v.index(i); err != nil {
			return err
		}
	}
	return nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type loopJob struct{ loopViews }

func (j *loopJob) Execute(i int)               { must(j.index(i)) }
func (j *loopJob) ExecuteBatch(begin, end int) { must(j.batch(begin, end)) }

type loopErrJob struct{ loopViews }

func (j *loopErrJob) Execute(i int) error               { return j.index(i) }
func (j *loopErrJob) ExecuteBatch(begin, end int) error { return j.batch(begin, end) }

// loopData is the containers of a loop.
type loopData struct {
	in, out *array.Array[int]
	log     *array.Array[int]
	count   *counter.Counter
	sum     *counter.Sum[float64]
	whole   *counter.Sum[int16]
	min     *counter.Min[float64]
	max     *counter.Max[float64]
	bins    *counter.Histogram
}

func newLoopData(n int) *loopData {
	d := &loopData{
		in: array.New[int](n), out: array.New[int](n), log: array.New[int](2 * n),
		count: counter.New(), sum: counter.NewSum[float64](), whole: counter.NewSum[int16](),
		min: counter.NewMin[float64](), max: counter.NewMax[float64](), bins: counter.NewHistogram(bins),
	}
	for i, s := 0, d.in.Slice(); i < n; i++ {
		s[i] = i * (i % 11)
	}
	d.sum.Set(0.1)
	return d
}

// left is what a loop leaves behind.
type left struct {
	outcome
	out    []int
	log    []int
	count  int64
	sum    uint64
	whole  int16
	min    uint64
	max    uint64
	minOK  bool
	maxOK  bool
	counts []int64
}

func (d *loopData) left(o outcome) (l left) {
	l.outcome = o
	l.out, l.log = d.out.Slice(), d.log.Slice()
	l.count, l.sum, l.whole = d.count.Value(), math.Float64bits(d.sum.Value()), d.whole.Value()
	var v float64
	v, l.minOK = d.min.Value()
	l.min = math.Float64bits(v)
	v, l.maxOK = d.max.Value()
	l.max = math.Float64bits(v)
	l.counts = d.bins.Counts(nil)
	return l
}
