package claims

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

// filled returns a channel and a ring, each with capacity 3 and the items 1 and 2.
func filled() (chan int, *queue.Ring[int]) {
	ch, ring := make(chan int, 3), queue.NewRing[int](3)
	for v := 1; v <= 2; v++ {
		ch <- v
		ring.TryEnqueue(v)
	}
	return ch, ring
}

var channelClaims = map[string]func(t *testing.T){
	"`make(chan T, n)`": func(t *testing.T) {
		ch, ring := filled()
		require.Equal(t, []int{cap(ch), len(ch)}, []int{ring.Cap(), ring.Len()})
	},
	"`ch <- v`": func(t *testing.T) {
		ch, ring := filled()
		ch <- 3
		require.NoError(t, ring.Enqueue(t.Context(), 3))
		require.Equal(t, len(ch), ring.Len())
		endless := queue.New[int]()
		endless.Close()
		require.False(t, endless.Enqueue(1))
		close(ch)
		ring.Close()
		require.Panics(t, func() { ch <- 4 })
		require.ErrorIs(t, ring.Enqueue(t.Context(), 4), queue.ErrClosed)
	},
	"`v, ok := <-ch`": func(t *testing.T) {
		ch, ring := filled()
		close(ch)
		ring.Close()
		for range 3 {
			v, ok := <-ch
			w, err := ring.Dequeue(t.Context())
			require.Equal(t, v, w)
			require.Equal(t, !ok, errors.Is(err, queue.ErrClosed))
		}
	},
	"`select` with a `default`": func(t *testing.T) {
		ch, ring := filled()
		for v := range 5 {
			sent := false
			select {
			case ch <- v:
				sent = true
			default:
			}
			require.Equal(t, sent, ring.TryEnqueue(v))
		}
		for range 5 {
			v, got := 0, false
			select {
			case v, got = <-ch:
			default:
			}
			w, ok := ring.TryDequeue()
			require.Equal(t, []any{v, got}, []any{w, ok})
		}
	},
	"`select` with `ctx.Done()` or a timer": func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		ring := queue.NewRing[int](1)
		_, err := ring.Dequeue(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.True(t, ring.TryEnqueue(1))
		require.ErrorIs(t, ring.Enqueue(ctx, 2), context.Canceled)
	},
	"`close(ch)`": func(t *testing.T) {
		_, ring := filled()
		ring.Close()
		ring.Close()
		require.True(t, ring.Closed())
		require.Equal(t, 2, ring.Len())
	},
	"`for v := range ch`": func(t *testing.T) {
		ch, ring := filled()
		endless := queue.New[int]()
		endless.EnqueueAll([]int{1, 2})
		close(ch)
		ring.Close()
		var want, got []int
		for v := range ch {
			want = append(want, v)
		}
		for v, err := ring.Dequeue(t.Context()); err == nil; v, err = ring.Dequeue(t.Context()) {
			got = append(got, v)
		}
		require.Equal(t, want, got)
		require.Equal(t, [][]int{want}, slices.Collect(endless.Drain()))
	},
	"`len(ch)`, `cap(ch)`": func(t *testing.T) {
		ch, ring := filled()
		require.Equal(t, []int{len(ch), cap(ch)}, []int{ring.Len(), ring.Cap()})
	},
	"`chan []T`, to pay once for many": func(t *testing.T) {
		ring, dst := queue.NewRing[int](3), make([]int, 5)
		require.Equal(t, 3, ring.EnqueueAll([]int{1, 2, 3, 4}))
		require.Equal(t, 3, ring.DequeueInto(dst))
		require.Equal(t, []int{1, 2, 3, 0, 0}, dst)
	},
	"-": func(t *testing.T) { // Peek and All, which channels do not have
		_, ring := filled()
		v, ok := ring.Peek()
		require.Equal(t, []any{1, true}, []any{v, ok})
		require.Equal(t, []int{1, 2}, slices.Collect(ring.All()))
		require.Equal(t, 2, ring.Len())
	},
	"a channel of indices, and workers that take them": func(t *testing.T) {
		var want, got atomic.Int64
		indices := make(chan int)
		go func() {
			defer close(indices)
			for i := range n {
				indices <- i
			}
		}()
		goroutinesOver(func(int, int) {
			for i := range indices {
				want.Add(int64(i))
			}
		})
		each(func(i int) { got.Add(int64(i)) })
		require.Equal(t, want.Load(), got.Load())
	},
	"the same with workers that block": func(t *testing.T) {
		const workers = 8
		var came atomic.Int64
		all := make(chan struct{})
		parallelfor.For(workers, struct{}{}, func(_ *struct{}, i int) {
			if came.Add(1) == workers {
				close(all)
			}
			<-all // each body waits until all have begun
		}, parallelfor.Workers(workers), parallelfor.Batch(1))
		require.EqualValues(t, workers, came.Load())
	},
	"fan-in of results": func(t *testing.T) {
		list, q := array.NewList[int](), queue.New[int]()
		parallelfor.For(n, list.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(i * i) })
		parallelfor.For(n, q.ParallelWriter(), func(w *queue.ParallelWriter[int], i int) { w.Enqueue(i * i) })
		require.Equal(t, squares(), list.Slice())
		require.Equal(t, squares(), slices.Collect(q.All()))
	},
	"a pipeline over data that is all there": func(t *testing.T) {
		in, odd, out := array.Of(squares()), array.NewList[int](), array.NewList[int]()
		h := parallelfor.Schedule(n, keepOdd{in.Reader(), odd.ParallelWriter()}, (*keepOdd).Execute)
		parallelfor.Schedule(-1, double{odd.Reader(), out.ParallelWriter()}, (*double).Execute, parallelfor.LengthOf(odd.Reader()), parallelfor.After(h)).Complete()
		require.Equal(t, []int{2, 18, 50}, out.Slice()[:3])
	},
	"a pipeline over data that comes": func(t *testing.T) {
		ring, sum := queue.NewRing[int](4), 0
		go func() {
			defer ring.Close()
			for i := range n {
				if ring.Enqueue(t.Context(), i) != nil {
					return
				}
			}
		}()
		for v, err := ring.Dequeue(t.Context()); err == nil; v, err = ring.Dequeue(t.Context()) {
			sum += v
		}
		require.Equal(t, n*(n-1)/2, sum)
	},
	"frames: one stage computes while another draws": doubled,
}

type keepOdd ahead

func (j *keepOdd) Execute(i int) {
	if v := j.In.At(i); v%2 != 0 {
		j.Out.Append(v)
	}
}

type double ahead

func (j *double) Execute(i int) { j.Out.Append(2 * j.In.At(i)) }

// doubled computes a frame while the frame before is read.
func doubled(t *testing.T) {
	frames := array.NewDouble[int](n)
	for frame := 1; frame <= 3; frame++ {
		h := parallelfor.Schedule(n, drawing{frames.Back().Writer(), frame}, (*drawing).Execute)
		require.Equal(t, frame-1, frames.Front().At(n-1), "the owner reads the frame before")
		h.Complete()
		frames.Swap()
	}
	require.Equal(t, 3, frames.Front().At(n-1))
}

type drawing struct {
	Next  array.Writer[int]
	Frame int
}

func (d *drawing) Execute(i int) { d.Next.Set(i, d.Frame) }
