package claims

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

const n = 1000

// squares returns the result that the loops of this file compute.
func squares() []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i * i
	}
	return s
}

// goroutinesOver runs body for each part of [0, n) on a goroutine of its own, and waits for all.
func goroutinesOver(body func(begin, end int)) {
	var wg sync.WaitGroup
	for begin := 0; begin < n; begin += 100 {
		wg.Go(func() { body(begin, begin+100) })
	}
	wg.Wait()
}

// byGoroutines runs body for each index, on goroutines that it starts.
func byGoroutines(body func(i int)) {
	goroutinesOver(func(begin, end int) {
		for i := begin; i < end; i++ {
			body(i)
		}
	})
}

// each runs body for each index in a loop of custody that carries no views, so body may write only
// atomic variables.
func each(body func(i int)) { parallelfor.For(n, struct{}{}, func(_ *struct{}, i int) { body(i) }) }

// bySquare is a job that writes each index's square.
type bySquare struct{ Out array.Writer[int] }

// ahead is a job that reads one array and adds to a list.
type ahead struct {
	In  array.Reader[int]
	Out array.ParallelWriter[int]
}

var goroutineClaims = map[string]func(t *testing.T){
	"goroutines for parts of a slice, and a `sync.WaitGroup`": func(t *testing.T) {
		want, got := make([]int, n), array.New[int](n)
		goroutinesOver(func(begin, end int) {
			for i := begin; i < end; i++ {
				want[i] = i * i
			}
		})
		parallelfor.ForBatch(n, got.Writer(), func(w *array.Writer[int], begin, end int) {
			for i := begin; i < end; i++ {
				w.Set(i, i*i)
			}
		})
		require.Equal(t, want, got.Slice())
		parallelfor.For(n, got.Writer(), func(w *array.Writer[int], i int) { w.Set(i, -i) })
		require.Equal(t, 1-n, got.At(n-1))
	},
	"the same over a plain slice": func(t *testing.T) {
		slice := make([]int, n)
		parallelfor.Indices(n, func(i int) { slice[i] = i * i })
		require.Equal(t, squares(), slice)
		parallelfor.For(n, array.Of(slice).Writer(), func(w *array.Writer[int], i int) { w.Set(i, 2*w.At(i)) })
		require.Equal(t, 2*(n-1)*(n-1), slice[n-1])
	},
	"`results[i] = ...` from goroutines": func(t *testing.T) {
		results := array.New[int](n)
		parallelfor.For(n, bySquare{results.Writer()}, func(j *bySquare, i int) { j.Out.Set(i, i*i) })
		require.Equal(t, squares(), results.Slice())
	},
	"`go` for one half of a recursion, to a depth": func(t *testing.T) {
		var sum func(from, to, depth int) int
		sum = func(from, to, depth int) (s int) {
			if to-from == 1 {
				return from
			}
			half := make(chan int, 1)
			left := func() { half <- sum(from, (from+to)/2, depth-1) }
			if depth > 0 {
				go left()
			} else {
				left()
			}
			s = sum((from+to)/2, to, depth-1)
			return s + <-half
		}
		got := parallelfor.Recurse(func(f *parallelfor.Forks[[2]int, int], r [2]int) int {
			if r[1]-r[0] == 1 {
				return r[0]
			}
			mid := (r[0] + r[1]) / 2
			left, right := f.Join([2]int{r[0], mid}, [2]int{mid, r[1]})
			return left + right
		}, [2]int{0, n})
		require.Equal(t, sum(0, n, 3), got)
	},
	"`WaitGroup.Go`, then other work, then `Wait`": func(t *testing.T) {
		results := array.New[int](n)
		h := parallelfor.Go(results.Writer(), func(w *array.Writer[int]) { copy(w.Slice(), squares()) })
		h.Complete()
		require.Equal(t, squares(), results.Slice())
	},
	"`go` that blocks and holds data": func(t *testing.T) {
		results, gate := array.New[int](1), make(chan int)
		h := parallelfor.Go(results.Writer(), func(w *array.Writer[int]) { w.Set(0, <-gate) })
		gate <- 7
		h.Complete()
		require.Equal(t, 7, results.At(0))
	},
	"a lock around an append": func(t *testing.T) {
		var mu sync.Mutex
		var want []int
		goroutinesOver(func(begin, end int) {
			for i := begin; i < end; i++ {
				mu.Lock()
				want = append(want, i*i)
				mu.Unlock()
			}
		})
		slices.Sort(want)
		got := array.NewList[int]()
		parallelfor.For(n, got.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(i * i) })
		require.Equal(t, want, got.Slice(), "custody keeps the order without a sort")
	},
	"a lock around a map that a loop fills": func(t *testing.T) {
		m, groups := hashmap.New[int, int](), hashmap.NewMulti[int, int]()
		parallelfor.For(n, m.ParallelWriter(), func(w *hashmap.ParallelWriter[int, int], i int) { w.Set(i%10, i) })
		parallelfor.For(n, groups.ParallelWriter(), func(w *hashmap.MultiParallelWriter[int, int], i int) { w.Add(i%10, i) })
		last, _ := m.Load(3)
		require.Equal(t, n-7, last)
		require.Equal(t, []int{3, 13, 23}, groups.Values(3)[:3])
	},
	"a lock around a map that a loop counts in": func(t *testing.T) {
		m := hashmap.New[int, int]()
		add := m.ParallelMerger(func(a, b int) int { return a + b })
		parallelfor.For(n, add, func(w *hashmap.ParallelMerger[int, int], i int) { w.Merge(i%10, 1) })
		count, _ := m.Load(3)
		require.Equal(t, n/10, count)
	},
	"a lock around a map that goroutines use": func(t *testing.T) {
		m := hashmap.New[int, int]()
		goroutinesOver(func(begin, end int) {
			for i := begin; i < end; i++ {
				m.Compute(i%10, func(old int, _ bool) (int, hashmap.Op) { return old + 1, hashmap.Update })
			}
		})
		count, _ := m.Load(3)
		require.Equal(t, n/10, count)
	},
	"`sync.RWMutex` around what loops only read": func(t *testing.T) {
		in, out := array.Of(squares()), array.NewList[int]()
		parallelfor.For(n, ahead{in.Reader(), out.ParallelWriter()}, func(j *ahead, i int) { j.Out.Append(j.In.At(n - 1 - i)) })
		require.Equal(t, 0, out.At(n-1))
	},
	"`atomic.Int64` that counts": func(t *testing.T) {
		var want atomic.Int64
		got := counter.New()
		byGoroutines(func(i int) { want.Add(int64(i)); got.Add(int64(i)) })
		local := got.Local()
		local.Add(1)
		require.Equal(t, want.Load()+1, got.Value())
	},
	"a `CompareAndSwap` loop for a minimum or maximum": func(t *testing.T) {
		low, high := counter.NewMin[int](), counter.NewMax[int]()
		byGoroutines(func(i int) { low.Observe(i); high.Observe(i) })
		least, _ := low.Value()
		most, _ := high.Value()
		require.Equal(t, []int{0, n - 1}, []int{least, most})
	},
	"a float summed under a lock": func(t *testing.T) {
		want := 0.0
		for i := range n {
			want += 1 / float64(i+1)
		}
		got := counter.NewSum[float64]()
		parallelfor.For(n, got.ParallelWriter(), func(w *counter.SumParallelWriter[float64], i int) { w.Add(1 / float64(i+1)) })
		require.Less(t, math.Abs(want-got.Value()), 1e-12)
	},
	"partial results of goroutines, then a merge": func(t *testing.T) {
		largest := func(s []int) int {
			return slices.MaxFunc(s, func(a, b int) int { return cmp.Compare(a%97, b%97) }) % 97
		}
		in := array.Of(squares())
		got := parallelfor.Reduce(n, in.Reader(), func(r *array.Reader[int], begin, end int) int {
			return largest(r.Slice()[begin:end])
		}, func(a, b int) int { return max(a, b) })
		require.Equal(t, largest(squares()), got)
	},
	"buckets of atomics": func(t *testing.T) {
		var want [10]atomic.Int64
		got := counter.NewHistogram(10)
		byGoroutines(func(i int) { want[i*i%10].Add(1); got.Add(i*i%10, 1) })
		for b := range want {
			require.EqualValues(t, want[b].Load(), got.At(b))
		}
	},
	"`sync.Cond`, barriers between rounds": func(t *testing.T) {
		values := array.New[int](n)
		var round parallelfor.Handle
		for range 3 {
			round = parallelfor.Schedule(n, more{values.Writer()}, (*more).Execute, parallelfor.After(round))
		}
		round.Complete()
		require.Equal(t, 3, values.At(n-1))
	},
	"`sync.Pool` for buffers of bodies": func(t *testing.T) {
		sums := array.New[int](n)
		parallelfor.For(n, buffered{Sums: sums.Writer()}, func(j *buffered, i int) {
			buffer := parallelfor.Scratch[int](j.Worker, 4)
			for k := range buffer {
				buffer[k] = i
			}
			j.Sums.Set(i, buffer[0]+buffer[3])
		})
		require.Equal(t, 2*(n-1), sums.At(n-1))
	},
	"`t.FailNow` in goroutines": func(t *testing.T) {
		ended := make(chan bool)
		go func() {
			after := false
			defer func() { ended <- !after }()
			each(func(i int) { runtime.Goexit() }) // what FailNow calls
			after = true
		}()
		require.True(t, <-ended)
	},
	"`sync.RWMutex` around a frame computed while the last is read": doubled,
}

// more is a job that adds 1 to each value.
type more struct{ Values array.Writer[int] }

func (m *more) Execute(i int) { m.Values.Set(i, m.Values.At(i)+1) }

// buffered is a job whose bodies use a buffer.
type buffered struct {
	Worker parallelfor.Worker
	Sums   array.Writer[int]
}
