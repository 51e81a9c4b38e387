package queue_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// A job of many batches moves items between queues: none is lost and none comes twice.
func TestSharedViews(t *testing.T) {
	defer fuzz.HandOut(1)()
	from, to := queue.New[int](), queue.NewRing[int](2000)
	for i := range 1000 {
		from.Enqueue(i)
	}
	type views struct {
		From queue.Shared[int]
		To   queue.RingShared[int]
	}
	parallelfor.For(600, views{from.Shared(), to.Shared()}, func(v *views, i int) {
		if i%2 == 0 {
			x, ok := v.From.TryDequeue()
			if !ok || !v.To.TryEnqueue(x) {
				panic("one queue is empty, or the other full")
			}
			return
		}
		var some [2]int
		n := v.From.DequeueInto(some[:])
		if v.To.EnqueueAll(some[:n]) != n {
			panic("the ring is full")
		}
		if i%3 == 0 {
			if x, ok := v.To.TryDequeue(); ok {
				v.From.Enqueue(x)
			}
			k := v.To.DequeueInto(some[:])
			v.From.EnqueueAll(some[:k])
		}
		if v.From.Len() > 1000 || v.To.Len() > 1000 {
			panic("more than there are")
		}
	}, parallelfor.Workers(4))
	all := slices.Concat(slices.Collect(from.All()), slices.Collect(to.All()))
	require.Len(t, all, from.Len()+to.Len())
	slices.Sort(all)
	for i, v := range all {
		require.Equal(t, i, v)
	}
	require.Len(t, all, 1000)
}

// A body lends its window on: the nested job's positions begin at 0 there.
func TestLendingPositionsOn(t *testing.T) {
	q, r := queue.New[int](), turned(1000, 1200, 700)
	for i := range 1000 {
		q.Enqueue(i)
	}
	type views struct{ Q, R queue.Writer[int] }
	for _, workers := range []int{1, 3} {
		stop := fuzz.HandOut(3)
		parallelfor.ForBatch(1000, views{q.Writer(), r.Writer()}, func(v *views, begin, end int) {
			parallelfor.For(end-begin, views{v.Q, v.R}, func(w *views, i int) {
				if w.Q.Len() != end-begin || w.Q.At(i) != w.R.At(i) {
					panic("another window")
				}
				w.Q.Set(i, w.Q.At(i)+begin)
				*w.R.Ptr(i) += begin
			})
		}, parallelfor.Batch(130), parallelfor.Workers(workers))
		stop()
	}
	for i := range 1000 {
		v, _ := q.TryDequeue()
		require.Equal(t, i+2*(i/130*130), v)
		v, _ = r.TryDequeue()
		require.Equal(t, i+2*(i/130*130), v)
	}
}

func TestReadersGoOverEverything(t *testing.T) {
	q := queue.New[int]()
	want := make([]int, 3000)
	for i := range want {
		want[i] = i
		q.Enqueue(i)
	}
	parallelfor.Do(q.Reader(), func(r *queue.Reader[int]) {
		var pieces, items []int
		for at, s := range r.Slices() {
			require.Equal(t, len(pieces), at)
			pieces = append(pieces, s...)
		}
		for i, v := range r.All() {
			require.Equal(t, len(items), i)
			items = append(items, v)
		}
		for i := range r.All() {
			if i == 5 {
				break
			}
		}
		require.Equal(t, want, pieces)
		require.Equal(t, want, items)
		require.Equal(t, 2999, r.At(2999))
		require.Equal(t, 0, r.At(0))
		_, _, n := safety.FieldOf(r, "").Binder.(interface {
			Window() (begin, end, length int)
		}).Window()
		require.Equal(t, 3000, n)
	})
	for v := range q.All() {
		require.Zero(t, v)
		break
	}
}

