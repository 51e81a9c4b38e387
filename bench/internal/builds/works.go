package builds

import (
	"fmt"
	"math/rand/v2"
	"runtime"

	"example.com/custody/array"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// work is what is timed, in so many units.
type work struct {
	units            int
	ours, goroutines func()
}

// goroutines is the side of plain goroutines, one for each worker.
const goroutines = "goroutines"

// The works of Racing have bodies for batches, and with ByIndex at their end bodies for indices.
const (
	steps   = "out[i] = 0.5*in[i]+1, 10k float64, two arrays in turn"
	bins    = "histogram of 1 MiB"
	groups  = "200k values grouped by 20k int keys"
	ByIndex = ", by index"
)

var works = map[string]func() work{
	"batches, 1M":           func() work { return doubled(1_000_000) },
	"batches, 32k in cache": func() work { return doubledOften(1<<15, 1<<12) },
	steps:                   func() work { return stepping(false) },
	steps + ByIndex:         func() work { return stepping(true) },
	bins:                    func() work { return binning(false) },
	bins + ByIndex:          func() work { return binning(true) },
	groups:                  func() work { return grouping(false) },
	groups + ByIndex:        func() work { return grouping(true) },
}

// loop runs the job with the body for indices or with that for batches.
func loop[J any](n int, job J, byIndex bool, index func(j *J, i int), batch func(j *J, begin, end int)) {
	if byIndex {
		parallelfor.For(n, job, index)
	} else {
		parallelfor.ForBatch(n, job, batch)
	}
}

type step struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *step) Execute(i int) { j.Out.Set(i, 0.5*j.In.At(i)+1) }

func (j *step) ExecuteBatch(begin, end int) { stepInto(j.Out.Slice(), j.In.Slice()[begin:end]) }

//go:noinline
func stepInto(out, in []float64) {
	in = in[:len(out)]
	for i := range out {
		out[i] = 0.5*in[i] + 1
	}
}

func stepping(byIndex bool) work {
	p := NewPair(10_000)
	// by returns a side. Elements that the next step must write get a value that no step makes.
	by := func(side string, do func()) func() {
		return func() {
			do()
			for _, i := range []int{0, 1, p.N / 2, p.N - 1} {
				rows.MustBe(side, p.To[i], 0.5*p.From[i]+1)
				p.From[i] = -1
			}
			p.In, p.Out, p.From, p.To = p.Out, p.In, p.To, p.From
		}
	}
	return work{p.N, by(rows.Ours, func() {
		loop(p.N, step{p.In.Reader(), p.Out.Writer()}, byIndex, (*step).Execute, (*step).ExecuteBatch)
	}), by(goroutines, func() {
		rows.Parts(p.N, func(_, begin, end int) { stepInto(p.To[begin:end], p.From[begin:end]) })
	})}
}

// Bin is a job that counts bytes by value.
type Bin struct {
	In  array.Reader[byte]
	Out counter.HistogramParallelWriter
}

func (j *Bin) Execute(i int) { j.Out.Add(int(j.In.At(i)), 1) }

func (j *Bin) ExecuteBatch(begin, end int) {
	for _, v := range j.In.Slice()[begin:end] {
		j.Out.Add(int(v), 1)
	}
}

// RandomBytes returns n bytes, and how many there are of each value.
func RandomBytes(n int) (in *array.Array[byte], want [256]int64) {
	in = array.New[byte](n)
	random := rand.New(rand.NewPCG(1, 2))
	for i, data := 0, in.Slice(); i < n; i++ {
		data[i] = byte(random.Uint32())
		want[data[i]]++
	}
	return in, want
}

// CountBytes counts bytes by value by hand, each processor in an array of its own.
func CountBytes(data []byte) [256]int64 {
	parts := make([][256]int64, runtime.GOMAXPROCS(0))
	rows.Parts(len(data), func(p, begin, end int) {
		counts := &parts[p]
		for _, v := range data[begin:end] {
			counts[v]++
		}
	})
	sums := &parts[0]
	for _, counts := range parts[1:] {
		for v, count := range counts {
			sums[v] += count
		}
	}
	return *sums
}

func binning(byIndex bool) work {
	const n = 1 << 20
	in, want := RandomBytes(n)
	out := counter.NewHistogram(256)
	return work{n, func() {
		loop(n, Bin{in.Reader(), out.ParallelWriter()}, byIndex, (*Bin).Execute, (*Bin).ExecuteBatch)
		rows.MustBe(rows.Ours, [256]int64(out.Counts(nil)), want)
		out.Reset()
	}, func() { rows.MustBe(goroutines, CountBytes(in.Slice()), want) }}
}

type group struct {
	Keys array.Reader[int]
	Out  hashmap.MultiParallelWriter[int, int]
}

func (j *group) Execute(i int) { j.Out.Add(j.Keys.At(i), i) }

func (j *group) ExecuteBatch(begin, end int) {
	for i, k := range j.Keys.Slice()[begin:end] {
		j.Out.Add(k, begin+i)
	}
}

func grouping(byIndex bool) work {
	const n = 200_000
	in := array.New[int](n)
	keys, want := in.Slice(), map[int][]int{}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range keys {
		keys[i] = random.IntN(n / 10)
		want[keys[i]] = append(want[keys[i]], i)
	}
	check := func(side string, groups int, values func(k int) []int) {
		rows.MustBe(side, groups, len(want))
		for _, k := range []int{keys[0], keys[n/2], keys[n-1]} {
			rows.MustBe(side, fmt.Sprint(values(k)), fmt.Sprint(want[k]))
		}
	}
	return work{n, func() {
		m := hashmap.NewMulti[int, int]()
		loop(n, group{in.Reader(), m.ParallelWriter()}, byIndex, (*group).Execute, (*group).ExecuteBatch)
		check(rows.Ours, m.LenKeys(), m.Values)
	}, func() {
		procs := runtime.GOMAXPROCS(0)
		parts := make([][]map[int][]int, procs) // by goroutine and by key modulo procs
		rows.Parts(n, func(p, begin, end int) {
			for range procs {
				parts[p] = append(parts[p], map[int][]int{})
			}
			for i, k := range keys[begin:end] {
				m := parts[p][k%procs]
				m[k] = append(m[k], begin+i)
			}
		})
		rows.Parts(procs, func(part, _, _ int) {
			m := parts[0][part]
			for _, others := range parts[1:] {
				for k, values := range others[part] {
					m[k] = append(m[k], values...)
				}
			}
		})
		found := 0
		for _, m := range parts[0] {
			found += len(m)
		}
		check(goroutines, found, func(k int) []int { return parts[0][k%procs][k] })
	}}
}
