package fuzz_test

import (
	"context"
	"testing"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
)

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
	{"For of a method", false, func(n int, v loopViews, o []parallelfor.Option) error {
		parallelfor.For(n, loopJob{v}, (*loopJob).Execute, o...)
		return nil
	}},
	{"ForBatch of a method", true, func(n int, v loopViews, o []parallelfor.Option) error {
		parallelfor.ForBatch(n, loopJob{v}, (*loopJob).ExecuteBatch, o...)
		return nil
	}},
	{"ForErr of a method", false, func(n int, v loopViews, o []parallelfor.Option) error {
		return parallelfor.ForErr(context.Background(), n, loopErrJob{v}, (*loopErrJob).Execute, o...)
	}},
	{"ForBatchErr of a method", true, func(n int, v loopViews, o []parallelfor.Option) error {
		return parallelfor.ForBatchErr(context.Background(), n, loopErrJob{v}, (*loopErrJob).ExecuteBatch, o...)
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
		h := parallelfor.Schedule(n, loopJob{v}, (*loopJob).Execute, o...)
		h.Complete()
		return h.Err()
	}},
	{"ScheduleBatch", true, func(n int, v loopViews, o []parallelfor.Option) error {
		h := parallelfor.ScheduleBatch(n, loopJob{v}, (*loopJob).ExecuteBatch, o...)
		h.Complete()
		return h.Err()
	}},
	{"ScheduleErr", false, func(n int, v loopViews, o []parallelfor.Option) error {
		h := parallelfor.ScheduleErr(context.Background(), n, loopErrJob{v}, (*loopErrJob).Execute, o...)
		h.Complete()
		return h.Err()
	}},
	{"ScheduleBatchErr", true, func(n int, v loopViews, o []parallelfor.Option) error {
		h := parallelfor.ScheduleBatchErr(context.Background(), n, loopErrJob{v}, (*loopErrJob).ExecuteBatch, o...)
		h.Complete()
		return h.Err()
	}},
}

// second is the loop that runs after: it reads what the first wrote.
type second struct {
	From array.Reader[int]
	To   array.Writer[int]
	Sum  counter.SumParallelWriter[float64]
}

func (j *second) Execute(i int) {
	j.To.Set(i, j.From.At(i)+1)
	j.Sum.Add(float64(j.From.At(i)))
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
	v.In, v.Out, v.Log = d.in.Reader(), d.out.Writer(), array.ByRows(d.log.Writer(), 2)
	v.Count, v.Sum, v.Whole = d.count.ParallelWriter(), d.sum.ParallelWriter(), d.whole.ParallelWriter()
	v.Min, v.Max, v.Bins = d.min.ParallelWriter(), d.max.ParallelWriter(), d.bins.ParallelWriter()
	o := outcomeOf(func() error {
		if !l.twice {
			return loopKinds[l.kind].run(l.n, v, options)
		}
		h := parallelfor.Schedule(l.n, loopJob{v}, (*loopJob).Execute, options...)
		g := parallelfor.Schedule(l.n, second{d.out.Reader(), d.in.Writer(), d.sum.ParallelWriter()}, (*second).Execute, append(options, parallelfor.After(h))...)
		g.Complete()
		return nil
	})
	return d.left(o)
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
	f.Add([]byte{2, 5, 60, 200, 3, 1, 200, failPanic}) // about one batch
	f.Fuzz(runParallelFor)
}
