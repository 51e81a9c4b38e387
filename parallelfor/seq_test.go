package parallelfor_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A source or function that ends the goroutine ends it whenever it is called, so results before may
// be missing; everything else is that of the sequential loop.
func TestMapSeqIsTheSequentialLoop(t *testing.T) {
	watchdog(t)
	r := lawtest.Rand(t)
	for range rounds(10000) {
		p := drawTrial(r)
		want, how := p.taken(p.plainly)
		got, end := p.taken(parallelfor.MapSeqErr(context.Background(), p.source(), p.body, p.opts...))
		if p.how == "goexit" || p.ends == "goexit" {
			require.True(t, len(got) <= len(want) && slices.Equal(got, want[:len(got)]), p)
			continue
		}
		require.Equal(t, want, got, p)
		require.Equal(t, how, end, p)
	}
}

// The sequential loop is one job over a slice of the items, on one worker, with the same batches.
func TestForSeqLeavesWhatTheSequentialLoopLeaves(t *testing.T) {
	watchdog(t)
	r := lawtest.Rand(t)
	for range rounds(800) {
		p := drawTrial(r)
		if p.how == "goexit" {
			p.how = "panic"
		}
		if p.ends == "goexit" {
			p.ends = ""
		}
		left, end := p.leave(func(source iter.Seq2[int, error], job collecting, body func(j *collecting, i, a int) error) error {
			return parallelfor.ForSeqErr(context.Background(), source, job, body, p.opts...)
		})
		want, how := p.leave(func(source iter.Seq2[int, error], job collecting, body func(j *collecting, i, a int) error) (err error) {
			for i, failed := range source { // one job for each item
				if failed == nil {
					err = parallelfor.ForErr(context.Background(), 1, job, func(j *collecting, _ int) error { return body(j, i, i) })
				} else if failed != parallelfor.Flush {
					err = failed
				}
				if err != nil {
					break
				}
			}
			return err
		})
		require.Equal(t, how, end, p)
		if p.batchSize <= 1 && p.n <= 128 {
			require.Equal(t, want, left, p)
			continue
		}
		again, _ := p.leave(func(source iter.Seq2[int, error], job collecting, body func(j *collecting, i, a int) error) error {
			opts := append(slices.Clone(p.opts), parallelfor.Sequential())
			return parallelfor.ForSeqErr(context.Background(), source, job, body, opts...)
		})
		require.Equal(t, again, left, p)
	}
}

func TestMemoryOfAMapSeqIsBounded(t *testing.T) {
	watchdog(t)
	for _, c := range []struct {
		opts []parallelfor.Option
		most int
	}{
		{[]parallelfor.Option{parallelfor.Workers(2), parallelfor.Batch(3)}, 4 * 2 * 3},
		{[]parallelfor.Option{parallelfor.Workers(2)}, 4 * 2 * 1024},
	} {
		read, taken, most := 0, 0, 0
		for range parallelfor.MapSeq(func(yield func(int) bool) {
			for i := range 30000 {
				if read++; !yield(i) {
					return
				}
			}
		}, func(i int) [64]byte { return [64]byte{byte(i)} }, c.opts...) {
			most = max(most, read-taken)
			taken++
			if taken%1000 == 0 {
				runtime.Gosched() // the results are taken slowly
			}
		}
		if parallelfor.Raced {
			c.most = max(c.most, 4*64) // of a chunk at least
		}
		require.LessOrEqual(t, most, c.most)
		require.Equal(t, 30000, taken)
	}
}

// A source that waits says so, and the results of all items before are taken first.
func TestFlushDeliversWhatWasRead(t *testing.T) {
	watchdog(t)
	items, taken := make(chan int), 0
	go func() {
		defer close(items)
		for i := range 100 {
			items <- i
		}
	}()
	source := func(yield func(int, error) bool) {
		for read := 0; ; read++ {
			if !yield(0, parallelfor.Flush) {
				return
			}
			require.Equal(t, read, taken)
			i, ok := <-items
			if !ok || !yield(i, nil) {
				return
			}
		}
	}
	same := func(i int) (int, error) { return i, nil }
	for i, err := range parallelfor.MapSeqErr(context.Background(), parallelfor.MapSeqErr(context.Background(), source, same), same) {
		if err == parallelfor.Flush {
			continue
		}
		require.NoError(t, err)
		require.Equal(t, taken, i)
		taken++
	}
	require.Equal(t, 100, taken)
}

// Items of a slow source are executed before there are enough for a chunk.
func TestASlowSourceHoldsNoItemsBack(t *testing.T) {
	watchdog(t)
	var calls atomic.Int64
	source := func(yield func(int) bool) {
		_ = yield(0)
		time.Sleep(20 * time.Millisecond)
		_ = yield(1)
		for calls.Load() < 2 {
			time.Sleep(time.Millisecond)
		}
	}
	pool := parallelfor.NewPool(2) // that no explored execution has left with a timer that stands
	defer pool.Close()
	for range parallelfor.MapSeq(source, func(int) int { return int(calls.Add(1)) }, parallelfor.Batch(100), parallelfor.On(pool)) {
	}
	require.EqualValues(t, 2, calls.Load())
}

func TestARangeThatEndsLeavesNoCallBehind(t *testing.T) {
	watchdog(t)
	var running atomic.Int64
	for i := range parallelfor.MapSeq(slices.Values(make([]int, 10000)), func(int) int {
		running.Add(1)
		defer running.Add(-1)
		runtime.Gosched()
		return 0
	}, parallelfor.Workers(4)) {
		if i == 0 {
			break
		}
	}
	require.Zero(t, running.Load())
}

