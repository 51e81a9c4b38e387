package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// everything is a job with every kind of view that a loop can be equal to its sequential run in.
type everything struct {
	In        array.Reader[int]
	Out       array.Writer[int]
	Rows      array.Writer[int]
	Parts     array.OffsetWriter[int]
	Log       appender[int]
	Same      appender[int] // of the same journal
	Sum       adder
	Worker    parallelfor.Worker
	Seed      uint64
	FailAt    [2]int // indices that fail, by an error
	Discarded int
	Crew      *crew `custody:"unguarded"`
}

var errIndex = errors.New("the index failed")

func (e *everything) Execute(i int) error {
	e.Crew[e.Worker.Index()].Add(1)
	if !safety.Enabled {
		e.Discarded += i
	}
	x := e.In.At(i)
	e.Log.Append(i)
	e.Out.Set(i, e.Out.At(i)*2+x)
	for k := range e.Rows.Row(i) {
		e.Rows.Row(i)[k] = x*10 + k
	}
	for k := range e.Parts.Row(i) {
		e.Parts.Row(i)[k] = i - k
	}
	for k := range x % 4 {
		e.Same.Append(1000*i + k)
	}
	e.Sum.Add(1 / float64(x+1))
	e.Log.Append(int(e.Worker.Rand(e.Seed, i).Uint32() >> 8))
	if i == e.FailAt[0] || i == e.FailAt[1] {
		return fmt.Errorf("%w: %d", errIndex, i)
	}
	e.Log.Append(-i)
	return nil
}

// asBatch is the same job a batch at a time, which also notes where it was cut.
type asBatch struct{ Of everything }

func (b *asBatch) ExecuteBatch(begin, end int) error {
	b.Of.Log.Append(begin)
	for i := begin; i < end; i++ {
		if err := b.Of.Execute(i); err != nil {
			return err
		}
	}
	b.Of.Log.Append(end)
	return nil
}

// plan is a generated job.
type plan struct {
	n, batch, workers int
	seed              uint64
	failAt            [2]int
}

// result is what a run of it left.
type result struct {
	out, rows, parts, log []int
	sum                   uint64
	err                   string
	crew                  int
}

// same compares all that a run promises: what batches above a failure wrote is open.
func (r result) same(o result, failed bool) bool {
	return slices.Equal(r.log, o.log) && r.sum == o.sum && r.err == o.err &&
		(failed || slices.Equal(r.out, o.out) && slices.Equal(r.rows, o.rows) && slices.Equal(r.parts, o.parts))
}

// run runs the plan in one of its forms.
func (p plan) run(form int, opts ...parallelfor.Option) (r result) {
	in, offsets := array.New[int](p.n), array.New[int](p.n+1)
	for i := range p.n {
		in.Set(i, int((p.seed>>(i%50)+uint64(i))%97))
		offsets.Set(i+1, offsets.At(i)+in.At(i)%3)
	}
	out, rows, parts := array.New[int](p.n), array.New[int](3*p.n), array.New[int](offsets.At(p.n))
	log, sum := newJournal[int](), newFolded()
	job := everything{In: in.Reader(), Out: out.Writer(), Rows: array.ByRows(rows.Writer(), 3), Parts: array.ByOffsets(parts.Writer(), offsets.Reader()),
		Log: log.Appender(), Same: log.Appender(), Sum: sum.Adder(), Seed: p.seed, FailAt: p.failAt, Crew: new(crew)}
	opts = append(opts, parallelfor.Batch(p.batch))
	ctx := context.Background()
	var err error
	switch form {
	case 0:
		err = parallelfor.ForErr(ctx, p.n, job, (*everything).Execute, opts...)
	case 1:
		err = parallelfor.ForBatchErr(ctx, p.n, asBatch{job}, (*asBatch).ExecuteBatch, opts...)
	case 2:
		err = parallelfor.ForErr(ctx, p.n, job, (*everything).Execute, opts...)
	case 3:
		h := parallelfor.ScheduleBatchErr(ctx, p.n, asBatch{job}, (*asBatch).ExecuteBatch, opts...)
		h.Complete()
		err = h.Err()
	case 4:
		h := parallelfor.ScheduleErr(ctx, p.n, job, (*everything).Execute, append(opts, parallelfor.After(parallelfor.Combine()))...)
		last := parallelfor.ScheduleErr(ctx, 0, everything{In: in.Reader(), Out: out.Writer(), Rows: rows.Writer(), Parts: array.ByOffsets(parts.Writer(), offsets.Reader()),
			Log: log.Appender(), Same: log.Appender(), Sum: sum.Adder()}, (*everything).Execute, parallelfor.After(h))
		last.Complete()
		err = last.Err()
	}
	r = result{values(out), values(rows), values(parts), log.Items(), math.Float64bits(sum.Value()), "", job.Crew.size()}
	if err != nil {
		r.err = err.Error()
	}
	return r
}

