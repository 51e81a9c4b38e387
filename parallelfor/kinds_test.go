package parallelfor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type (
	indexJob     struct{ Out array.Writer[int] }
	batchJob     struct{ Out array.Writer[int] }
	singleJob    struct{ Out array.Writer[int] }
	indexErrJob  struct{ Out array.Writer[int] }
	batchErrJob  struct{ Out array.Writer[int] }
	singleErrJob struct{ Out array.Writer[int] }
)

func fill(w *array.Writer[int], begin, end int) error {
	for i := begin; i < end; i++ {
		w.Set(i, w.At(i)+i+1)
	}
	if end > 40 {
		return errIndex
	}
	return nil
}

func all(w *array.Writer[int]) error { return fill(w, 0, len(w.Slice())) }

func (j *indexJob) Execute(i int)                  { _ = fill(&j.Out, i, i+1) }
func (j *batchJob) ExecuteBatch(b, e int)          { _ = fill(&j.Out, b, e) }
func (j *singleJob) Execute()                      { _ = all(&j.Out) }
func (j *indexErrJob) Execute(i int) error         { return fill(&j.Out, i, i+1) }
func (j *batchErrJob) ExecuteBatch(b, e int) error { return fill(&j.Out, b, e) }
func (j *singleErrJob) Execute() error             { return all(&j.Out) }

// KindsSuite runs the same loop through every form of every kind.
type KindsSuite struct{ suite.Suite }

func TestKinds(t *testing.T) { suite.Run(t, new(KindsSuite)) }

// form is a way to run a loop of n indices over the array.
type form struct {
	name   string
	fails  bool // it can return an error
	single bool
	run    func(n int, a *array.Array[int], opts ...parallelfor.Option) error
}

func done(h parallelfor.Handle) error {
	h.Complete()
	return h.Err()
}

var bg = context.Background()

var forms = []form{
	{"For of a method", false, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		parallelfor.For(n, indexJob{a.Writer()}, (*indexJob).Execute, o...)
		return nil
	}},
	{"ForBatch of a method", false, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		parallelfor.ForBatch(n, batchJob{a.Writer()}, (*batchJob).ExecuteBatch, o...)
		return nil
	}},
	{"Do of a method", false, true, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		parallelfor.Do(singleJob{a.Writer()}, (*singleJob).Execute, o...)
		return nil
	}},
	{"ForErr of a method", true, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return parallelfor.ForErr(bg, n, indexErrJob{a.Writer()}, (*indexErrJob).Execute, o...)
	}},
	{"ForBatchErr of a method", true, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return parallelfor.ForBatchErr(bg, n, batchErrJob{a.Writer()}, (*batchErrJob).ExecuteBatch, o...)
	}},
	{"DoErr of a method", true, true, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return parallelfor.DoErr(bg, singleErrJob{a.Writer()}, (*singleErrJob).Execute, o...)
	}},
	{"Schedule", false, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return done(parallelfor.Schedule(n, indexJob{a.Writer()}, (*indexJob).Execute, o...))
	}},
	{"ScheduleBatch", false, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return done(parallelfor.ScheduleBatch(n, batchJob{a.Writer()}, (*batchJob).ExecuteBatch, o...))
	}},
	{"ScheduleDo", false, true, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return done(parallelfor.ScheduleDo(singleJob{a.Writer()}, (*singleJob).Execute, o...))
	}},
	{"ScheduleErr", true, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return done(parallelfor.ScheduleErr(bg, n, indexErrJob{a.Writer()}, (*indexErrJob).Execute, o...))
	}},
	{"ScheduleBatchErr", true, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return done(parallelfor.ScheduleBatchErr(bg, n, batchErrJob{a.Writer()}, (*batchErrJob).ExecuteBatch, o...))
	}},
	{"ScheduleDoErr", true, true, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return done(parallelfor.ScheduleDoErr(bg, singleErrJob{a.Writer()}, (*singleErrJob).Execute, o...))
	}},
	{"For", false, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		parallelfor.For(n, a.Writer(), func(w *array.Writer[int], i int) { _ = fill(w, i, i+1) }, o...)
		return nil
	}},
	{"ForBatch", false, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		parallelfor.ForBatch(n, a.Writer(), func(w *array.Writer[int], b, e int) { _ = fill(w, b, e) }, o...)
		return nil
	}},
	{"Do", false, true, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { _ = all(w) }, o...)
		return nil
	}},
	{"ForErr", true, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return parallelfor.ForErr(bg, n, a.Writer(), func(w *array.Writer[int], i int) error { return fill(w, i, i+1) }, o...)
	}},
	{"ForBatchErr", true, false, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return parallelfor.ForBatchErr(bg, n, a.Writer(), fill, o...)
	}},
	{"DoErr", true, true, func(n int, a *array.Array[int], o ...parallelfor.Option) error {
		return parallelfor.DoErr(bg, a.Writer(), all, o...)
	}},
}