func TestStagesFollowOneAnother(t *testing.T) {
	watchdog(t)
	ctx := context.Background()
	read := func(yield func(int, error) bool) {
		for i := range 1000 {
			if !yield(i, nil) {
				return
			}
		}
	}
	squares := parallelfor.MapSeqErr(ctx, read, func(i int) (int, error) { return i * i, nil })
	sums := func(yield func(int, error) bool) { // a stage that works item by item
		sum := 0
		for i, err := range squares {
			if sum += i; !yield(sum, err) {
				return
			}
		}
	}
	n, want := 0, 0
	for got, err := range parallelfor.MapSeqErr(ctx, sums, func(i int) (string, error) { return fmt.Sprint(i), nil }) {
		require.NoError(t, err)
		want += n * n
		require.Equal(t, fmt.Sprint(want), got)
		n++
	}
	require.Equal(t, 1000, n)
}

func TestASourceIsReadUnderItsContext(t *testing.T) {
	watchdog(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	endless := func(yield func(int, error) bool) {
		for i := 0; yield(i, nil); i++ {
			if i == 5000 {
				cancel(errIndex)
			}
		}
	}
	var last error
	for _, last = range parallelfor.MapSeqErr(ctx, endless, func(i int) (int, error) { return i, nil }) {
	}
	require.ErrorIs(t, last, errIndex)
	require.ErrorIs(t, parallelfor.ForSeqErr(ctx, endless, none{}, func(*none, int, int) error { return nil }), errIndex)
}

func TestAForSeqHoldsItsContainersFromTheFirstItemOn(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	list := array.NewList[int](safety.Named("list"))
	for _, at := range []int{0, 1, 50} {
		v := caughtViolation(t, func() {
			parallelfor.ForSeq(func(yield func(int) bool) {
				for i := range 100 {
					if i == at {
						list.Append(1)
					}
					if !yield(i) {
						return
					}
				}
			}, list.ParallelWriter(), func(w *array.ParallelWriter[int], i, _ int) { w.Append(i) })
		})
		require.ErrorIs(t, v, safety.ErrInFlight)
		require.Equal(t, at, list.Len())
		list.Clear()
	}
}

func TestMisusesOfLoopsOverSources(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := array.New[int](10, safety.Named("numbers"))
	read := false
	var noContext context.Context
	source := func(yield func(int) bool) { read = true; yield(1) }
	type job struct{ Out array.Writer[int] }
	v := caughtViolation(t, func() {
		parallelfor.ForSeq(source, job{Out: a.Writer()}, func(j *job, i, _ int) { j.Out.Set(0, i) })
	})
	require.ErrorIs(t, v, safety.ErrNoRange)
	require.Equal(t, "Out", v.Field)
	require.Contains(t, v.Error(), "seq_test.go")
	a.Set(0, 1) // it came back

	for what, use := range map[string]func(){
		"nil body":   func() { parallelfor.MapSeq[int, int](source, nil) },
		"nil source": func() { parallelfor.MapSeq(nil, func(int) int { return 0 }) },
		"LengthOf":   func() { parallelfor.ForSeq(source, none{}, func(*none, int, int) {}, parallelfor.LengthOf(a.Reader())) },
		"Progress": func() {
			parallelfor.MapSeq(source, func(int) int { return 0 }, parallelfor.Progress(func(_, _ int) {}))
		},
		"nil context": func() {
			_ = parallelfor.ForSeqErr(noContext, infallibly(source), none{}, func(*none, int, int) error { return nil })
		},
		"Workers of 0": func() { parallelfor.ForSeq(source, none{}, func(*none, int, int) {}, parallelfor.Workers(0)) },
	} {
		require.ErrorIs(t, caughtViolation(t, use), safety.ErrArgument, what)
	}
	require.False(t, read)
}

// infallibly returns the source as one that can fail.
func infallibly[T any](source iter.Seq[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { source(func(v T) bool { return yield(v, nil) }) }
}

// A loop of one worker may carry what only one worker may write.
func TestAForSeqOfOneWorkerWritesAValue(t *testing.T) {
	watchdog(t)
	last := array.NewValue(0)
	add := func(w *array.ValueWriter[int], i, v int) { w.Store(31*w.Load() + v + i) }
	parallelfor.ForSeq(slices.Values(make([]int, 3000)), last.Writer(), add, parallelfor.Batch(-1))
	want := 0
	for i := range 3000 {
		want = 31*want + i
	}
	require.Equal(t, want, last.Load())
	if safety.Enabled {
		v := caughtViolation(t, func() { parallelfor.ForSeq(slices.Values([]int{1}), last.Writer(), add) })
		require.ErrorIs(t, v, safety.ErrNoRange)
	}
}

// Where a panic happened is told by the number of the item.
func TestAPanicNamesItsItem(t *testing.T) {
	watchdog(t)
	e := endingOf(func() {
		for range parallelfor.MapSeq(slices.Values(make([]int, 1000)), func() func(int) int {
			var n atomic.Int64
			return func(int) int {
				if n.Add(1) == 778 {
					panic("here")
				}
				return 0
			}
		}(), parallelfor.Sequential()) {
		}
	})
	p := e.value.(*parallelfor.Panic)
	require.True(t, p.Begin <= 777 && 777 < p.End, "%d %d", p.Begin, p.End)
}

func TestABodyMayRangeOverAMapSeq(t *testing.T) {
	watchdog(t)
	out := array.New[int](20)
	parallelfor.For(20, out.Writer(), func(w *array.Writer[int], i int) {
		for v := range parallelfor.MapSeq(slices.Values([]int{1, 2, 3}), func(v int) int { return i * v }) {
			w.Set(i, w.At(i)+v)
		}
	})
	for i, v := range out.Slice() {
		require.Equal(t, 6*i, v)
	}
}
