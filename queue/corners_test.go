package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// doubles is a job that doubles items.
type doubles struct{ Items queue.Writer[int] }

func (j *doubles) Execute(i int) { j.Items.Set(i, 2*j.Items.At(i)) }

// A loop can be as long as a queue is when it begins.
func TestALoopAsLongAsAQueue(t *testing.T) {
	r, q := queue.NewRing[int](5), queue.New[int]()
	for v := range 3 {
		r.TryEnqueue(v)
		q.Enqueue(v)
	}
	parallelfor.For(-1, doubles{r.Writer()}, (*doubles).Execute, parallelfor.LengthOf(r.Reader()))
	parallelfor.For(-1, doubles{q.Writer()}, (*doubles).Execute, parallelfor.LengthOf(q.Reader()))
	for v := range 3 {
		got, _ := r.TryDequeue()
		require.Equal(t, 2*v, got)
		got, _ = q.TryDequeue()
		require.Equal(t, 2*v, got)
	}
}

// A job reads by position what is left of a closed queue, and of one whose last piece of memory is
// full, or whose first was emptied.
func TestReadersOfQueuesInEveryState(t *testing.T) {
	for put := range 100 {
		for _, taken := range []int{0, put / 2, put} {
			for _, closed := range []bool{false, true} {
				q := queue.New[int]()
				for v := range put {
					q.Enqueue(v)
				}
				for range taken {
					q.TryDequeue()
				}
				if closed {
					q.Close()
				}
				var seen []int
				parallelfor.Do(q.Reader(), func(r *queue.Reader[int]) {
					for _, v := range r.All() {
						seen = append(seen, v)
					}
				})
				require.Len(t, seen, put-taken)
				for i, v := range seen {
					require.Equal(t, taken+i, v)
				}
				require.Equal(t, !closed, q.Enqueue(put))
				v, ok := q.TryDequeue()
				require.Equal(t, taken < put || !closed, ok)
				if ok {
					require.Equal(t, taken, v)
				}
				q.Dispose()
			}
		}
	}
}

// What a window has that is not committed is not kept alive.
func TestCommitEmptiesTheRestOfAWindow(t *testing.T) {
	for from := range 4 {
		q := queue.NewSPSC[*fuzz.Item](4)
		p, c := q.Producer(), q.Consumer()
		for range from {
			p.TryEnqueue(nil)
			c.TryDequeue()
		}
		for n := range 5 {
			w := p.Reserve(4)
			for i := range w.Len() {
				*w.Ptr(i) = new(fuzz.Item)
			}
			require.True(t, p.Commit(n))
			w = p.Reserve(4)
			require.Equal(t, 4-n, w.Len())
			for i := range w.Len() {
				require.Nil(t, *w.Ptr(i))
			}
			p.Commit(0)
			require.Equal(t, n, c.DequeueInto(make([]*fuzz.Item, 5)))
		}
	}
}

