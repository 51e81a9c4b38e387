package fuzz_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/internal/handout"
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
	failRange // an index outside of the cell, or of the array
	failures
)

// fault says that an index fails.
type fault struct{ at, how int }

// faultError is the error and the panic of an index.
type faultError int

func (e faultError) Error() string { return fmt.Sprint("fault at ", int(e)) }

// loopViews is what the loops of FuzzParallelFor carry: all ways to leave something behind.
type loopViews struct {
	In      array.Reader[float64]
	Out     array.Writer[float64]
	Log     array.Writer[int64] // two elements for each index: the cell's borders, for batch bodies
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
	j.Bins.Add(k % bins)
}

// index is the body: what index i does.
func (v *loopViews) index(i int) error {
	x := v.In.At(i) + v.Worker.Rand(v.Seed, i).Float64()
	v.Out.Set(i, x/3)
	v.Count.Add(int64(i))
	v.Sum.Add(x / 7)
	v.Whole.Add(int16(i * 257))
	v.Min.Observe(x)
	v.Max.Observe(math.Copysign(float64(i%3), float64(i%2)-1)) // -0 and +0 among them
	v.Bins.Add(i % bins)
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
		parallelfor.Run(inner, nested{v.Count, v.Sum, v.Min, v.Bins, i}, parallelfor.Batch(2), how)
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
		v.Out.Set(i-1, 0) // an index of this cell when the cell has it
		v.Out.Set(0, v.Out.At(0))
	}
	panic(faultError(i))
}

