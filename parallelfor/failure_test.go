package parallelfor_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
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

// misfortune is how a batch fails.
type misfortune int

const (
	fine misfortune = iota
	byPanic
	byGoexit
	byViolation
	misfortunes
)

func (m misfortune) befall(i int) {
	switch m {
	case byPanic:
		panic(i)
	case byGoexit:
		runtime.Goexit()
	case byViolation:
		v := safety.NewViolation(safety.ErrArgument, fmt.Sprint("index ", i), "")
		v.Index = i
		panic(v)
	}
}

// fateful are the views of a loop whose batches fail as planned.
type fateful struct {
	Log    appender[int]
	Ran    array.Writer[int]
	Worker parallelfor.Worker
	Fates  [40]misfortune
}

func (f *fateful) Execute(i int) {
	f.Ran.Set(i, 1)
	f.Log.Append(2 * i)
	f.Fates[i].befall(i)
	f.Log.Append(2*i + 1)
}

// check says what is wrong with how a loop over the fates ended.
func (f *fateful) check(n int, e ending, log []int, ran []int) error {
	lowest := n
	for i := n - 1; i >= 0; i-- {
		if f.Fates[i] != fine {
			lowest = i
		}
	}
	prefix := 2 * lowest
	if lowest < n {
		prefix++
	}
	if len(log) != prefix {
		return fmt.Errorf("the journal has %d items, the sequential loop leaves %d", len(log), prefix)
	}
	for k, v := range log {
		if v != k {
			return fmt.Errorf("item %d is %d", k, v)
		}
	}
	for i := range min(lowest+1, n) {
		if ran[i] == 0 {
			return fmt.Errorf("index %d did not run, below the failure at %d", i, lowest)
		}
	}
	var p *parallelfor.Panic
	var v *safety.Violation
	err, _ := e.value.(error)
	fate := fine
	if lowest < n {
		fate = f.Fates[lowest]
	}
	switch {
	case fate == fine && e.value == nil && !e.goexit:
	case fate == byGoexit && e.goexit:
	case fate == byPanic && errors.As(err, &p) && p.Value == lowest && p.Begin <= lowest && lowest < p.End && p.Job == "fateful":
	case fate == byViolation && errors.As(err, &v) && v.Index == lowest && v.Job == "fateful":
	default:
		return fmt.Errorf("the lowest failure is %d at %d, but the loop ended with %v", fate, lowest, e)
	}
	return nil
}

func TestTheLowestFailingBatchWins(t *testing.T) {
	watchdog(t)
	p := gopter.NewProperties(parameters(600))
	p.Property("the failure and what was appended are the sequential loop's", prop.ForAll(
		func(n, batch, workers, form int, fates map[int]int, seed uint64) (string, error) {
			if form%2 == 1 {
				defer handout.Force(seed)()
			}
			log, ran := newJournal[int](), array.New[int](n)
			f := fateful{Log: log.Appender(), Ran: ran.Writer()}
			for i, m := range fates {
				f.Fates[i] = misfortune(m)
			}
			opts := []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(workers)}
			var h parallelfor.Handle
			e := endingOf(func() {
				if form < 2 {
					h = parallelfor.Schedule(n, f, (*fateful).Execute, opts...)
					h.Complete()
				} else {
					parallelfor.For(n, f, (*fateful).Execute, opts...)
				}
			})
			if form < 2 {
				if again := endingOf(h.Complete); again.goexit != e.goexit || (again.value == nil) != (e.value == nil) {
					return "", fmt.Errorf("completed again it ended with %v, first with %v", again, e)
				}
				if h.Err() != nil {
					return "", fmt.Errorf("a panic is no error, but Err is %w", h.Err())
				}
			}
			return "", f.check(n, e, log.Items(), values(ran))
		}, gen.IntRange(0, 40), gen.IntRange(-1, 12), gen.IntRange(1, 8), gen.IntRange(0, 3),
		gen.MapOf(gen.IntRange(0, 39), gen.IntRange(0, int(misfortunes)-1)), gen.UInt64()))
	p.TestingRun(t)
}

func TestAPanicKeepsItsValueStackAndPlace(t *testing.T) {
	defer handout.Force(3)()
	p := panicked(t, func() {
		parallelfor.ForBatch(20, none{}, func(_ *none, begin, _ int) {
			if begin >= 8 {
				panickingFunctionOfTheTest()
			}
		}, parallelfor.Batch(4), parallelfor.Name("falls"), parallelfor.Workers(4))
	})
	require.ErrorIs(t, p, errIndex)
	require.Equal(t, errIndex, p.Value)
	require.Equal(t, []any{"falls", 8, 12}, []any{p.Job, p.Begin, p.End})
	require.Contains(t, string(p.Stack), "panickingFunctionOfTheTest")
	require.Contains(t, p.Error(), "panic in job falls, indices 8 <= i < 12: the index failed")
	require.Contains(t, p.Error(), "panickingFunctionOfTheTest")
}

