package parallelfor_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// hadScratch is which worker executed a batch, and with which scratch.
type hadScratch struct {
	worker  int
	scratch []int
}

// medians is a job that needs temporary arrays of two types in each batch.
type medians struct {
	Worker  parallelfor.Worker
	Out     array.Writer[int]
	Batches []hadScratch `custody:"unguarded"` // by their first index
}

func (m *medians) ExecuteBatch(begin, end int) {
	s := parallelfor.Scratch[int](m.Worker, end-begin)
	seen := parallelfor.Scratch[bool](m.Worker, 5)
	for i := range s {
		if s[i] != 0 || seen[i%5] && i < 5 {
			panic("scratch is not zero")
		}
		s[i] = begin + i
		seen[i%5] = true
	}
	m.Batches[begin] = hadScratch{m.Worker.Index(), s}
	for i := range s {
		m.Out.Set(begin+i, s[len(s)-1-i])
	}
}

func TestScratchIsZeroAndOneWorkersOnly(t *testing.T) {
	for _, batch := range []int{1, 7, 50, 0} {
		defer handout.Force(uint64(batch))()
		for range 3 {
			out := array.New[int](200)
			batches := make([]hadScratch, 200)
			parallelfor.ForBatch(200, medians{Out: out.Writer(), Batches: batches}, (*medians).ExecuteBatch, parallelfor.Workers(4), parallelfor.Batch(batch))
			length, _ := parallelfor.Grid(200, batch)
			for i, v := range out.Slice() {
				begin := i / length * length
				require.Equal(t, begin+min(begin+length, 200)-1-i, v)
			}
			workers := map[*int]int{}
			for _, c := range batches {
				if c.scratch == nil {
					continue
				}
				require.Equal(t, len(c.scratch), cap(c.scratch))
				worker, known := workers[&c.scratch[0]]
				require.True(t, !known || worker == c.worker && !safety.Strict, "two batches have the same scratch")
				workers[&c.scratch[0]] = c.worker
			}
		}
	}
}

// scratching is a job that uses scratch and nothing else.
type scratching struct{ Worker parallelfor.Worker }

func (s *scratching) ExecuteBatch(begin, end int) {
	parallelfor.Scratch[int](s.Worker, 100)[begin] = end
	parallelfor.Scratch[string](s.Worker, 100)[begin] = "x"
}

func TestScratchIsUsedAgain(t *testing.T) {
	type views struct{ Worker parallelfor.Worker }
	var kept []int
	run := func(n int) (again bool) {
		parallelfor.Do(views{}, func(v *views) {
			a := parallelfor.Scratch[int](v.Worker, n)
			a[0] = 5
			b := parallelfor.Scratch[int](v.Worker, n)
			again = &a[0] == &b[0]
			require.Zero(t, b[0])
			kept = b
		})
		return again
	}
	require.Equal(t, !safety.Strict, run(100))
	first := kept
	require.Equal(t, !safety.Strict, run(50))
	if !safety.Strict {
		require.Same(t, &first[0], &kept[0])
		require.Zero(t, testing.AllocsPerRun(100, func() { parallelfor.ForBatch(20, scratching{}, (*scratching).ExecuteBatch, parallelfor.Workers(1)) }))
	} else {
		require.NotSame(t, &first[0], &kept[0])
	}
}

func TestScratchOutsideJobsAndOfNothing(t *testing.T) {
	require.Equal(t, make([]string, 3), parallelfor.Scratch[string](parallelfor.Worker{}, 3))
	require.Empty(t, parallelfor.Scratch[string](parallelfor.Worker{}, 0))
	v := violation(t, safety.ErrLength, func() { parallelfor.Scratch[int](parallelfor.Worker{}, -1) })
	require.Equal(t, -1, v.N)
}

// Workers are kept; what their scratch points to is not.
func TestScratchKeepsNothingAlive(t *testing.T) {
	type views struct{ Worker parallelfor.Worker }
	lawtest.Collected(t, func() (p weak.Pointer[[1000]int]) {
		parallelfor.Do(views{}, func(v *views) {
			s := parallelfor.Scratch[*[1000]int](v.Worker, 1)
			s[0] = new([1000]int)
			p = weak.Make(s[0])
		})
		return p
	}())
	runtime.GC()
}
