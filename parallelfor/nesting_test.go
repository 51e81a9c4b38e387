package parallelfor_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// grid3 are views that are lent on from level to level.
type grid3 struct {
	In  array.Reader[int]
	Out array.Writer[int]
	Log appender[int]
}

// nest3 runs a loop in a loop in a loop: planes of rows of batches. What is lent on of a writer is
// the window, an array of its own.
func nest3(planes, rows, columns int, opts ...parallelfor.Option) (out, log []int) {
	in, o, l := numbers(planes), array.New[int](planes*rows*columns), newJournal[int]()
	one := append(opts, parallelfor.Batch(1))
	parallelfor.For(planes, grid3{in.Reader(), array.ByRows(o.Writer(), rows*columns), l.Appender()}, func(p *grid3, i int) {
		p.Log.Append(-i)
		parallelfor.For(rows, grid3{p.In, array.ByRows(p.Out, columns), p.Log}, func(r *grid3, k int) {
			x := r.In.At(i)
			r.Log.Append(x*100 + k)
			parallelfor.For(columns, grid3{r.In, array.ByRows(r.Out, 1), r.Log}, func(c *grid3, m int) {
				c.Out.Set(m, 10_000*x+100*k+m)
				c.Log.Append(m)
			}, append(opts, parallelfor.Batch(3))...)
			r.Log.Append(x*100 + k)
		}, opts...)
		p.Log.Append(-i)
	}, one...)
	return values(o), l.Items()
}

func TestNestedLoopsEqualTheSequentialLoops(t *testing.T) {
	watchdog(t)
	wantOut, wantLog := nest3(5, 4, 7, parallelfor.Sequential())
	for i, v := range wantOut {
		require.Equal(t, 10_000*(i/28)+100*(i/7%4)+i%7, v)
	}
	require.Len(t, wantLog, 5*(2+4*(2+7)))
	for round := range rounds(40) {
		if round%2 == 1 {
			defer handout.Force(uint64(round))()
		}
		for _, workers := range []int{1, 2, 3, 8} {
			out, log := nest3(5, 4, 7, parallelfor.Workers(workers))
			require.Equal(t, wantOut, out)
			require.Equal(t, wantLog, log)
		}
	}
}

func TestAReaderIsLentToAnyNumberOfNestedLoops(t *testing.T) {
	watchdog(t)
	in := numbers(100)
	var sum atomic.Int64
	parallelfor.For(10, in.Reader(), func(r *array.Reader[int], i int) {
		add := func(r *array.Reader[int], k int) { sum.Add(int64(r.At(k))) }
		a, b := scheduleFor(100, *r, add), scheduleFor(100, *r, add)
		_ = r.At(i)
		parallelfor.Combine(a, b).Complete()
	})
	require.EqualValues(t, 10*2*4950, sum.Load())
}

func TestABodyMayUseContainersThatItMade(t *testing.T) {
	watchdog(t)
	out := array.New[int](20)
	parallelfor.For(20, out.Writer(), func(w *array.Writer[int], i int) {
		scratch, log := array.New[int](50), newJournal[int]()
		parallelfor.For(50, scratch.Writer(), func(s *array.Writer[int], k int) { s.Set(k, i+k) })
		parallelfor.For(50, log.Appender(), func(a *appender[int], k int) { a.Append(k) })
		sum := 0
		for _, v := range scratch.All() {
			sum += v
		}
		w.Set(i, sum+len(log.Items()))
	})
	for i, v := range out.All() {
		require.Equal(t, 50*i+1225+50, v)
	}
}

func TestAForeignContainerIsNotLent(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	mine, foreign := numbers(10), numbers(10)
	v := violation(t, safety.ErrNotLent, func() {
		parallelfor.For(10, mine.Reader(), func(*array.Reader[int], int) {
			parallelfor.For(10, foreign.Reader(), func(*array.Reader[int], int) {}, parallelfor.Name("inner"))
		}, parallelfor.Name("outer"))
	})
	require.Equal(t, []string{"inner", "outer"}, []string{v.Job, v.OtherJob})
	require.Contains(t, v.Container, "numbers")
	foreign.Set(0, 1) // the refused schedule left nothing behind
	mine.Set(0, 1)
}