// batch is the body of kinds that take a cell at a time: the indices, and what depends on the cut.
func (v *loopViews) batch(begin, end int) error {
	v.Sum.Add(1 / float64(end-begin))
	for i := begin; i < end; i++ {
		row := v.Log.Row(i)
		row[0], row[1] = int64(begin), int64(end)
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
	in, out *array.Array[float64]
	log     *array.Array[int64]
	count   *counter.Counter
	sum     *counter.Sum[float64]
	whole   *counter.Sum[int16]
	min     *counter.Min[float64]
	max     *counter.Max[float64]
	bins    *counter.Histogram
}

func newLoopData(n int) *loopData {
	d := &loopData{
		in: array.New[float64](n), out: array.New[float64](n), log: array.New[int64](2 * n),
		count: counter.New(), sum: counter.NewSum[float64](), whole: counter.NewSum[int16](),
		min: counter.NewMin[float64](), max: counter.NewMax[float64](), bins: counter.NewHistogram(bins),
	}
	for i, s := 0, d.in.Slice(); i < n; i++ {
		s[i] = math.Sin(float64(i)) * float64(i%11)
	}
	d.sum.Set(0.1)
	return d
}

// left is what a loop leaves behind.
type left struct {
	outcome
	out    []uint64
	log    []int64
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
	for _, v := range d.out.Slice() {
		l.out = append(l.out, math.Float64bits(v))
	}
	l.log = d.log.Slice()
	l.count, l.sum, l.whole = d.count.Value(), math.Float64bits(d.sum.Value()), d.whole.Value()
	var v float64
	v, l.minOK = d.min.Value()
	l.min = math.Float64bits(v)
	v, l.maxOK = d.max.Value()
	l.max = math.Float64bits(v)
	l.counts = d.bins.Counts(nil)
	return l
}

// loop is the shape of a loop: what an input of FuzzParallelFor reads as.
type loop struct {
	n, kind int
	batch   int
	workers int
	forced  bool
	twice   bool // a second loop, which runs after the first, over what it left
	views   loopViews
	lowest  int // the lowest index that fails, or n
}

func readLoop(p *program) (l loop) {
	shape := p.Next()
	l.kind = p.Below(len(loopKinds))
	l.n = p.Next()
	if shape&1 != 0 {
		l.n = l.n*4 + p.Next()%4
	}
	switch k := p.Next(); {
	case k < 32:
		l.batch = 0
	case k < 40:
		l.batch = -1
	case k < 200:
		l.batch = k%16 + 1
	default:
		l.batch = max(l.n-1+k%3, 1) // about the whole
	}
	l.workers = 1 + p.Below(8)
	l.forced = shape&2 != 0
	l.twice = shape&4 != 0
	v := &l.views
	v.Seed = uint64(p.Next())
	if shape&8 != 0 {
		v.Nest = 8 + p.Below(32)
		v.Workers = 1 + shape>>4&3
	}
	l.lowest = l.n
	for l.n > 0 && v.Faulty < len(v.Faults) && p.More() {
		f := fault{at: p.Next() * l.n / 256, how: p.Below(failures)}
		v.Faults[v.Faulty] = f
		v.Faulty++
		l.lowest = min(l.lowest, f.at)
	}
	return l
}

// loopKinds are the ways to run a loop.
var loopKinds = []struct {
	name string
	cuts bool // the body sees where the loop is cut
	run  func(n int, v loopViews, o []parallelfor.Option) error
}{
	{"Run", false, func(n int, v loopViews, o []parallelfor.Option) error {
		parallelfor.Run(n, loopJob{v}, o...)
		return nil
	}},
	{"RunBatch", true, func(n int, v loopViews, o []parallelfor.Option) error {
		parallelfor.RunBatch(n, loopJob{v}, o...)
		return nil
	}},
	{"RunErr", false, func(n int, v loopViews, o []parallelfor.Option) error {
		return parallelfor.RunErr(context.Background(), n, loopErrJob{v}, o...)
	}},
	{"RunBatchErr", true, func(n int, v loopViews, o []parallelfor.Option) error {
		return parallelfor.RunBatchErr(context.Background(), n, loopErrJob{v}, o...)
	}},
	{"For", false, func(n int, v loopViews, o []parallelfor.Option) error {
		parallelfor.For(n, v, func(v *loopViews, i int) { must(v.index(i)) }, o...)
		return nil
	}},
	{"ForBatch", true, func(n int, v loopViews, o []parallelfor.Option) error {
		parallelfor.ForBatch(n, v, func(v *loopViews, begin, end int) { must(v.batch(begin, end)) }, o...)
		return nil
	}},
	{"ForErr", false, func(n int, v loopViews, o []parallelfor.Option) error {
		return parallelfor.ForErr(context.Background(), n, v, (*loopViews).index, o...)
	}},
	{"ForBatchErr", true, func(n int, v loopViews, o []parallelfor.Option) error {
		return parallelfor.ForBatchErr(context.Background(), n, v, (*loopViews).batch, o...)
	}},
	{"Schedule", false, func(n int, v loopViews, o []parallelfor.Option) error {
		h := parallelfor.Schedule(n, loopJob{v}, o...)
		h.Complete()
		return h.Err()
	}},
	{"ScheduleBatch", true, func(n int, v loopViews, o []parallelfor.Option) error {
		h := parallelfor.ScheduleBatch(n, loopJob{v}, o...)
		h.Complete()
		return h.Err()
	}},
	{"ScheduleErr", false, func(n int, v loopViews, o []parallelfor.Option) error {
		h := parallelfor.ScheduleErr(context.Background(), n, loopErrJob{v}, o...)
		h.Complete()
		return h.Err()
	}},
	{"ScheduleBatchErr", true, func(n int, v loopViews, o []parallelfor.Option) error {
		h := parallelfor.ScheduleBatchErr(context.Background(), n, loopErrJob{v}, o...)
		h.Complete()
		return h.Err()
	}},
}

// second is the loop that runs after: it reads what the first wrote.
type second struct {
	From array.Reader[float64]
	To   array.Writer[float64]
	Sum  counter.SumParallelWriter[float64]
}

func (j *second) Execute(i int) {
	j.To.Set(i, j.From.At(i)+1)
	j.Sum.Add(j.From.At(i))
}

// run runs the loop over fresh containers, and with it what runs after it.
func (l *loop) run(sequential bool) left {
	d := newLoopData(l.n)
	options := []parallelfor.Option{parallelfor.Batch(l.batch), parallelfor.Name("loop")}
	v := l.views
	if sequential {
		options = append(options, parallelfor.Sequential())
		v.Workers = 0
	} else {
		options = append(options, parallelfor.Workers(l.workers))
	}
	v.In, v.Out, v.Log = d.in.Reader(), d.out.Writer(), d.log.Writer().Rows(2)
	v.Count, v.Sum, v.Whole = d.count.ParallelWriter(), d.sum.ParallelWriter(), d.whole.ParallelWriter()
	v.Min, v.Max, v.Bins = d.min.ParallelWriter(), d.max.ParallelWriter(), d.bins.ParallelWriter()
	o := outcomeOf(func() error {
		if !l.twice {
			return loopKinds[l.kind].run(l.n, v, options)
		}
		h := parallelfor.Schedule(l.n, loopJob{v}, options...)
		g := parallelfor.Schedule(l.n, second{d.out.Reader(), d.in.Writer(), d.sum.ParallelWriter()}, append(options, parallelfor.After(h))...)
		g.Complete()
		return nil
	})
	return d.left(o)
}

// differ compares two loops' leavings, and returns what is different. Of a loop that failed the
// elements from the failure on may hold anything.
func (l *loop) differ(got, want left) string {
	type pair struct {
		what      string
		got, want any
	}
	for _, p := range []pair{
		{"outcome", l.ending(got), want.ending()},
		{"Counter", got.count, want.count},
		{"Sum of floats", math.Float64frombits(got.sum), math.Float64frombits(want.sum)},
		{"bits of the Sum of floats", got.sum, want.sum},
		{"Sum of integers", got.whole, want.whole},
		{"Min", [2]any{got.min, got.minOK}, [2]any{want.min, want.minOK}},
		{"Max", [2]any{got.max, got.maxOK}, [2]any{want.max, want.maxOK}},
	} {
		if p.got != p.want {
			return fmt.Sprintf("%s: %v, expected %v", p.what, p.got, p.want)
		}
	}
	if !slices.Equal(got.counts, want.counts) {
		return fmt.Sprintf("Histogram: %v, expected %v", got.counts, want.counts)
	}
	for i := range l.lowest {
		if got.out[i] != want.out[i] {
			return fmt.Sprintf("element %d: %v, expected %v", i, math.Float64frombits(got.out[i]), math.Float64frombits(want.out[i]))
		}
		if !slices.Equal(got.log[2*i:2*i+2], want.log[2*i:2*i+2]) {
			return fmt.Sprintf("index %d was in cell %v, expected %v", i, got.log[2*i:2*i+2], want.log[2*i:2*i+2])
		}
	}
	return ""
}

// ending is how the loop ended. One thing cannot be taken back: that a body ended the goroutine which
// called the loop, at an index that comes after the one whose error counts.
func (l *loop) ending(got left) string {
	for _, f := range l.views.Faults[:l.views.Faulty] {
		if got.goexit && f.how == failGoexit && f.at > l.lowest && l.lowestHow() == failError {
			return outcome{err: faultError(l.lowest)}.String()
		}
	}
	return got.outcome.ending()
}

// lowestHow says how the lowest failing index fails.
func (l *loop) lowestHow() int {
	for _, f := range l.views.Faults[:l.views.Faulty] {
		if f.at == l.lowest {
			return f.how
		}
	}
	return -1
}

// ending is the outcome as text, with all that must be the same.
func (o outcome) ending() string {
	s := o.String()
	if v := o.violation; v != nil {
		s = fmt.Sprint(v.Kind, v.Job, v.Field, v.Index, v.Min, v.Max, v.Length)
	}
	return s
}

// check compares the Sequential loop with the plain one, as far as that is cut-free: integers.
func (l *loop) check(got left) string {
	var count int64
	counts := make([]int64, bins)
	var whole int16
	add := func(i int) {
		counts[i%bins]++
		count++
	}
	for i := 0; i < l.n && i <= l.lowest; i++ {
		count += int64(i) - 1
		add(i)
		whole += int16(i * 257)
		if v := l.views; i < l.lowest && v.Nest > 0 && i%v.Nest == 0 {
			for k := range inner {
				add(i + k)
			}
		}
	}
	switch {
	case got.count != count:
		return fmt.Sprintf("Counter: %d, expected %d", got.count, count)
	case got.whole != whole:
		return fmt.Sprintf("Sum: %d, expected %d", got.whole, whole)
	case !slices.Equal(got.counts, counts):
		return fmt.Sprintf("Histogram: %v, expected %v", got.counts, counts)
	case (got.ending() == outcome{}.String()) != (l.lowest == l.n):
		return "outcome: " + got.ending()
	}
	return ""
}

func runParallelFor(t *testing.T, input []byte) {
	p := newProgram(t, input)
	l := readLoop(p)
	p.logf("%s, n %d batch %d workers %d forced %v twice %v nest %d on %d, faults %v", loopKinds[l.kind].name, l.n, l.batch, l.workers,
		l.forced, l.twice, l.views.Nest, l.views.Workers, l.views.Faults[:l.views.Faulty])
	want := l.run(true)
	if d := l.check(want); d != "" {
		t.Fatalf("%s Sequential() differs from the plain loop: %s", loopKinds[l.kind].name, d)
	}
	if l.forced {
		defer handout.Force(l.views.Seed)()
	}
	if d := l.differ(l.run(false), want); d != "" {
		t.Fatalf("%s with n %d, Batch(%d) and Workers(%d) differs from Sequential(): %s", loopKinds[l.kind].name, l.n, l.batch, l.workers, d)
	}
}

func FuzzParallelFor(f *testing.F) {
	// shape (long, 2 forced, 4 twice, 8 nested, 16 workers of nested loops), kind, n, batch (32 is
	// Batch(-1), 40 and up Batch(k%16+1), 200 and up about n), workers, seed, [nest], faults.
	for kind := range byte(len(loopKinds)) {
		f.Add([]byte{2, kind, 100, 0, 1, kind})
		f.Add([]byte{2, kind, 64, 48, 3, kind, 128, kind % failures, 40, (kind + 1) % failures})
		f.Add([]byte{2 + 8 + 32, kind, 90, 50, 3, kind, 1})
	}
	for how := range byte(failures) {
		f.Add([]byte{2, 2, 33, 48, 7, how, 255, how, 128, how, 129, (how + 1) % failures})
		f.Add([]byte{2 + 4, 0, 33, 48, 2, how, 77, how})
	}
	f.Add([]byte{2, 0, 0, 0, 3, 0})                    // nothing to do
	f.Add([]byte{2, 0, 1, 0, 3, 0, 0, failGoexit})     // one index, and it fails
	f.Add([]byte{2 + 1, 1, 255, 0, 7, 9})              // long
	f.Add([]byte{2 + 4, 0, 200, 41, 1, 5})             // a chain of two loops
	f.Add([]byte{2, 3, 60, 33, 3, 1})                  // one worker
	f.Add([]byte{2, 5, 60, 200, 3, 1, 200, failPanic}) // about one cell
	f.Fuzz(runParallelFor)
}
