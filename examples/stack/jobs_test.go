package stack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/examples/stack"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

var errIndex = errors.New("this index fails")

// search is a job that pushes what it finds: through two views, in pieces, and in loops of its own.
type search struct {
	Out, Same stack.ParallelWriter[int]
	Salt      int
	Fail      int
}

func (s *search) Execute(i int) error {
	x := (i*40503 + s.Salt) % 1021
	s.Out.Push(10 * i)
	if x%3 == 0 {
		s.Same.PushAll([]int{10*i + 1, 10*i + 2})
	}
	if x%8 == 1 {
		parallelfor.For(x%13, s.Same, func(w *stack.ParallelWriter[int], k int) { w.Push(-100*i - k) }, parallelfor.Batch(1+x%4))
	}
	if i == s.Fail {
		return errIndex
	}
	s.Out.Push(10*i + 3)
	return nil
}

// double is a job that changes items in place.
type double struct{ Items stack.Writer[int] }

func (d *double) ExecuteBatch(begin, end int) {
	for i := begin; i < min(end, d.Items.Len()); i++ {
		d.Items.Set(i, 2*d.Items.At(i)+i)
	}
}

// transfer is a job that pushes the items of one stack onto another one.
type transfer struct {
	From stack.Reader[int]
	To   stack.ParallelWriter[int]
}

func (t *transfer) Execute(i int) { t.To.Push(t.From.At(i)) }

// left is all that loops leave.
type left struct {
	Items    []int
	Rejected int
	Sum      int
	Failed   bool
}

// loops runs a few jobs that share a stack, each scheduled before the one that it runs after has
// finished.
func loops(n, bound, salt, fail int, opts ...parallelfor.Option) (l left) {
	s, t := stack.New[int](bound), stack.New[int](bound)
	s.Push(7)
	pushed := parallelfor.ScheduleErr(context.Background(), n, search{Out: s.ParallelWriter(), Same: s.ParallelWriter(), Salt: salt, Fail: -1}, (*search).Execute, opts...)
	doubled := parallelfor.ScheduleBatch(bound, double{Items: s.Writer()}, (*double).ExecuteBatch, append(opts, parallelfor.After(pushed))...)
	// The length of this one is known when it starts.
	copied := parallelfor.Schedule(-1, transfer{From: s.Reader(), To: t.ParallelWriter()}, (*transfer).Execute, append(opts, parallelfor.After(doubled), parallelfor.LengthOf(s.Reader()))...)
	copied.Complete()
	l.Sum = parallelfor.Reduce(s.Len(), t.Reader(), func(r *stack.Reader[int], begin, end int) (sum int) {
		for i := begin; i < end; i++ {
			sum = 31*sum + r.At(i)
		}
		return sum
	}, func(a, b int) int { return 31*a + b }, opts...)
	err := parallelfor.ForErr(context.Background(), n, search{Out: s.ParallelWriter(), Same: s.ParallelWriter(), Salt: salt, Fail: fail}, (*search).Execute, opts...)
	l.Failed = errors.Is(err, errIndex)
	l.Items, l.Rejected = append(slices.Collect(s.All()), slices.Collect(t.All())...), s.Rejected()
	return l
}

// same compares the loops with what the sequential loops leave.
func same(t *testing.T, n, bound, salt, fail, batch int) {
	want := loops(n, bound, salt, fail, parallelfor.Batch(batch), parallelfor.Sequential())
	require.Equal(t, fail >= 0 && fail < n, want.Failed)
	for workers := 1; workers <= 8; workers++ {
		stop := fuzz.HandOut(uint64(salt + workers))
		got := loops(n, bound, salt, fail, parallelfor.Batch(batch), parallelfor.Workers(workers))
		stop()
		require.Equal(t, want, got, "n %d, bound %d, salt %d, fail %d, batch %d: %d workers", n, bound, salt, fail, batch, workers)
	}
}

func TestLoopsLeaveWhatTheSequentialLoopsLeave(t *testing.T) {
	for _, n := range []int{0, 1, 17, 60} {
		for _, bound := range []int{1, 30, 300} {
			for _, batch := range []int{0, 1, 7} {
				for _, fail := range []int{-1, n / 2} {
					same(t, n, bound, n+batch, fail, batch)
				}
			}
		}
	}
}

