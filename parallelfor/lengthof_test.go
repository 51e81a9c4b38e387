package parallelfor_test

import (
	"context"
	"math"
	"runtime"
	"strconv"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Reader returns a view that reads the items as they are when the job starts.
func (j *journal[T]) Reader() pages[T] {
	return pages[T]{Hold: j.guard.Hold(safety.Read, nil), of: j}
}

type pages[T any] struct {
	safety.Hold
	of    *journal[T]
	items []T
}

// Bind implements safety.Binder.
func (p *pages[T]) Bind(b safety.Binding) {
	p.Hold.Bind(b)
	p.items = p.of.items
}

// Len returns the length for LengthOf.
func (p *pages[T]) Len() int {
	p.Hold.Check()
	return len(p.items)
}

// At returns an item.
func (p *pages[T]) At(i int) T {
	p.Hold.Check()
	return p.items[i]
}

// count is a view whose length is what a function returns.
type count struct {
	safety.Hold
	len func() int
}

func newCount(n *array.Value[int], len func() int) count {
	r := n.Reader()
	return count{Hold: lawtest.ClaimOf(&r).Guard.Hold(safety.Read, nil), len: len}
}

func (c *count) Len() int { return c.len() }

// allButTheFirst embeds a view, and has a length of its own.
type allButTheFirst struct {
	_ int
	array.Reader[int]
}

func (a *allButTheFirst) Len() int { return a.Reader.Len() - 1 }

// pointsToReader embeds a pointer to a view.
type pointsToReader struct{ *array.Reader[int] }

func TestLengthOfAStructThatEmbedsAPointerToAView(t *testing.T) {
	r := array.New[int](3).Reader()
	v := violation(t, safety.ErrField, func() { parallelfor.For(-1, none{}, nothing, parallelfor.LengthOf(pointsToReader{&r})) })
	require.Contains(t, v.Error(), "pointsToReader, which embeds a pointer to a view")
}

func TestLengthOfAStructThatEmbedsAView(t *testing.T) {
	a, out := array.New[int](3), array.New[int](3)
	parallelfor.For(-1, out.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 1) }, parallelfor.LengthOf(allButTheFirst{Reader: a.Reader()}))
	require.Equal(t, []int{1, 1, 0}, out.Slice())
	checkedOnly(t)
	h := scheduleFor(3, a.Writer(), func(w *array.Writer[int], i int) {})
	v := violation(t, safety.ErrConflict, func() {
		parallelfor.For(-1, none{}, nothing, parallelfor.LengthOf(allButTheFirst{Reader: a.Reader()}))
	})
	require.Equal(t, "LengthOf", v.Field)
	h.Complete()
}

// fillThen schedules a job that leaves n items in a list, and one over as many as there are.
func fillThen(n int, opts ...parallelfor.Option) (items, squares []int, h parallelfor.Handle) {
	list, out := newJournal[int](), array.New[int](40)
	fill := scheduleFor(n, list.Appender(), func(a *appender[int], i int) { a.Append(i + 1) }, parallelfor.Batch(3))
	type views struct {
		In  pages[int]
		Out array.Writer[int]
	}
	h = scheduleFor(-1, views{list.Reader(), out.Writer()}, func(v *views, i int) {
		v.Out.Set(i, v.In.At(i)*v.In.At(i))
	}, append(opts, parallelfor.After(fill), parallelfor.LengthOf(list.Reader()))...)
	h.Complete()
	return list.Items(), values(out), h
}

func TestALoopIsAsLongAsItsViewWhenItStarts(t *testing.T) {
	watchdog(t)
	p := gopter.NewProperties(parameters(200))
	p.Property("for every batch and number of workers", prop.ForAll(func(n, batch, workers int, forced bool) bool {
		if forced {
			defer handout.Force(uint64(n))()
		}
		items, squares, _ := fillThen(n, parallelfor.Batch(batch), parallelfor.Workers(workers))
		for i, s := range squares {
			want := 0
			if i < n {
				want = (i + 1) * (i + 1)
			}
			if s != want {
				return false
			}
		}
		return len(items) == n
	}, gen.IntRange(0, 40), gen.IntRange(-1, 9), gen.IntRange(1, 5), gen.Bool()))
	p.TestingRun(t)
}

func TestALoopTooLongForItsViewsFailsWhenItStarts(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	list, out := newJournal[int](), array.New[int](9, safety.Named("out"))
	fill := scheduleFor(10, list.Appender(), func(a *appender[int], i int) { a.Append(i) })
	h := scheduleFor(-1, out.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 1) }, parallelfor.Name("long"), parallelfor.After(fill), parallelfor.LengthOf(list.Reader()))
	next := scheduleFor(9, out.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 1) }, parallelfor.After(h))
	fill.Complete()
	v := violation(t, safety.ErrLength, h.Complete)
	require.Equal(t, []any{"long", "Views", 10, 9}, []any{v.Job, v.Field, v.N, v.Length})
	require.Contains(t, v.Container, `"out"`)
	require.ErrorIs(t, endingOf(next.Complete).value.(error), safety.ErrLength, "the root failure")
	require.Equal(t, make([]int, 9), values(out))
	err := endingOf(func() {
		parallelfor.For(-1, out.Writer(), nothing, parallelfor.LengthOf(array.New[int](10).Reader()))
	})
	require.ErrorIs(t, err.value.(error), safety.ErrLength, "when it is run in one call, too")
	out.Set(0, 1)
}

