package queue_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// uses are calls of all methods of something, by name.
type uses map[string]func()

// allowed are the methods that tell how a container ended.
var allowed = []string{"Disposed", "String"}

// refused asserts that every method is refused with a violation of that kind, and that there is no
// other one.
func (u uses) refused(t *testing.T, of any, kind error) {
	t.Helper()
	methods := reflect.TypeOf(of)
	for method := range methods.Methods() {
		name := method.Name
		use, is := u[name]
		if !is {
			require.Contains(t, allowed, name, "the table lacks a method of %v", methods)
			continue
		}
		v := lawtest.Violation(t, func() error { use(); return nil })
		require.ErrorIs(t, v, kind, name)
	}
}

// job runs a job that does nothing with a view.
func job[V any](view V) { parallelfor.Do(view, func(*V) {}) }

// after is a handle of a job that is over.
func after() safety.Handle {
	h := parallelfor.ScheduleDo(holder[queue.Reader[int]]{ring().Reader()}, (*holder[queue.Reader[int]]).Execute)
	h.Complete()
	return h
}

func usesOfQueue(q *queue.Queue[int]) uses {
	return uses{
		"All":            func() { _ = slices.Collect(q.All()) },
		"Clear":          q.Clear,
		"Close":          q.Close,
		"Closed":         func() { q.Closed() },
		"Dequeue":        func() { _, _ = q.Dequeue(ctx) },
		"DequeueInto":    func() { q.DequeueInto(make([]int, 1)) },
		"Dispose":        q.Dispose,
		"DisposeAfter":   func() { q.DisposeAfter(after()) },
		"Drain":          func() { q.Drain()(nil) },
		"Enqueue":        func() { q.Enqueue(1) },
		"EnqueueAll":     func() { q.EnqueueAll([]int{1}) },
		"Len":            func() { q.Len() },
		"Stats":          func() { q.Stats() },
		"ParallelWriter": func() { job(q.ParallelWriter()) },
		"Peek":           func() { q.Peek() },
		"Reader":         func() { job(q.Reader()) },
		"Shared":         func() { job(q.Shared()) },
		"TryDequeue":     func() { q.TryDequeue() },
		"Writer":         func() { job(q.Writer()) },
	}
}

func usesOfRing(r *queue.Ring[int]) uses {
	return uses{
		"All":          func() { _ = slices.Collect(r.All()) },
		"Cap":          func() { r.Cap() },
		"Clear":        r.Clear,
		"Close":        r.Close,
		"Closed":       func() { r.Closed() },
		"Dequeue":      func() { _, _ = r.Dequeue(ctx) },
		"DequeueInto":  func() { r.DequeueInto(make([]int, 1)) },
		"Dispose":      r.Dispose,
		"DisposeAfter": func() { r.DisposeAfter(after()) },
		"Enqueue":      func() { _ = r.Enqueue(ctx, 1) },
		"EnqueueAll":   func() { r.EnqueueAll([]int{1}) },
		"Len":          func() { r.Len() },
		"Peek":         func() { r.Peek() },
		"Reader":       func() { job(r.Reader()) },
		"Shared":       func() { job(r.Shared()) },
		"TryDequeue":   func() { r.TryDequeue() },
		"TryEnqueue":   func() { r.TryEnqueue(1) },
		"Writer":       func() { job(r.Writer()) },
	}
}

func usesOfSPSC(q *queue.SPSC[int]) uses {
	return uses{
		"Cap":      func() { q.Cap() },
		"Close":    q.Close,
		"Closed":   func() { q.Closed() },
		"Consumer": func() { q.Consumer() },
		"Dispose":  q.Dispose,
		"Len":      func() { q.Len() },
		"Producer": func() { q.Producer() },
	}
}

func usesOfProducer(p *queue.Producer[int]) uses {
	return uses{
		"Commit":     func() { p.Commit(0) },
		"Enqueue":    func() { _ = p.Enqueue(ctx, 1) },
		"EnqueueAll": func() { p.EnqueueAll([]int{1}) },
		"Reserve":    func() { p.Reserve(1) },
		"TryEnqueue": func() { p.TryEnqueue(1) },
	}
}