func (s *KindsSuite) each(test func(f form)) {
	for _, f := range forms {
		s.Run(f.name, func() { test(f) })
	}
}

func (s *KindsSuite) TestEveryFormRunsTheWholeLoop() {
	s.each(func(f form) {
		for _, o := range [][]parallelfor.Option{nil, {parallelfor.Sequential()}, {parallelfor.Workers(3), parallelfor.Batch(7)}} {
			a := array.New[int](40)
			s.NoError(f.run(40, a, o...))
			for i, v := range a.All() {
				s.Equal(i+1, v)
			}
		}
	})
}

func (s *KindsSuite) TestNoIndicesRunNothing() {
	s.each(func(f form) {
		if f.single {
			return
		}
		a := array.New[int](5)
		s.NoError(f.run(0, a))
		s.Equal(make([]int, 5), values(a))
	})
}

func (s *KindsSuite) TestANegativeNumberOfIndicesIsAViolation() {
	s.each(func(f form) {
		if f.single {
			return
		}
		a := array.New[int](5)
		v := violation(s.T(), safety.ErrLength, func() { _ = f.run(-3, a, parallelfor.Name("negative")) })
		s.Equal(-3, v.N)
		s.Equal("negative", v.Job)
		a.Set(0, 1) // nothing was lent
	})
}

func (s *KindsSuite) TestAnErrorIsReturnedByTheErrForms() {
	s.each(func(f form) {
		a := array.New[int](60)
		err := f.run(60, a, parallelfor.Batch(20))
		if f.fails {
			s.ErrorIs(err, errIndex)
		} else {
			s.NoError(err)
		}
	})
}

func (s *KindsSuite) TestMoreIndicesThanTheWriterServesAreAViolation() {
	checkedOnly(s.T())
	s.each(func(f form) {
		if f.single {
			return
		}
		v := violation(s.T(), safety.ErrLength, func() { _ = f.run(6, array.New[int](5)) })
		s.Equal([]int{6, 5}, []int{v.N, v.Length})
	})
}

func (s *KindsSuite) TestANilBodyIsAViolation() {
	for _, run := range []func(){
		func() { parallelfor.For[none](1, none{}, nil) },
		func() { parallelfor.ForBatch[none](1, none{}, nil) },
		func() { parallelfor.Do[none](none{}, nil) },
		func() { _ = parallelfor.ForErr[none](bg, 1, none{}, nil) },
		func() { _ = parallelfor.ForBatchErr[none](bg, 1, none{}, nil) },
		func() { _ = parallelfor.DoErr[none](bg, none{}, nil) },
	} {
		violation(s.T(), safety.ErrArgument, run)
	}
}

func (s *KindsSuite) TestAValueWithoutARangeIsWrittenByOneWorkerOnly() {
	x := array.NewValue(0)
	count := func(v *array.ValueWriter[int], i int) { v.Store(v.Load() + i) }
	parallelfor.For(10, x.Writer(), count, parallelfor.Batch(-1))
	parallelfor.Do(x.Writer(), func(v *array.ValueWriter[int]) { v.Store(v.Load() * 2) })
	s.Equal(90, x.Load())
	if safety.Enabled {
		for _, o := range []parallelfor.Option{parallelfor.Batch(0), parallelfor.Workers(1), parallelfor.Sequential()} {
			violation(s.T(), safety.ErrNoRange, func() { parallelfor.For(10, x.Writer(), count, o) })
		}
	}
}