func TestTheViewOfALengthIsAClaim(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a, out := numbers(5), array.New[int](5)
	w := scheduleFor(5, a.Writer(), nothing)
	v := violation(t, safety.ErrConflict, func() {
		scheduleFor(-1, out.Writer(), nothing, parallelfor.LengthOf(a.Reader()))
	})
	require.Equal(t, "LengthOf", v.Field)
	w.Complete()
	h := scheduleFor(-1, out.Writer(), nothing, parallelfor.LengthOf(a.Reader()))
	violation(t, safety.ErrInFlight, func() { a.Set(0, 1) })
	require.Equal(t, 1, a.At(1), "it only reads")
	h.Complete()
	a.Set(0, 1)
	v = violation(t, safety.ErrUnassigned, func() {
		scheduleFor(-1, out.Writer(), nothing, parallelfor.LengthOf(array.Reader[int]{}))
	})
	require.Equal(t, "LengthOf", v.Field)
}

func TestAJobMayTakeItsLengthFromWhatItHoldsAnyway(t *testing.T) {
	watchdog(t)
	a := numbers(7)
	for _, length := range []parallelfor.Option{parallelfor.LengthOf(a.Reader()), parallelfor.LengthOf(a.Writer())} {
		parallelfor.For(-1, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, w.At(i)+1) }, length, parallelfor.Batch(2), parallelfor.Workers(2))
	}
	require.Equal(t, []int{2, 3, 4, 5, 6, 7, 8}, values(a))
	list := newJournal[int]()
	parallelfor.For(3, list.Appender(), func(a *appender[int], i int) { a.Append(i) })
	parallelfor.For(-1, list.Appender(), func(a *appender[int], i int) { a.Append(10 + i) }, parallelfor.LengthOf(list.Reader()))
	require.Equal(t, []int{0, 1, 2, 10, 11, 12}, list.Items(), "as long as it was at the start")
}

func TestEveryKindOfLoopTakesALength(t *testing.T) {
	watchdog(t)
	ctx := context.Background()
	in, calls := numbers(11), counter.New()
	length := func() parallelfor.Option { return parallelfor.LengthOf(in.Reader()) }
	each := func(c *counter.ParallelWriter, _ int) { c.Inc() }
	batches := func(c *counter.ParallelWriter, begin, end int) { c.Add(int64(end - begin)) }
	for name, run := range map[string]func(){
		"For":      func() { parallelfor.For(-1, calls.ParallelWriter(), each, length()) },
		"ForBatch": func() { parallelfor.ForBatch(-1, calls.ParallelWriter(), batches, length()) },
		"ForErr": func() {
			require.NoError(t, parallelfor.ForErr(ctx, -1, calls.ParallelWriter(), func(c *counter.ParallelWriter, i int) error { each(c, i); return nil }, length()))
		},
		"ForBatchErr": func() {
			require.NoError(t, parallelfor.ForBatchErr(ctx, -1, calls.ParallelWriter(), func(c *counter.ParallelWriter, b, e int) error { batches(c, b, e); return nil }, length()))
		},
		"Schedule":     func() { scheduleFor(-1, calls.ParallelWriter(), each, length()).Complete() },
		"in AutoOrder": func() { scheduleFor(-1, calls.ParallelWriter(), each, length(), parallelfor.AutoOrder()).Complete() },
		"Inline":       func() { scheduleFor(-1, calls.ParallelWriter(), each, length(), parallelfor.Inline()).Complete() },
		"Sequential":   func() { parallelfor.For(-1, calls.ParallelWriter(), each, length(), parallelfor.Sequential()) },
		"a job in a job": func() {
			parallelfor.Do(calls.ParallelWriter(), func(c *counter.ParallelWriter) {
				own := array.New[int](11)
				parallelfor.For(-1, *c, each, parallelfor.LengthOf(own.Reader()))
			})
		},
		"a lent view": func() {
			type views struct {
				In    array.Reader[int]
				Calls counter.ParallelWriter
			}
			parallelfor.Do(views{in.Reader(), calls.ParallelWriter()}, func(v *views) {
				parallelfor.For(-1, v.Calls, each, parallelfor.LengthOf(v.In))
			})
		},
		"Find": func() {
			require.Equal(t, -1, parallelfor.Find(-1, calls.ParallelWriter(), func(c *counter.ParallelWriter, i int) bool { each(c, i); return false }, length()))
		},
	} {
		calls.Set(0)
		run()
		require.EqualValues(t, 11, calls.Value(), name)
	}
}