func usesOfConsumer(c *queue.Consumer[int]) uses {
	return uses{
		"Dequeue":     func() { _, _ = c.Dequeue(ctx) },
		"DequeueInto": func() { c.DequeueInto(make([]int, 1)) },
		"Look":        func() { c.Look(1) },
		"Peek":        func() { c.Peek() },
		"Release":     func() { c.Release(0) },
		"TryDequeue":  func() { c.TryDequeue() },
	}
}

// Every method of a queue that was disposed is refused, each of its ends too.
func TestEveryUseAfterDisposeIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	q, r, s := unbounded(), ring(), queue.NewSPSC[int](2)
	p, c := s.Producer(), s.Consumer()
	p.TryEnqueue(1)
	q.Dispose()
	r.Dispose()
	s.Dispose()
	usesOfQueue(q).refused(t, q, safety.ErrDisposed)
	usesOfRing(r).refused(t, r, safety.ErrDisposed)
	usesOfSPSC(s).refused(t, s, safety.ErrDisposed)
	usesOfProducer(p).refused(t, p, safety.ErrDisposed)
	usesOfConsumer(c).refused(t, c, safety.ErrDisposed)
	require.True(t, q.Disposed() && r.Disposed() && s.Disposed())
}

// Every method of a queue that no constructor made is refused.
func TestEveryUseOfAZeroQueueIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	var q queue.Queue[int]
	var r queue.Ring[int]
	var s queue.SPSC[int]
	usesOfQueue(&q).refused(t, &q, safety.ErrUnassigned)
	usesOfRing(&r).refused(t, &r, safety.ErrUnassigned)
	usesOfSPSC(&s).refused(t, &s, safety.ErrUnassigned)
	require.False(t, q.Disposed() || r.Disposed() || s.Disposed())
}

// Every method of a copy of a queue panics in checked and strict builds, and changes nothing. So an
// operation of the queue itself never waits for one of a copy.
func TestEveryUseOfACopyIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	q, r, s := unbounded(), ring(), queue.NewSPSC[int](2)
	p, c := s.Producer(), s.Consumer()
	p.TryEnqueue(1)
	q2, r2, s2, p2, c2 := copyOf(q), copyOf(r), copyOf(s), copyOf(p), copyOf(c)
	usesOfQueue(&q2).refused(t, &q2, safety.ErrCopied)
	usesOfRing(&r2).refused(t, &r2, safety.ErrCopied)
	usesOfSPSC(&s2).refused(t, &s2, safety.ErrCopied)
	for name, use := range usesOfProducer(&p2) {
		require.ErrorIs(t, lawtest.Violation(t, func() error { use(); return nil }), safety.ErrCopied, name)
	}
	require.Equal(t, 3+3+1, q.Len()+r.Len()+s.Len())
	p.TryEnqueue(2)
	usesOfConsumer(&c2).refused(t, &c2, safety.ErrCopied)
	for want := range 3 {
		v, ok := q.TryDequeue()
		u, is := r.TryDequeue()
		require.True(t, ok && is && v == want+1 && u == want+1, "%d %d", v, u)
	}
	for want := 1; want <= 2; want++ {
		v, err := c.Dequeue(ctx)
		require.True(t, err == nil && v == want)
	}
	require.False(t, q.Closed() || r.Closed() || s.Closed())
}