// A body passes on the view that it was given. It is given none by LengthOf.
func TestANewViewOfWhatTheJobHoldsIsNotLent(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := array.New[int](10, safety.Named("a"))
	nested := func() { parallelfor.Do(a.Reader(), func(*array.Reader[int]) {}, parallelfor.Name("inner")) }
	v := violation(t, safety.ErrNotLent, func() {
		parallelfor.Do(a.Writer(), func(*array.Writer[int]) { nested() }, parallelfor.Name("outer"))
	})
	require.ErrorContains(t, v, `job inner was scheduled by a body of job outer with a new view of array.Array[int] "a", which job outer holds.`)
	require.ErrorContains(t, v, "Pass on the view that the body was given instead of taking another one")
	require.Equal(t, "outer", v.OtherJob)
	v = violation(t, safety.ErrNotLent, func() {
		parallelfor.For(-1, none{}, func(*none, int) { nested() }, parallelfor.LengthOf(a.Reader()))
	})
	require.ErrorContains(t, v, "does not hold")
}

func TestAContainerMadeInAnEarlierBatchIsNotLent(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	if parallelfor.Raced {
		t.Skip("what passes from batch to batch is a race")
	}
	var kept *array.Array[int]
	violation(t, safety.ErrNotLent, func() {
		parallelfor.For(2, none{}, func(_ *none, i int) {
			if i == 0 {
				kept = numbers(3)
				return
			}
			parallelfor.For(3, kept.Reader(), func(*array.Reader[int], int) {})
		}, parallelfor.Batch(1), parallelfor.Sequential())
	})
}

func TestAViewLentOnIsNotUsedMeanwhile(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	out := array.New[int](10)
	violation(t, safety.ErrInFlight, func() {
		parallelfor.ForBatch(10, out.Writer(), func(w *array.Writer[int], _, _ int) {
			h := scheduleFor(1, *w, func(w *array.Writer[int], k int) { w.Set(k, 1) })
			defer h.Complete()
			w.Slice()[0] = 2
		}, parallelfor.Batch(5))
	})
}

func TestTwoNestedLoopsThatWriteTheSameWindowConflict(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	out := array.New[int](10)
	violation(t, safety.ErrConflict, func() {
		parallelfor.ForBatch(10, out.Writer(), func(w *array.Writer[int], _, _ int) {
			write := func(w *array.Writer[int], k int) { w.Set(k, 1) }
			h := scheduleFor(1, *w, write)
			defer h.Complete()
			scheduleFor(1, *w, write).Complete()
		}, parallelfor.Batch(5))
	})
	parallelfor.ForBatch(10, out.Writer(), func(w *array.Writer[int], _, _ int) {
		write := func(w *array.Writer[int], k int) { w.Set(k, w.At(k)+1) }
		h := scheduleFor(5, *w, write)
		scheduleFor(5, *w, write, parallelfor.After(h)).Complete()
	}, parallelfor.Batch(5))
	for _, v := range out.All() {
		require.GreaterOrEqual(t, v, 2)
	}
}

func TestANestedJobThatIsNotCompletedIsAViolation(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for _, body := range []func(){
		func() {},
		func() { panic("after scheduling") },
	} {
		var ran atomic.Int32
		in := numbers(8)
		e := endingOf(func() {
			parallelfor.For(4, in.Reader(), func(r *array.Reader[int], _ int) {
				scheduleFor(8, *r, func(*array.Reader[int], int) { ran.Add(1) }, parallelfor.Name("left"))
				body()
			}, parallelfor.Name("leaver"), parallelfor.Batch(1), parallelfor.Sequential())
		})
		if v, ok := e.value.(*safety.Violation); ok {
			require.ErrorIs(t, v, safety.ErrNotCompleted)
			require.Equal(t, []string{"leaver", "left"}, []string{v.Job, v.OtherJob})
		} else {
			require.IsType(t, &parallelfor.Panic{}, e.value, "the batch had failed already")
		}
		require.EqualValues(t, 8, ran.Load(), "the nested job was waited for")
		in.Set(0, 1) // and gave everything back
	}
}