func TestALentWindowIsAsLongAsItself(t *testing.T) {
	watchdog(t)
	a := numbers(10)
	parallelfor.ForBatch(10, a.Writer(), func(w *array.Writer[int], _, _ int) {
		parallelfor.For(-1, *w, func(w *array.Writer[int], i int) { w.Set(i, 100+i) }, parallelfor.LengthOf(*w))
	}, parallelfor.Batch(4))
	require.Equal(t, []int{100, 101, 102, 103, 100, 101, 102, 103, 100, 101}, values(a))
}

func TestALengthWhereThereIsNoneIsAViolation(t *testing.T) {
	a := numbers(5)
	length := parallelfor.LengthOf(a.Reader())
	for name, run := range map[string]func(){
		"indices besides": func() { parallelfor.For(5, a.Writer(), nothing, length) },
		"none besides":    func() { parallelfor.For(0, a.Writer(), nothing, length) },
		"a single job":    func() { parallelfor.Do(a.Writer(), func(*array.Writer[int]) {}, length) },
		"a reduction": func() {
			parallelfor.Reduce(-1, a.Reader(), func(*array.Reader[int], int, int) int { return 0 }, func(a, b int) int { return a + b }, length)
		},
	} {
		violation(t, safety.ErrArgument, run)
		require.NotPanics(t, func() { a.Set(0, 1) }, name)
	}
	violation(t, safety.ErrLength, func() { parallelfor.For(-1, a.Writer(), nothing) })
}

func TestAViewThatCannotTellItsLengthFailsTheJob(t *testing.T) {
	watchdog(t)
	n := array.NewValue(3)
	out := array.New[int](5)
	for _, c := range []struct {
		len   func() int
		check func(e ending)
	}{
		{func() int { return -3 }, func(e ending) {
			v, ok := e.value.(*safety.Violation)
			require.True(t, ok, "%v", e)
			require.ErrorIs(t, v, safety.ErrLength)
			require.Equal(t, -3, v.N)
		}},
		{func() int { panic("lost count") }, func(e ending) {
			p, ok := e.value.(*parallelfor.Panic)
			require.True(t, ok, "%v", e)
			require.Equal(t, "lost count", p.Value)
		}},
	} {
		c.check(endingOf(func() { parallelfor.For(-1, out.Writer(), nothing, parallelfor.LengthOf(newCount(n, c.len))) }))
		h := scheduleFor(-1, out.Writer(), nothing, parallelfor.LengthOf(newCount(n, c.len)))
		c.check(endingOf(h.Complete))
		c.check(endingOf(h.Complete))
		out.Set(0, 1)
		n.Store(3)
	}
	if strconv.IntSize == 32 {
		return // there are not more indices than batches can be
	}
	huge := func() int { return math.MaxInt }
	v := violation(t, safety.ErrArgument, func() {
		parallelfor.For(-1, none{}, func(*none, int) {}, parallelfor.Batch(1), parallelfor.LengthOf(newCount(n, huge)))
	})
	require.Contains(t, v.Error(), strconv.Itoa(math.MaxInt), "too many batches")
	one := 0
	parallelfor.ForBatch(-1, none{}, func(_ *none, begin, end int) { one = end - begin }, parallelfor.Batch(-1), parallelfor.LengthOf(newCount(n, huge)))
	require.Equal(t, math.MaxInt, one)
}

func TestOneLengthServesManyJobs(t *testing.T) {
	watchdog(t)
	a, calls := numbers(5), counter.New()
	length := parallelfor.LengthOf(a.Reader())
	var last parallelfor.Handle
	for range 20 {
		last = scheduleFor(-1, calls.ParallelWriter(), func(c *counter.ParallelWriter, _ int) { c.Inc() }, length, parallelfor.AutoOrder())
	}
	last.Complete()
	require.EqualValues(t, 100, calls.Value())
	a.Set(0, 1)
}

// A Len that ends its goroutine ends the goroutine of the call that runs the job or completes it.
func TestALenThatEndsItsGoroutine(t *testing.T) {
	watchdog(t)
	for name, run := range map[string]func(v count){
		"a loop": func(v count) { parallelfor.For(-1, none{}, nothing, parallelfor.LengthOf(v)) },
		"a loop after a job": func(v count) {
			parallelfor.For(-1, none{}, nothing, parallelfor.LengthOf(v), parallelfor.After(scheduleFor(1, none{}, nothing)))
		},
		"a job": func(v count) { scheduleFor(-1, none{}, nothing, parallelfor.LengthOf(v)).Complete() },
		"an inline job": func(v count) {
			scheduleFor(-1, none{}, nothing, parallelfor.LengthOf(v), parallelfor.Inline()).Complete()
		},
	} {
		n := array.NewValue(0)
		e := endingOf(func() {
			run(newCount(n, func() int {
				runtime.Goexit()
				return 0
			}))
		})
		require.True(t, e.goexit, "%s: %v", name, e)
		require.NotPanics(t, n.Dispose, name)
	}
}
