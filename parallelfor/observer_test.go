package parallelfor_test

import (
	"bytes"
	"context"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// labelled reports whether a goroutine runs under the label of that job.
func labelled(name string) bool {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
	return strings.Contains(b.String(), `"job":"`+name+`"`)
}

func TestWorkersHaveTheJobsLabelAndOnlyMeanwhile(t *testing.T) {
	watchdog(t)
	defer parallelfor.Labels(false)
	pool := parallelfor.NewPool(2)
	var within [3]bool
	run := func(name string, seen *bool) {
		b := newBarrier(2)
		parallelfor.For(2, none{}, func(_ *none, i int) {
			b.wait()
			if i == 0 {
				*seen = labelled(name)
			}
		}, parallelfor.On(pool), parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.Name(name))
	}
	run("before", &within[0])
	parallelfor.Labels(true)
	run("during", &within[1])
	require.False(t, labelled("during"), "after the job nobody has it")
	parallelfor.Labels(false)
	run("after", &within[2])
	require.Equal(t, [3]bool{false, true, false}, within)
	pool.Close()
}

func TestLabelsOfTheContextAndOfOuterJobsComeBack(t *testing.T) {
	watchdog(t)
	parallelfor.Labels(true)
	defer parallelfor.Labels(false)
	ctx := pprof.WithLabels(context.Background(), pprof.Labels("request", "r17"))
	own := func() bool {
		var b bytes.Buffer
		_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
		return strings.Contains(b.String(), `"request":"r17"`)
	}
	var inside, beside, nested, back, next bool
	pprof.Do(ctx, pprof.Labels(), func(ctx context.Context) {
		err := parallelfor.ForErr(ctx, 2, none{}, func(_ *none, i int) error {
			if i == 1 {
				next = labelled("outer")
				return nil
			}
			inside, beside = labelled("outer"), own()
			parallelfor.For(1, none{}, func(*none, int) { nested = labelled("inner") }, parallelfor.Name("inner"))
			back = labelled("outer") && !labelled("inner")
			return nil
		}, parallelfor.Name("outer"), parallelfor.Sequential())
		require.NoError(t, err)
		if !parallelfor.Raced {
			require.True(t, own(), "the caller has its labels again")
		}
	})
	require.True(t, inside)
	require.True(t, beside, "those of the context are there too")
	require.True(t, nested)
	require.Equal(t, safety.Enabled, back, "after the nested job the outer's are there again")
	require.True(t, next, "and from the next batch on in any build")
	for labelled("outer") { // until goroutines that a labelled one has started have ended
		runtime.Gosched()
	}
}

// The execution tracer's text has a task for each job, and regions for the workers' parts.
func TestJobsAreTraced(t *testing.T) {
	watchdog(t)
	if trace.IsEnabled() {
		t.Skip("the test itself is being traced")
	}
	run := func(name string) {
		ctx, task := trace.NewTask(context.Background(), "request of "+name)
		err := parallelfor.ForErr(ctx, 100, none{}, func(*none, int) error { return nil }, parallelfor.Name(name), parallelfor.Workers(2))
		task.End()
		require.NoError(t, err)
	}
	run("untraced job")
	var b bytes.Buffer
	require.NoError(t, trace.Start(&b))
	run("traced job")
	scheduleFor(3, none{}, nothing, parallelfor.Name("scheduled job")).Complete()
	e := endingOf(func() {
		parallelfor.Do(none{}, func(*none) { panic(1) }, parallelfor.Name("failing job"))
	})
	trace.Stop()
	require.NotNil(t, e.value)
	run("another untraced job")
	text := b.String()
	for _, name := range []string{"traced job", "scheduled job", "failing job"} {
		require.Contains(t, text, name)
		require.Contains(t, text, "batches of "+name)
	}
	require.NotContains(t, text, "untraced")
}

// What observes jobs may change at any time.
func TestSwitchesWhileJobsRun(t *testing.T) {
	watchdog(t)
	var all sync.WaitGroup
	defer parallelfor.Labels(false)
	for range 2 {
		all.Go(func() {
			for range rounds(100) {
				parallelfor.For(20, none{}, nothing, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.Progress(func(int, int) {}))
			}
		})
	}
	all.Go(func() {
		for i := range rounds(100) {
			parallelfor.Labels(i%2 == 0)
		}
	})
	for range rounds(100) {
		parallelfor.Record().Stop()
	}
	all.Wait()
	g := parallelfor.Record()
	parallelfor.For(1, none{}, nothing, parallelfor.Name("one"))
	g.Stop()
	require.Contains(t, dotOf(t, g), "one")
}

// An observed job that is refused leaves nothing behind either.
func TestAnObservedJobThatIsRefused(t *testing.T) {
	checkedOnly(t)
	g := parallelfor.Record()
	defer g.Stop()
	a := array.New[int](10)
	h := parallelfor.Schedule(10, a.Writer(), func(*array.Writer[int], int) {})
	violation(t, safety.ErrConflict, func() { parallelfor.For(10, a.Writer(), func(*array.Writer[int], int) {}) })
	h.Complete()
	require.Len(t, g.Jobs(), 1)
}

// endsIn is a context whose Value ends the call by how.
type endsIn struct {
	context.Context
	how func()
}

func (c endsIn) Value(any) any {
	c.how()
	return nil
}

// A context whose methods fail while a job is scheduled that is observed leaves nothing taken: the
// container can be disposed of, and the pool closed.
func TestAContextThatFailsWhileAnObservedJobIsScheduled(t *testing.T) {
	watchdog(t)
	parallelfor.Labels(true)
	defer parallelfor.Labels(false)
	for name, how := range map[string]func(){"panic": func() { panic("no value") }, "Goexit": runtime.Goexit} {
		for _, run := range []func(ctx context.Context, v array.Writer[int], pool *parallelfor.Pool){
			func(ctx context.Context, v array.Writer[int], pool *parallelfor.Pool) {
				_ = parallelfor.ForErr(ctx, 10, v, func(*array.Writer[int], int) error { return nil }, parallelfor.On(pool))
			},
			func(ctx context.Context, v array.Writer[int], pool *parallelfor.Pool) {
				_ = parallelfor.ScheduleErr(ctx, 10, v, func(*array.Writer[int], int) error { return nil }, parallelfor.On(pool)).Err()
			},
		} {
			a, pool := array.New[int](10), parallelfor.NewPool(2)
			e := endingOf(func() { run(endsIn{context.Background(), how}, a.Writer(), pool) })
			require.Equal(t, name == "panic", e.value != nil, name)
			require.Equal(t, name == "Goexit", e.goexit, name)
			require.NotPanics(t, a.Dispose, name)
			pool.Close()
		}
	}
}