func TestANestedFailureKeepsItsStory(t *testing.T) {
	watchdog(t)
	p := panicked(t, func() {
		parallelfor.For(4, none{}, func(_ *none, i int) {
			parallelfor.For(8, none{}, func(_ *none, k int) {
				parallelfor.Do(none{}, func(*none) {
					if i == 2 && k == 5 {
						panickingFunctionOfTheTest()
					}
				}, parallelfor.Name("innermost"))
			})
		}, parallelfor.Name("outermost"))
	})
	require.Equal(t, errIndex, p.Value)
	require.Equal(t, "innermost", p.Job)
	require.Contains(t, string(p.Stack), "panickingFunctionOfTheTest")
}

func TestANestedErrorIsTheBodysToReturn(t *testing.T) {
	watchdog(t)
	log := newJournal[int]()
	err := parallelfor.ForErr(context.Background(), 6, log.Appender(), func(a *appender[int], i int) error {
		return parallelfor.ForErr(context.Background(), 4, *a, func(a *appender[int], k int) error {
			a.Append(10*i + k)
			if i == 2 && k == 1 {
				return errIndex
			}
			return nil
		})
	})
	require.ErrorIs(t, err, errIndex)
	require.Equal(t, []int{0, 1, 2, 3, 10, 11, 12, 13, 20, 21}, log.Items())
}

// deep runs loops of two batches in one another.
func deep(levels int, leaves *atomic.Int32, opts ...parallelfor.Option) {
	if levels == 0 {
		leaves.Add(1)
		return
	}
	parallelfor.For(2, none{}, func(*none, int) { deep(levels-1, leaves, opts...) }, opts...)
}

func TestDeepNestingWithAllWorkersBusyDoesNotDeadlock(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(1)
	defer pool.Close()
	for _, opts := range [][]parallelfor.Option{nil, {parallelfor.Workers(2)}, {parallelfor.On(pool)}, {parallelfor.On(pool), parallelfor.Workers(5)}} {
		var leaves atomic.Int32
		levels := 9
		if parallelfor.Raced {
			levels = 6
		}
		deep(levels, &leaves, opts...)
		require.EqualValues(t, 1<<levels, leaves.Load())
	}
}

func TestNestedLoopsWhoseBodiesBlockGetAllTheWorkersTheyAskFor(t *testing.T) {
	watchdog(t)
	var short atomic.Int32
	parallelfor.For(2, none{}, func(*none, int) {
		b := newBarrier(8)
		parallelfor.For(8, none{}, func(*none, int) {
			if !b.wait() {
				short.Add(1)
			}
		}, parallelfor.Workers(8), parallelfor.Batch(1))
	}, parallelfor.Workers(2), parallelfor.Batch(1))
	require.Zero(t, short.Load(), "bodies waited for workers that never came")
}

func TestALoopWhoseBodiesBlockGetsItsWorkersThoughWorkersAreBusy(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	release, busy := make(chan struct{}), newBarrier(3)
	long := scheduleFor(2, none{}, func(*none, int) {
		busy.wait()
		<-release
	}, parallelfor.On(pool))
	busy.wait()
	b := newBarrier(6)
	var short atomic.Int32
	parallelfor.For(6, none{}, func(*none, int) {
		if !b.wait() {
			short.Add(1)
		}
	}, parallelfor.Workers(6), parallelfor.On(pool))
	close(release)
	long.Complete()
	require.Zero(t, short.Load(), "bodies waited for workers that never came")
}

// A body that leaves a job behind is told which, and where it scheduled it.
func TestWhoIsLeftBehindIsNamed(t *testing.T) {
	checkedOnly(t)
	v := violation(t, safety.ErrNotCompleted, func() {
		parallelfor.Do(struct{}{}, func(*struct{}) {
			parallelfor.Go(struct{}{}, func(*struct{}) {}, parallelfor.Name("child"))
		}, parallelfor.Name("outer"))
	})
	require.Equal(t, []string{"outer", "child"}, []string{v.Job, v.OtherJob})
	require.Regexp(t, `^nesting_test\.go:\d+$`, v.Scheduled)
	require.Contains(t, v.Error(), "while job child, which it had scheduled at "+v.Scheduled+", was not completed")
}