func genPlan() gopter.Gen {
	return gopter.CombineGens(gen.IntRange(0, 150), gen.IntRange(0, 150), gen.IntRange(1, 8), gen.UInt64(), gen.IntRange(-300, 150), gen.IntRange(-300, 150)).
		Map(func(v []any) plan {
			p := plan{n: v[0].(int), batch: v[1].(int), workers: v[2].(int), seed: v[3].(uint64), failAt: [2]int{v[4].(int), v[5].(int)}}
			p.batch = min(p.batch, p.n)
			return p
		})
}

// failing reports whether an index of the plan fails.
func (p plan) failing() bool {
	return p.failAt[0] >= 0 && p.failAt[0] < p.n || p.failAt[1] >= 0 && p.failAt[1] < p.n
}

func TestAParallelLoopEqualsItsSequentialRun(t *testing.T) {
	watchdog(t)
	p := gopter.NewProperties(parameters(400))
	p.Property("with the batches taken as they come", prop.ForAll(func(p plan, form int) bool {
		return p.run(form, parallelfor.Workers(p.workers)).same(p.run(form, parallelfor.Sequential()), p.failing())
	}, genPlan(), gen.IntRange(0, 4)))
	p.TestingRun(t)
}

func TestAParallelLoopEqualsItsSequentialRunWhenTheBatchesAreDealt(t *testing.T) {
	watchdog(t)
	parallel, two := 0, 0
	p := gopter.NewProperties(parameters(400))
	p.Property("with the batches dealt and shuffled", prop.ForAll(func(p plan, form int) bool {
		want := p.run(form, parallelfor.Sequential())
		defer handout.Force(p.seed)()
		got := p.run(form, parallelfor.Workers(p.workers))
		if _, batches := parallelfor.Grid(p.n, p.batch); batches > 1 && p.workers > 1 && !p.failing() {
			two++
			if got.crew > 1 {
				parallel++
			}
		}
		return got.same(want, p.failing())
	}, genPlan(), gen.IntRange(0, 4)))
	p.TestingRun(t)
	require.GreaterOrEqual(t, parallel*10, two*9, "of %d loops with two batches only %d ran on two workers", two, parallel)
	require.Positive(t, two)
}

func TestAPerIndexLoopEqualsThePlainLoop(t *testing.T) {
	const n = 500
	log := newJournal[int]()
	var want []int
	for i := range n {
		for k := range i % 3 {
			want = append(want, i*k)
		}
	}
	defer handout.Force(7)()
	parallelfor.For(n, log.Appender(), func(a *appender[int], i int) {
		for k := range i % 3 {
			a.Append(i * k)
		}
	}, parallelfor.Workers(8))
	require.Equal(t, want, log.Items())
}

func TestPhasesTellContainersTheGridAndWhatCounts(t *testing.T) {
	f := newFolded()
	add := func(a *adder, begin, end int) { a.Add(float64(end - begin)) }
	parallelfor.ForBatch(10, f.Adder(), add, parallelfor.Batch(3), parallelfor.Workers(3))
	require.Len(t, f.seals, 1)
	s := f.seals[0]
	require.Equal(t, []int{10, 4, 3, 3, 4}, []int{s.N, s.Batches, s.BatchSize, s.Workers, s.Kept})
	require.Equal(t, 10.0, f.Value())
	err := parallelfor.ForBatchErr(context.Background(), 10, f.Adder(), func(_ *adder, begin, _ int) error {
		if begin >= 6 {
			return errIndex
		}
		return nil
	}, parallelfor.Batch(3))
	require.ErrorIs(t, err, errIndex)
	require.Equal(t, 3, f.seals[1].Kept)
	require.Equal(t, []bool{true, false}, f.back)
	parallelfor.ForBatch(0, f.Adder(), add)
	require.Equal(t, 0, f.seals[2].Kept)
}