// Every method of a view that no job has bound is refused, but those that the driver calls.
func TestEveryUseOfAViewOutsideAJobIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	q, r := unbounded(), ring()
	some, shared, rings := make([]int, 1), q.Shared(), r.Shared()
	reader, writer, adder := q.Reader(), r.Writer(), q.ParallelWriter()
	for name, use := range map[string]func(){
		"Shared.Enqueue":            func() { shared.Enqueue(1) },
		"Shared.TryDequeue":         func() { shared.TryDequeue() },
		"Shared.EnqueueAll":         func() { shared.EnqueueAll(some) },
		"Shared.DequeueInto":        func() { shared.DequeueInto(some) },
		"Shared.Len":                func() { shared.Len() },
		"RingShared.TryEnqueue":     func() { rings.TryEnqueue(1) },
		"RingShared.TryDequeue":     func() { rings.TryDequeue() },
		"RingShared.EnqueueAll":     func() { rings.EnqueueAll(some) },
		"RingShared.DequeueInto":    func() { rings.DequeueInto(some) },
		"RingShared.Len":            func() { rings.Len() },
		"Reader.At":                 func() { reader.At(0) },
		"Reader.Len":                func() { reader.Len() },
		"Reader.All":                func() { reader.All()(func(int, int) bool { return true }) },
		"Reader.Slices":             func() { reader.Slices()(func(int, []int) bool { return true }) },
		"Writer.At":                 func() { writer.At(0) },
		"Writer.Set":                func() { writer.Set(0, 1) },
		"Writer.Ptr":                func() { writer.Ptr(0) },
		"Writer.Len":                func() { writer.Len() },
		"Writer.All":                func() { writer.All()(func(int, int) bool { return true }) },
		"Writer.Slices":             func() { writer.Slices()(func(int, []int) bool { return true }) },
		"ParallelWriter.Enqueue":    func() { adder.Enqueue(1) },
		"ParallelWriter.EnqueueAll": func() { adder.EnqueueAll(some) },
	} {
		require.ErrorIs(t, lawtest.Violation(t, func() error { use(); return nil }), safety.ErrStaleView, name)
	}
	require.Equal(t, 6, q.Len()+r.Len())
}

// Every operation that waits refuses to do so without a context, and changes nothing.
func TestEveryWaitNeedsAContext(t *testing.T) {
	r, q, s := ring(), unbounded(), queue.NewSPSC[int](4)
	s.Producer().TryEnqueue(1)
	var none context.Context
	for name, use := range map[string]func() error{
		"Ring.Enqueue":     func() error { return r.Enqueue(none, 1) },
		"Ring.Dequeue":     func() error { _, err := r.Dequeue(none); return err },
		"Queue.Dequeue":    func() error { _, err := q.Dequeue(none); return err },
		"Producer.Enqueue": func() error { return s.Producer().Enqueue(none, 1) },
		"Consumer.Dequeue": func() error { _, err := s.Consumer().Dequeue(none); return err },
	} {
		v := lawtest.Violation(t, use)
		require.ErrorIs(t, v, safety.ErrArgument, name)
		require.Contains(t, v.Error(), "context.Background()")
	}
	require.Equal(t, 3+3+1, r.Len()+q.Len()+s.Len())
	require.True(t, s.Producer().TryEnqueue(2))
	v, ok := s.Consumer().TryDequeue()
	require.True(t, ok && v == 1)
}

// A capacity that is none is refused, with the number and the range.
func TestBadCapacities(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt, math.MaxInt, math.MaxInt - 1, math.MaxInt/2 + 1} {
		for name, fresh := range map[string]func(){
			"a ring of nothing":  func() { queue.NewRing[struct{}](n) },
			"a ring of ints":     func() { queue.NewRing[int](n) },
			"a ring of pages":    func() { queue.NewRing[page](n) },
			"a queue of nothing": func() { queue.NewSPSC[struct{}](n) },
			"a queue of ints":    func() { queue.NewSPSC[int](n) },
			"a queue of pages":   func() { queue.NewSPSC[page](n) },
		} {
			if name == "a queue of nothing" && n > 0 && strconv.IntSize == 32 {
				continue // memory holds as many
			}
			v := lawtest.Violation(t, func() error { fresh(); return nil })
			require.ErrorIs(t, v, safety.ErrLength, name)
			require.Equal(t, n, v.N)
			require.Contains(t, v.Error(), "was asked to have room for "+strconv.Itoa(n)+" items")
		}
	}
}