// Each operation that takes items out of an SPSC empties their places, and so does a put that is
// refused, also where the places lie on both sides of the end of the memory.
func TestWhatLeavesAnSPSCIsNotKeptAlive(t *testing.T) {
	const n = 4
	some := make([]*fuzz.Item, n)
	for i := range some {
		some[i] = new(fuzz.Item)
	}
	out := make([]*fuzz.Item, n)
	type use = func(q *queue.SPSC[*fuzz.Item])
	one := func(f use) use {
		return func(q *queue.SPSC[*fuzz.Item]) {
			for range n {
				f(q)
			}
		}
	}
	for name, k := range map[string]struct {
		closed bool
		use    use
	}{
		"TryDequeue":          {false, one(func(q *queue.SPSC[*fuzz.Item]) { q.Consumer().TryDequeue() })},
		"Dequeue":             {false, one(func(q *queue.SPSC[*fuzz.Item]) { _, _ = q.Consumer().Dequeue(ctx) })},
		"DequeueInto":         {false, func(q *queue.SPSC[*fuzz.Item]) { q.Consumer().DequeueInto(out) }},
		"Release":             {false, func(q *queue.SPSC[*fuzz.Item]) { q.Consumer().Look(n); q.Consumer().Release(n) }},
		"Release of a part":   {false, one(func(q *queue.SPSC[*fuzz.Item]) { q.Consumer().Look(n); q.Consumer().Release(1) })},
		"TryEnqueue, closed":  {true, one(func(q *queue.SPSC[*fuzz.Item]) { q.Producer().TryEnqueue(some[0]) })},
		"Enqueue, closed":     {true, one(func(q *queue.SPSC[*fuzz.Item]) { _ = q.Producer().Enqueue(ctx, some[0]) })},
		"EnqueueAll, closed":  {true, func(q *queue.SPSC[*fuzz.Item]) { q.Producer().EnqueueAll(some) }},
		"Commit, closed":      {true, func(q *queue.SPSC[*fuzz.Item]) { reserve(q, some); q.Producer().Commit(n) }},
		"Commit of a part":    {true, func(q *queue.SPSC[*fuzz.Item]) { reserve(q, some); q.Producer().Commit(1) }},
		"Reserve, once again": {true, func(q *queue.SPSC[*fuzz.Item]) { reserve(q, some) }},
	} {
		for from := range n {
			q := queue.NewSPSC[*fuzz.Item](n)
			for range from {
				q.Producer().TryEnqueue(nil)
				q.Consumer().TryDequeue()
			}
			if k.closed {
				q.Close()
			} else {
				q.Producer().EnqueueAll(some)
			}
			k.use(q)
			w := q.Producer().Reserve(n)
			require.Equal(t, n, w.Len(), name)
			for i := range n {
				require.Nil(t, *w.Ptr(i), "%s: place %d, %d from the start", name, i, from)
			}
		}
	}
}

// reserve writes items into a window.
func reserve(q *queue.SPSC[*fuzz.Item], items []*fuzz.Item) {
	w := q.Producer().Reserve(len(items))
	for i := range w.Len() {
		*w.Ptr(i) = items[i]
	}
}

// An end that no queue has given out says so.
func TestEndsOfNoQueue(t *testing.T) {
	lawtest.CheckedOnly(t)
	var p queue.Producer[int]
	var c queue.Consumer[int]
	for name, use := range map[string]func(){
		"TryEnqueue": func() { p.TryEnqueue(1) }, "EnqueueAll": func() { p.EnqueueAll([]int{1}) }, "Enqueue": func() { _ = p.Enqueue(ctx, 1) },
		"Reserve": func() { p.Reserve(1) }, "Commit": func() { p.Commit(0) },
		"TryDequeue": func() { c.TryDequeue() }, "DequeueInto": func() { c.DequeueInto(make([]int, 1)) }, "Dequeue": func() { _, _ = c.Dequeue(ctx) },
		"Peek": func() { c.Peek() }, "Look": func() { c.Look(1) }, "Release": func() { c.Release(0) },
	} {
		err := lawtest.Failure(func() error { use(); return nil })
		require.ErrorIs(t, err, safety.ErrUnassigned, name)
	}
}

// The claims of views say what they are claims of.
func TestClaimsOfViews(t *testing.T) {
	q, r := queue.New[int](), queue.NewRing[int](1)
	pw, w, s, rs := q.ParallelWriter(), q.Writer(), q.Shared(), r.Shared()
	require.Equal(t, safety.Append, lawtest.ClaimOf(&pw).Mode)
	require.Equal(t, safety.Write, lawtest.ClaimOf(&w).Mode)
	require.Equal(t, safety.Shared, lawtest.ClaimOf(&s).Mode)
	require.Equal(t, safety.Shared, lawtest.ClaimOf(&rs).Mode)
}

func TestAZeroWindowHasNoPlaces(t *testing.T) {
	var w queue.Window[int]
	first, second := w.Slices()
	require.Zero(t, w.Len()+len(first)+len(second))
}