// A call that waits for an item gets what a job has added, when the job was completed.
func TestWhoWaitsGetsWhatAJobHasAdded(t *testing.T) {
	q := queue.New[int]()
	var waiting sync.WaitGroup
	sum := make([]int, 3)
	for k := range sum {
		waiting.Go(func() {
			for { // who comes only when the job has the queue is refused
				err := lawtest.Failure(func() (err error) {
					sum[k], err = q.Dequeue(ctx)
					return err
				})
				if !errors.Is(err, safety.ErrInFlight) {
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	time.Sleep(time.Millisecond)
	parallelfor.For(3, q.ParallelWriter(), func(w *queue.ParallelWriter[int], i int) { w.Enqueue(1 << i) })
	waiting.Wait()
	require.Equal(t, 7, sum[0]+sum[1]+sum[2])
}

// When a batch fails the queue has what the sequential loop has put in by then.
func TestAFailedJobAddsThePrefix(t *testing.T) {
	defer fuzz.HandOut(2)()
	q := queue.New[int]()
	require.Error(t, lawtest.Failure(func() error {
		parallelfor.For(100, q.ParallelWriter(), func(w *queue.ParallelWriter[int], i int) {
			w.Enqueue(i)
			if i >= 41 {
				panic(errors.New("enough"))
			}
		}, parallelfor.Batch(10), parallelfor.Workers(4))
		return nil
	}))
	require.Equal(t, 42, q.Len())
}

func TestQueuesEnd(t *testing.T) {
	lawtest.CheckedOnly(t)
	r, q, s := ring(), unbounded(), queue.NewSPSC[int](3)
	h := parallelfor.ScheduleDo(holder[queue.Writer[int]]{r.Writer()}, (*holder[queue.Writer[int]]).Execute)
	g := parallelfor.ScheduleDo(holder[queue.ParallelWriter[int]]{q.ParallelWriter()}, (*holder[queue.ParallelWriter[int]]).Execute)
	r.DisposeAfter(h)
	q.DisposeAfter(g)
	require.True(t, r.Disposed())
	require.True(t, q.Disposed())
	h.Complete()
	g.Complete()
	require.Equal(t, 3, s.Cap())
	require.False(t, s.Closed())
	require.True(t, s.Producer().TryEnqueue(1))
	s.Close()
	require.True(t, s.Closed())
	require.False(t, s.Producer().TryEnqueue(1))
	require.Zero(t, s.Producer().EnqueueAll([]int{1}))
	require.False(t, s.Disposed())
	s.Dispose()
	require.True(t, s.Disposed())
	fresh := queue.NewRing[int](7)
	require.Equal(t, 7, fresh.Cap())
	require.False(t, fresh.Closed())
	fresh.Close()
	require.True(t, fresh.Closed())
	require.False(t, fresh.TryEnqueue(1))
	require.Zero(t, fresh.EnqueueAll([]int{1}))
	another := unbounded()
	another.Close()
	another.Close()
	require.True(t, another.Closed())
	require.False(t, another.Enqueue(1))
	require.Zero(t, another.EnqueueAll([]int{1}))
	another.Clear()
	require.Zero(t, another.Len())
}

// sizes puts items of a type through all queues.
func sizes[T any](t *testing.T, same func(a, b T) bool, vs ...T) {
	t.Helper()
	q, r, s := queue.New[T](), queue.NewRing[T](len(vs)), queue.NewSPSC[T](len(vs))
	for range 100 {
		for _, v := range vs {
			require.True(t, q.Enqueue(v))
			require.True(t, r.TryEnqueue(v))
			require.True(t, s.Producer().TryEnqueue(v))
		}
		require.Equal(t, len(vs), q.Len())
		for _, v := range vs {
			a, ok := q.TryDequeue()
			require.True(t, ok && same(a, v))
			b, ok := r.TryDequeue()
			require.True(t, ok && same(b, v))
			c, ok := s.Consumer().TryDequeue()
			require.True(t, ok && same(c, v))
		}
		require.Equal(t, len(vs), q.EnqueueAll(vs))
		require.Equal(t, len(vs), r.EnqueueAll(vs))
		require.Equal(t, len(vs), s.Producer().EnqueueAll(vs))
		into := make([]T, len(vs)+1)
		for _, n := range []int{q.DequeueInto(into), r.DequeueInto(into), s.Consumer().DequeueInto(into)} {
			require.Equal(t, len(vs), n)
			require.True(t, slices.EqualFunc(vs, into[:n], same))
		}
	}
}

// odd is an item that == cannot compare.
type odd struct {
	f func()
	v any
}

func equal[T comparable](a, b T) bool { return a == b }

func TestItemsOfAllKinds(t *testing.T) {
	sizes(t, equal[struct{}], struct{}{}, struct{}{})
	sizes(t, equal[byte], 1, 2, 3)
	sizes(t, equal[item64], item64{1}, item64{7: 2})
	sizes(t, equal[page], page{1}, page{1<<16 - 1: 2}, page{})
	sizes(t, equal[*fuzz.Item], new(fuzz.Item), nil, new(fuzz.Item))
	f := func() {}
	sizes(t, func(a, b odd) bool { return (a.f == nil) == (b.f == nil) && a.v == b.v }, odd{f, 1}, odd{f, "a"}, odd{})
}

func TestTwoGoroutinesAtOneEnd(t *testing.T) {
	lawtest.CheckedOnly(t)
	if !safety.Strict {
		t.Skip("strict builds find it before anything was done; the explorer's tests are for checked ones")
	}
	q := queue.NewSPSC[int](1)
	short, end := context.WithCancel(ctx)
	var over sync.WaitGroup
	waits := make(chan struct{})
	over.Go(func() { _, _ = q.Consumer().Dequeue(&atWait{short, func() { close(waits) }}) })
	<-waits
	v := lawtest.Violation(t, func() error { q.Consumer().TryDequeue(); return nil })
	require.ErrorIs(t, v, safety.ErrConflict)
	require.Contains(t, v.Error(), "two consumers at the same time")
	end()
	over.Wait()
}
