package groups

import (
	"fmt"
	"runtime"
	"sync"

	"example.com/custody/array"
	"example.com/custody/bench/internal/builds"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// scalingRows are the points of curves: the same work by one worker, by two, and so on, beside as
// many goroutines of plain Go with a part each. They have no bars: what a second core is worth
// depends on the machine.
func scalingRows(r *rows.Run) {
	for _, s := range []func() scaled{scaledArray, scaledCounter, scaledSum, scaledMap, scaledList, scaledGroups} {
		work := s()
		for _, workers := range workerCounts(runtime.GOMAXPROCS(0)) {
			work.at(r, workers)
		}
	}
}

// workerCounts are 1 to 8 and their doubles, as far as there are processors, and the number of
// processors.
func workerCounts(procs int) (counts []int) {
	for w := 1; w < procs; {
		counts = append(counts, w)
		if w < 8 {
			w++
		} else {
			w *= 2
		}
	}
	return append(counts, procs)
}

// scaled is one work, of n indices.
type scaled struct {
	work string
	n    int
	ours func(workers parallelfor.Option)
	// part does the plain program's part p.
	part func(p, begin, end int)
	// check stops everything when the side left something else than it should, and takes the result
	// away.
	check func(side string)
}

// at measures the work with so many workers.
func (s *scaled) at(r *rows.Run, workers int) {
	const byHand = "goroutines"
	option := parallelfor.Workers(workers)
	c := r.Compare(fmt.Sprintf("%s, workers: %d", s.work, workers), s.n, []string{byHand},
		measure.Do(ours, func() {
			s.ours(option)
			s.check(ours)
		}),
		measure.Do(byHand, func() {
			var wg sync.WaitGroup
			for p := range workers - 1 {
				wg.Go(func() { s.part(p, s.n*p/workers, s.n*(p+1)/workers) })
			}
			s.part(workers-1, s.n*(workers-1)/workers, s.n)
			wg.Wait()
			s.check(byHand)
		}))
	row := c.Row()
	row.Ratio, row.Info, row.Workers = c.Ratio(ours, byHand), true, workers
	r.Rows = append(r.Rows, row)
}

func scaledArray() scaled {
	p := builds.NewPair(1_000_000)
	return scaled{"loop over floats: out[i] = 2*in[i], 1M float64", p.N,
		func(w parallelfor.Option) {
			parallelfor.ForBatch(p.N, builds.Double4{In: p.In.Reader(), Out: p.Out.Writer()}, (*builds.Double4).ExecuteBatch, w)
		},
		func(_, begin, end int) { builds.DoubleInto4(p.To[begin:end], p.From[begin:end]) },
		p.Check}
}

// partSums is a sum of parts of its own for each worker, made anew by its check.
type partSums struct {
	slots []rows.Slot
	want  int64
}

func newPartSums(want int64) *partSums {
	return &partSums{make([]rows.Slot, runtime.GOMAXPROCS(0)), want}
}

func (t *partSums) add(p, n int) { t.slots[p].Add(int64(n)) }

// take returns the sum and sets it to 0.
func (t *partSums) take() (sum int64) {
	for i := range t.slots {
		sum += t.slots[i].Swap(0)
	}
	return sum
}

func scaledCounter() scaled {
	const n = 10_000_000
	in := array.New[int32](n)
	data := in.Slice()
	for i := range data {
		data[i] = int32(i & 1)
	}
	total, t := counter.New(), newPartSums(n/2)
	return scaled{"counting: zeros, 10M int32", n,
		func(w parallelfor.Option) {
			parallelfor.ForBatch(n, zerosFast{in.Reader(), total.ParallelWriter()}, (*zerosFast).ExecuteBatch, w)
		},
		func(p, begin, end int) { t.add(p, zerosByCarry(data[begin:end])) },
		func(side string) { rows.MustBe(side, total.Swap(0)+t.take(), t.want) }}
}

// rooted is a sum that computes more than it reads.
type rooted struct {
	In  array.Reader[int64]
	Sum counter.SumParallelWriter[int64]
}

func (j *rooted) ExecuteBatch(begin, end int) { j.Sum.Add(stepsOf(j.In.Slice()[begin:end])) }

// stepsOf adds up how many steps each number takes to 1, by halves and 3n+1.
//
//go:noinline
func stepsOf(s []int64) (steps int64) {
	for _, v := range s {
		for ; v > 1; steps++ {
			if v&1 == 0 {
				v >>= 1
			} else {
				v = 3*v + 1
			}
		}
	}
	return steps
}

func scaledSum() scaled {
	const n = 20_000
	in := array.New[int64](n)
	data := in.Slice()
	for i := range data {
		data[i] = int64(i)
	}
	total, t := counter.NewSum[int64](), newPartSums(stepsOf(data))
	return scaled{"arithmetic: steps of 20k numbers", n,
		func(w parallelfor.Option) {
			parallelfor.ForBatch(n, rooted{in.Reader(), total.ParallelWriter()}, (*rooted).ExecuteBatch, w)
		},
		func(p, begin, end int) { t.add(p, int(stepsOf(data[begin:end]))) },
		func(side string) { rows.MustBe(side, total.Swap(0)+t.take(), t.want) }}
}

// lookedUp adds up what keys have.
type lookedUp struct {
	Keys array.Reader[int]
	Map  hashmap.Reader[int, int]
	Sum  counter.SumParallelWriter[int64]
}

func (j *lookedUp) ExecuteBatch(begin, end int) {
	sum := 0
	for _, k := range j.Keys.Slice()[begin:end] {
		v, _ := j.Map.Load(k)
		sum += v
	}
	j.Sum.Add(int64(sum))
}

func scaledMap() scaled {
	const n = 100_000
	m, plainMap, keys := hashmap.New[int, int](), make(map[int]int, n), array.New[int](n)
	list, want := keys.Slice(), 0
	for i := range list {
		list[i] = i * 7919
		m.Store(list[i], i)
		plainMap[list[i]] = i
		want += i
	}
	total, t := counter.NewSum[int64](), newPartSums(int64(want))
	return scaled{"looking up: 100k times in 100k int keys", n,
		func(w parallelfor.Option) {
			parallelfor.ForBatch(n, lookedUp{keys.Reader(), m.Reader(), total.ParallelWriter()}, (*lookedUp).ExecuteBatch, w)
		},
		func(p, begin, end int) {
			sum := 0
			for _, k := range list[begin:end] {
				sum += plainMap[k]
			}
			t.add(p, sum)
		},
		func(side string) { rows.MustBe(side, total.Swap(0)+t.take(), t.want) }}
}

func scaledList() scaled {
	const n = 1 << 20
	in, out := array.New[uint64](n), array.NewList[uint64]()
	data := in.Slice()
	for i := range data {
		data[i] = scrambled(i)
	}
	want, parts := len(appended(nil, data)), make([][]uint64, runtime.GOMAXPROCS(0))
	return scaled{"appending: half of 1M uint64 in order, beside slices that are not joined", n,
		func(w parallelfor.Option) {
			parallelfor.ForBatch(n, filtering{in.Reader(), out.ParallelWriter()}, (*filtering).ExecuteBatch, w)
		},
		func(p, begin, end int) { parts[p] = appended(parts[p][:0], data[begin:end]) },
		func(side string) {
			got := out.Len()
			out.Clear()
			for p := range parts {
				got += len(parts[p])
				parts[p] = parts[p][:0]
			}
			rows.MustBe(side, got, want)
		}}
}

func scaledGroups() scaled {
	const n, keys = 200_000, 1000
	in, out := array.New[uint64](n), hashmap.NewMulti[uint64, int64]()
	data := in.Slice()
	for i := range data {
		data[i] = scrambled(i) % keys
	}
	parts := make([]map[uint64][]int64, runtime.GOMAXPROCS(0))
	return scaled{"grouping: 200k pairs put in, 1k keys, beside maps of slices that are not joined", n,
		func(w parallelfor.Option) {
			parallelfor.ForBatch(n, grouping[uint64, int64]{in.Reader(), out.ParallelWriter()}, (*grouping[uint64, int64]).ExecuteBatch, w)
		},
		func(p, begin, end int) {
			m := make(map[uint64][]int64, keys)
			for i, k := range data[begin:end] {
				m[k] = append(m[k], int64(begin+i))
			}
			parts[p] = m
		},
		func(side string) {
			got := out.Len()
			out.Clear()
			for _, m := range parts {
				for _, values := range m {
					got += len(values)
				}
			}
			clear(parts)
			rows.MustBe(side, got, n)
		}}
}
