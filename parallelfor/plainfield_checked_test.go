package parallelfor_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// tallying is a job that counts in a plain field.
type tallying struct {
	In     array.Reader[int]
	Errors int
}

func (t *tallying) Execute(i int) {
	if t.In.At(i) < 0 {
		t.Errors++
	}
}

func (t *tallying) ExecuteBatch(begin, end int) { t.Errors += end - begin }

type tallyOnce struct{ Done bool }

func (t *tallyOnce) Execute() { t.Done = true }

type tallyReduce struct{ Sum int }

func (t *tallyReduce) ExecuteReduce(begin, end int) int { t.Sum += end - begin; return t.Sum }
func (*tallyReduce) Combine(a, b int) int               { return a + b }

// A plain field that all bodies write is reported on every run, in every form of loop and at any
// number of workers.
func TestABodyThatWritesAPlainFieldIsReported(t *testing.T) {
	if !safety.Enabled {
		t.Skip("unchecked builds do not look")
	}
	const n = 1000
	in := array.New[int](n)
	for i := range in.Slice() {
		in.Set(i, -1)
	}
	type counts struct {
		In array.Reader[int]
		C  struct{ Errors int }
	}
	views := counts{In: in.Reader()}
	ctx := context.Background()
	forms := map[string]struct {
		field string
		run   func(o ...parallelfor.Option)
	}{
		"For of a method": {"Errors", func(o ...parallelfor.Option) {
			parallelfor.For(n, tallying{In: in.Reader()}, (*tallying).Execute, o...)
		}},
		"ForBatch of a method": {"Errors", func(o ...parallelfor.Option) {
			parallelfor.ForBatch(n, tallying{In: in.Reader()}, (*tallying).ExecuteBatch, o...)
		}},
		"Schedule": {"Errors", func(o ...parallelfor.Option) {
			parallelfor.Schedule(n, tallying{In: in.Reader()}, (*tallying).Execute, o...).Complete()
		}},
		"Inline": {"Errors", func(o ...parallelfor.Option) {
			parallelfor.Schedule(n, tallying{In: in.Reader()}, (*tallying).Execute, append(o, parallelfor.Inline())...).Complete()
		}},
		"After": {"Errors", func(o ...parallelfor.Option) {
			before := parallelfor.ScheduleDo(tallyNothing{}, (*tallyNothing).Execute)
			parallelfor.Schedule(n, tallying{In: in.Reader()}, (*tallying).Execute, append(o, parallelfor.After(before))...).Complete()
		}},
		"Do of a method": {"Done", func(o ...parallelfor.Option) { parallelfor.Do(tallyOnce{}, (*tallyOnce).Execute, o...) }},
		"Go":             {"Done", func(o ...parallelfor.Option) { parallelfor.Go(tallyOnce{}, (*tallyOnce).Execute, o...).Complete() }},
		"For": {"C.Errors", func(o ...parallelfor.Option) {
			parallelfor.For(n, views, func(v *counts, i int) { v.C.Errors++ }, o...)
		}},
		"For of a value": {"", func(o ...parallelfor.Option) { parallelfor.For(n, 0, func(v *int, i int) { *v++ }, o...) }},
		"ForErr": {"C.Errors", func(o ...parallelfor.Option) {
			_ = parallelfor.ForErr(ctx, n, views, func(v *counts, i int) error { v.C.Errors++; return nil }, o...)
		}},
		"Find": {"C.Errors", func(o ...parallelfor.Option) {
			parallelfor.Find(n, views, func(v *counts, i int) bool { v.C.Errors++; return true }, o...)
		}},
		"Filter": {"C.Errors", func(o ...parallelfor.Option) {
			parallelfor.Filter(n, views, func(v *counts, i int) bool { v.C.Errors++; return true }, o...)
		}},
		"Reduce": {"Sum", func(o ...parallelfor.Option) {
			parallelfor.Reduce(n, tallyReduce{}, (*tallyReduce).ExecuteReduce, plus[int], o...)
		}},
	}
	options := map[string][]parallelfor.Option{
		"":           nil,
		"1 worker":   {parallelfor.Workers(1)},
		"4 workers":  {parallelfor.Workers(4)},
		"sequential": {parallelfor.Sequential()},
	}
	for form, f := range forms {
		for with, o := range options {
			for run := range 20 {
				v := violation(t, safety.ErrPlainField, func() { f.run(o...) })
				require.Equal(t, f.field, v.Field, "%s %s, run %d", form, with, run)
			}
		}
	}
}

type tallyNothing struct{}

func (tallyNothing) Execute() {}

// writesAt is a job that writes a plain field at one index alone.
type writesAt struct {
	At    int
	Wrote int
}

func (w *writesAt) Execute(i int) {
	if i == w.At {
		w.Wrote++
	}
}

// A checked build reports a write in batch 0 and no other, whichever workers execute the batches.
func TestOnlyBatch0IsLookedAtInCheckedBuilds(t *testing.T) {
	if !safety.Enabled || safety.Strict {
		t.Skip("checked builds only")
	}
	for seed := range uint64(200) {
		restore := handout.Force(seed)
		for at := range 4 {
			run := func() {
				parallelfor.For(8, writesAt{At: at}, (*writesAt).Execute, parallelfor.Batch(2), parallelfor.Workers(3))
			}
			if at < 2 {
				require.Equal(t, "Wrote", violation(t, safety.ErrPlainField, run).Field, fmt.Sprint("at ", at, ", seed ", seed))
			} else {
				require.NotPanics(t, run, fmt.Sprint("at ", at, ", seed ", seed))
			}
		}
		restore()
	}
}
