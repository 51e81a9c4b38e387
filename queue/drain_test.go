package queue_test

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

// adds is a job that puts its indices into a queue.
type adds struct{ Out queue.ParallelWriter[int] }

func (j *adds) Execute(i int) { j.Out.Enqueue(i) }

// What goroutines have put in and what jobs have added comes out in order, and the queue is empty
// then.
func TestDrainTakesAllInOrder(t *testing.T) {
	q := queue.New[int]()
	var want, got []int
	for round := range 3 {
		for i := range 1000 {
			q.Enqueue(-i)
			want = append(want, -i)
		}
		parallelfor.For(5000*round, adds{q.ParallelWriter()}, (*adds).Execute)
		for i := range 5000 * round {
			want = append(want, i)
		}
		q.TryDequeue()
		want = slices.Delete(want, 0, 1)
		for s := range q.Drain() {
			require.NotEmpty(t, s)
			require.Equal(t, len(s), cap(s), "an append would go on in the queue's memory")
			got = append(got, s...)
		}
		require.Equal(t, want, got)
		require.Zero(t, q.Len())
		want, got = nil, nil
	}
	q.Dispose()
}

// A drain that stops has taken the items that the body was given; the others stay. A body may end
// in any way.
func TestDrainStopsWhereItIsStopped(t *testing.T) {
	ends := map[string]func(){
		"break":  nil,
		"panic":  func() { panic("stop") },
		"Goexit": runtime.Goexit,
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			q := queue.New[int]()
			for i := range 10_000 {
				q.Enqueue(i)
			}
			var first []int
			var done sync.WaitGroup
			done.Go(func() {
				defer func() { _ = recover() }()
				for s := range q.Drain() {
					first = slices.Clone(s)
					if end == nil {
						break
					}
					end()
				}
			})
			done.Wait()
			require.NotEmpty(t, first)
			require.Equal(t, 10_000-len(first), q.Len())
			v, ok := q.TryDequeue()
			require.True(t, ok)
			require.Equal(t, len(first), v)
			q.Dispose()
		})
	}
}

// Nothing is lost and nothing comes twice among goroutines that produce, drain and look; a
// body may write.
func TestDrainBesideOthers(t *testing.T) {
	q := queue.New[int]()
	n := lawtest.Rounds(40_000)
	var producers, others sync.WaitGroup
	stop := make(chan struct{})
	taken := make([][]int, 2)
	for k := range 2 {
		producers.Go(func() {
			for i := range n {
				q.Enqueue(2*i + k)
			}
		})
		others.Go(func() {
			for {
				for s := range q.Drain() {
					taken[k] = append(taken[k], s...)
					for i := range s {
						s[i] = -1
					}
				}
				select {
				case <-stop:
					return
				default:
					runtime.Gosched()
				}
			}
		})
	}
	others.Go(func() {
		for {
			if v, ok := q.Peek(); ok && v < 0 {
				panic("a look at an item that was taken")
			}
			for v := range q.All() {
				if v < 0 {
					panic("an item of the snapshot was taken before")
				}
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	producers.Wait()
	for q.Len() > 0 {
		runtime.Gosched()
	}
	close(stop)
	others.Wait()
	all := slices.Sorted(slices.Values(slices.Concat(taken...)))
	require.Len(t, all, 2*n)
	for i, v := range all {
		require.Equal(t, i, v)
	}
	q.Dispose()
}

// The places of what was drained keep nothing alive.
func TestDrainKeepsNothingAlive(t *testing.T) {
	q := queue.New[*fuzz.Item]()
	q.Enqueue(new(fuzz.Item))
	for s := range q.Drain() {
		defer func() { require.Nil(t, s[0]) }()
	}
	q.Enqueue(new(fuzz.Item))
	require.Equal(t, 1, q.Len())
	q.Dispose()
}