// FuzzLoops takes its inputs as the numbers of loops.
func FuzzLoops(f *testing.F) {
	f.Add(byte(0), byte(0), byte(0), byte(0), byte(0))
	f.Add(byte(50), byte(20), byte(3), byte(25), byte(4))
	f.Add(byte(60), byte(50), byte(1), byte(59), byte(1))
	f.Fuzz(func(t *testing.T, n, bound, salt, fail, batch byte) {
		same(t, int(n), 1+int(bound), int(salt), int(fail)-1, int(batch)%32)
	})
}

// What finds no room is what the sequential loop pushes last.
func TestTheLastPushesAreRejected(t *testing.T) {
	for workers := 1; workers <= 8; workers++ {
		s := stack.New[int](5)
		s.Push(100)
		parallelfor.For(40, s.ParallelWriter(), func(w *stack.ParallelWriter[int], i int) {
			if i%5 == 0 {
				w.Push(i)
			}
		}, parallelfor.Batch(3), parallelfor.Workers(workers))
		require.Equal(t, []int{15, 10, 5, 0, 100}, slices.Collect(s.All()))
		require.Equal(t, 4, s.Rejected())
		require.False(t, s.Push(1))
		s.TryPop()
		require.True(t, s.Push(1))
		s.Clear()
		require.Zero(t, s.Rejected())
		require.Zero(t, s.Len())
	}
}

// A Writer's positions are those of its batch, and end where the items end.
func TestAWriterOwnsThePositionsOfItsCell(t *testing.T) {
	s := stack.New[int](10)
	for i := range 6 {
		s.Push(i)
	}
	parallelfor.For(10, s.Writer(), func(w *stack.Writer[int], i int) {
		if i < w.Len() {
			w.Set(i, w.At(i)*w.At(i))
		}
	}, parallelfor.Batch(4))
	require.Equal(t, []int{25, 16, 9, 4, 1, 0}, slices.Collect(s.All()))
	parallelfor.Do(s.Writer(), func(w *stack.Writer[int]) {
		w.Set(5, w.At(0)+w.Len())
		parallelfor.For(w.Len(), *w, func(in *stack.Writer[int], i int) { in.Set(i, in.At(i)+1) }, parallelfor.Batch(2))
	})
	require.Equal(t, []int{7, 17, 10, 5, 2, 1}, slices.Collect(s.All()))
}

// A Reader may be lent on as well.
func TestReadersReadTogether(t *testing.T) {
	s := stack.New[int](10)
	for i := range 6 {
		s.Push(i)
	}
	out := stack.New[string](100)
	type views struct {
		A, B stack.Reader[int]
		Out  stack.ParallelWriter[string]
	}
	parallelfor.For(2, views{A: s.Reader(), B: s.Reader(), Out: out.ParallelWriter()}, func(v *views, i int) {
		for x := range v.A.All() {
			if x == 3 {
				break
			}
			v.Out.Push(fmt.Sprint(i, v.B.At(v.B.Len()-1-x)))
		}
		parallelfor.Do(v.B, func(r *stack.Reader[int]) { r.At(5) })
	})
	require.Equal(t, []string{"1 4", "1 5", "0 4", "0 5"}, slices.Collect(out.All()))
}

// A Writer claims a range of as many indices as there may be items.
func TestTheClaimOfAWriter(t *testing.T) {
	w := stack.New[int](9).Writer()
	var job safety.Ticket
	job.ClaimOf(safety.FieldOf(&w, ""))
	c := job.Claimed(0)
	require.True(t, c.Ranged)
	require.Equal(t, 9, c.Extent)
}

// A stack that is filled and cleared again and again keeps its memory.
func TestTheSteadyStateOfLoops(t *testing.T) {
	s := stack.New[int](1000)
	for range 3 {
		parallelfor.For(5000, s.ParallelWriter(), func(w *stack.ParallelWriter[int], i int) { w.Push(i) })
		require.Equal(t, 1000, s.Len())
		require.Equal(t, 999, s.At(0))
		require.Equal(t, 4000, s.Rejected())
		s.Clear()
	}
}