//go:noinline
func panickingFunctionOfTheTest() { panic(errIndex) }

func TestAPanicWithNoErrorUnwrapsToNothing(t *testing.T) {
	p := panicked(t, func() { parallelfor.Do(none{}, func(*none) { panic("text") }) })
	require.NoError(t, errors.Unwrap(p))
	p = panicked(t, func() { parallelfor.Do(none{}, func(*none) { panic(nil) }) })
	require.IsType(t, &runtime.PanicNilError{}, p.Value)
}

func TestAnIndexOutsideTheWindowIsAViolationWithTheJobsName(t *testing.T) {
	a := numbers(10)
	for _, run := range []func(){
		func() {
			parallelfor.For(10, a.Writer(), func(w *array.Writer[int], i int) { w.Set(99, 1) }, parallelfor.Name("wild"))
		},
		func() {
			parallelfor.Do(a.Reader(), func(r *array.Reader[int]) { r.At(-1) }, parallelfor.Name("wild"))
		},
	} {
		v := violation(t, safety.ErrIndex, run)
		require.Equal(t, "wild", v.Job)
		require.Equal(t, 10, v.Length)
	}
}

func TestGoexitEndsTheCallerAlsoWhenItRanTheBatchItself(t *testing.T) {
	watchdog(t)
	for _, opts := range [][]parallelfor.Option{{parallelfor.Sequential()}, {parallelfor.Batch(-1)}, {parallelfor.Workers(1)}, {parallelfor.Workers(4)}} {
		log := newJournal[int]()
		views := log.Appender()
		body := func(a *appender[int], i int) {
			if i == 5 {
				runtime.Goexit()
			}
			a.Append(i)
		}
		require.True(t, endingOf(func() { parallelfor.For(10, views, body, opts...) }).goexit)
		require.Equal(t, []int{0, 1, 2, 3, 4}, log.Items(), "custody came back to whoever is ordered after the goroutine's end")
		require.True(t, endingOf(func() {
			parallelfor.For(10, views, body, append(opts, parallelfor.After(parallelfor.Handle{}, parallelfor.Combine()))...)
		}).goexit)
		require.Len(t, log.Items(), 10)
	}
}

func TestAPoolSurvivesManyGoexitsAtOnce(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(3)
	defer pool.Close()
	for range rounds(100) {
		b := newBarrier(4)
		e := endingOf(func() {
			parallelfor.For(4, none{}, func(*none, int) {
				b.wait()
				runtime.Goexit()
			}, parallelfor.On(pool), parallelfor.Workers(4))
		})
		require.True(t, e.goexit)
	}
	var ran atomic.Int32
	parallelfor.For(100, none{}, func(*none, int) { ran.Add(1) }, parallelfor.On(pool))
	require.EqualValues(t, 100, ran.Load())
}

func TestDependentsOfAFailedJobDoNotRunAndReportItsFailure(t *testing.T) {
	watchdog(t)
	for _, m := range []misfortune{byPanic, byGoexit, byViolation} {
		log := newJournal[int]()
		var ran atomic.Int32
		root := scheduleFor(4, none{}, func(*none, int) { m.befall(7) })
		count := func(*none, int) { ran.Add(1) }
		left := scheduleFor(3, none{}, count, parallelfor.After(root))
		right := scheduleFor(3, log.Appender(), func(a *appender[int], i int) { ran.Add(1) }, parallelfor.After(root))
		tip := scheduleFor(3, none{}, count, parallelfor.After(left, right))
		first := endingOf(tip.Complete)
		require.Zero(t, ran.Load())
		require.Empty(t, log.Items(), "custody came back although the job never ran")
		for _, h := range []parallelfor.Handle{root, left, right, tip, parallelfor.Combine(left, right)} {
			e := endingOf(h.Complete)
			require.Equal(t, first.goexit, e.goexit)
			require.Equal(t, first.value, e.value, "the root failure, and no other")
			require.True(t, h.Finished())
			require.NoError(t, h.Err())
		}
	}
}

func TestCompleteFromManyGoroutinesGivesEachTheSameResult(t *testing.T) {
	watchdog(t)
	for _, m := range []misfortune{fine, byPanic, byGoexit, byViolation} {
		a := numbers(8)
		h := scheduleFor(8, a.Writer(), func(w *array.Writer[int], i int) {
			if i == 3 {
				m.befall(i)
			}
			w.Set(i, 1)
		})
		ends := make([]ending, 16)
		var all sync.WaitGroup
		for k := range ends {
			all.Go(func() {
				ends[k] = endingOf(h.Complete)
				if m == fine && a.At(k%8) != 1 {
					panic("custody did not come back")
				}
			})
		}
		all.Wait()
		for _, e := range ends {
			require.Equal(t, ends[0], e)
		}
		require.Equal(t, m == byGoexit, ends[0].goexit)
		require.Equal(t, m == byPanic || m == byViolation, ends[0].value != nil)
	}
}
