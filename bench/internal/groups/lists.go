package groups

import (
	"sync"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

func listRows(r *rows.Run) {
	for _, w := range []struct {
		name string
		bar  float64
		opts []parallelfor.Option
	}{
		{"all workers", 1 / 1.6, nil},
		{"one worker", 1.1, []parallelfor.Option{parallelfor.Workers(1)}},
	} {
		filters(r, w.name, w.bar, w.opts)
		streams(r, w.name, w.opts)
	}
}

// scrambled is a number that looks like any other, the i-th of SplitMix64 (Steele and others 2014).
func scrambled(i int) uint64 {
	x := uint64(i) * 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// filtering appends those numbers of which a filter keeps about half.
type filtering struct {
	In  array.Reader[uint64]
	Out array.ParallelWriter[uint64]
}

func (j *filtering) ExecuteBatch(begin, end int) {
	for _, v := range j.In.Slice()[begin:end] {
		if v&1 == 0 {
			j.Out.Append(v)
		}
	}
}

// filters compares loops that append what they keep, in the order of the input.
func filters(r *rows.Run, name string, bar float64, opts []parallelfor.Option) {
	const n = 4 << 20
	in := array.New[uint64](n)
	data := in.Slice()
	for i := range data {
		data[i] = scrambled(i)
	}
	want := appended(nil, data)
	check := func(side string, out []uint64) {
		rows.MustBe(side, len(out), len(want))
		for i := 0; i < len(out); i += 1009 {
			rows.MustBe(side, out[i], want[i])
		}
	}
	for _, memory := range []string{"new memory", "memory of before"} {
		list, plain := array.NewList[uint64](), []uint64(nil)
		forget := func() {
			list.Clear()
			plain = plain[:0]
		}
		if memory == "new memory" {
			forget = func() { list, plain = array.NewList[uint64](), nil }
		}
		sides := []measure.Side{
			between(ours, forget, func() {
				parallelfor.ForBatch(n, filtering{in.Reader(), list.ParallelWriter()}, (*filtering).ExecuteBatch, opts...)
			}, func() { check(ours, list.Slice()) }),
			between("append", forget, func() { plain = appended(plain, data) }, func() { check("append", plain) }),
		}
		if name == "all workers" {
			sides = append(sides, between("mutex for each batch, sorted", forget, func() { plain = byMutex(plain, data) }, func() { check("mutex", plain) }))
		}
		c := r.Compare("half of 4M appended in order, "+memory+", "+name, n, []string{"append"}, sides...)
		if memory == "new memory" {
			c.AtMost(bar)
		} else {
			c.AtMostOf(0, "append")
		}
		if name == "all workers" {
			c.AtMostOf(0, "mutex for each batch, sorted")
		}
	}
}

// appended appends the numbers that are kept.
//
//go:noinline
func appended(out, in []uint64) []uint64 {
	for _, v := range in {
		if v&1 == 0 {
			out = append(out, v)
		}
	}
	return out
}

// byMutex is what one writes by hand: batches filter into slices of their own, which are put
// together in their order.
func byMutex(out, in []uint64) []uint64 {
	const batch = 1 << 14
	all := make([][]uint64, (len(in)-1)/batch+1)
	var mu sync.Mutex
	next := 0
	rows.Parts(len(all), func(_, _, _ int) {
		for {
			mu.Lock()
			k := next
			next++
			mu.Unlock()
			if k >= len(all) {
				return
			}
			all[k] = appended(nil, in[k*batch:min((k+1)*batch, len(in))])
		}
	})
	for _, s := range all {
		out = append(out, s...)
	}
	return out
}

// candidates is how many items an index looks at.
const candidates = 8

// kept reports whether candidate k of index i is one of its items, and which.
func kept(i, k int) (int, bool) {
	v := scrambled(i*candidates + k)
	return int(v >> 8), v&1 == 0
}

// few returns the number of items of an index, which is known without a look at them.
func few(i int) int { return int(scrambled(i) & 7) }

// choosing appends those of the candidates of an index that are its items.
type choosing struct {
	Out array.StreamParallelWriter[int]
}

func (j *choosing) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		row := j.Out.AvailableBuffer()
		for k := range candidates {
			if v, ok := kept(i, k); ok {
				row = append(row, v)
			}
		}
		j.Out.AppendAll(i, row)
	}
}

// choosingEach is choosing by a call for each item.
type choosingEach struct {
	Out array.StreamParallelWriter[int]
}

func (j *choosingEach) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		for k := range candidates {
			if v, ok := kept(i, k); ok {
				j.Out.Append(i, v)
			}
		}
	}
}

// counting appends items whose number is known without a look at them.
type counting struct {
	Out array.StreamParallelWriter[int]
}

func (j *counting) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		row := j.Out.AvailableBuffer()
		for k := range few(i) {
			row = append(row, i+k)
		}
		j.Out.AppendAll(i, row)
	}
}

// writing writes items into rows that have room for them.
type writing struct {
	Out array.StreamWriter[int]
}

func (j *writing) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		row := j.Out.At(i)
		for k := range row {
			row[k] = i + k
		}
	}
}

// plainRows are rows in plain slices.
type plainRows struct{ items, offsets []int }

// passes are what makes plainRows: how many items indices have, and a second pass that finds them
// again.
type passes struct {
	count func(counts []int, begin int)
	fill  func(items, offsets []int, begin int)
}

var chosen = passes{
	func(counts []int, begin int) {
		for i := range counts {
			n := 0
			for k := range candidates {
				if _, ok := kept(begin+i, k); ok {
					n++
				}
			}
			counts[i] = n
		}
	},
	func(items, offsets []int, begin int) {
		for i, at := range offsets {
			for k := range candidates {
				if v, ok := kept(begin+i, k); ok {
					items[at] = v
					at++
				}
			}
		}
	},
}

var countKnown = passes{
	func(counts []int, begin int) {
		for i := range counts {
			counts[i] = few(begin + i)
		}
	},
	func(items, offsets []int, begin int) {
		for i, at := range offsets {
			row := items[at : at+few(begin+i)]
			for k := range row {
				row[k] = begin + i + k
			}
		}
	},
}

// fill fills n rows.
func (p *plainRows) fill(n int, by passes, each func(n int, part func(p, begin, end int))) {
	if cap(p.offsets) < n+1 {
		p.offsets = make([]int, n+1)
	}
	p.offsets = p.offsets[:n+1]
	each(n, func(_, begin, end int) { by.count(p.offsets[begin+1:end+1], begin) })
	p.offsets[0] = 0
	for i := range n {
		p.offsets[i+1] += p.offsets[i]
	}
	if total := p.offsets[n]; cap(p.items) < total {
		p.items = make([]int, total)
	}
	p.items = p.items[:p.offsets[n]]
	each(n, func(_, begin, end int) { by.fill(p.items, p.offsets[begin:end], begin) })
}

// streams compares loops that find any number of items for each index with a count and a second
// pass that finds them again.
func streams(r *rows.Run, name string, opts []parallelfor.Option) {
	const n = 1 << 20
	each := rows.PartsHere
	if name == "one worker" {
		each = func(n int, part func(p, begin, end int)) { part(0, 0, n) }
	}
	s, plain := array.NewStream[int](), plainRows{}
	reuse := func() { s.Clear() }
	renew := func() { s, plain = array.NewStream[int](), plainRows{} }
	var want plainRows
	of := func(work string, by passes, forget func(), loops ...measure.Side) *rows.Comparison {
		want.fill(n, by, each)
		for i := range loops {
			do := loops[i].Time
			loops[i] = between(loops[i].Name, forget, func() { do(1) }, func() {
				rows.MustBe(loops[i].Name, s.Total(), len(want.items))
				for k := 0; k < n; k += 1013 {
					rows.MustBe(loops[i].Name, s.Offsets()[k], want.offsets[k])
				}
				for k := 0; k < s.Total(); k += 1013 {
					rows.MustBe(loops[i].Name, s.Items()[k], want.items[k])
				}
			})
		}
		return r.Compare(work+", "+name, n, []string{"two passes"},
			append(loops, between("two passes", forget, func() { plain.fill(n, by, each) }, func() { rows.MustBe("two passes", len(plain.items), len(want.items)) }))...)
	}
	choose := measure.Do(ours, func() { parallelfor.ForBatch(n, choosing{s.ParallelWriter()}, (*choosing).ExecuteBatch, opts...) })
	c := of("items of 8 candidates for each of 1M indices, new memory", chosen, renew, choose)
	c.AtMost(1.1)
	c = of("items of 8 candidates for each of 1M indices, memory of before", chosen, reuse, choose,
		measure.Do("Append", func() {
			parallelfor.ForBatch(n, choosingEach{s.ParallelWriter()}, (*choosingEach).ExecuteBatch, opts...)
		}))
	c.AtMost(1.1)
	c.As("Append", "a call for each", 0, "two passes")
	counts := make([]int, n)
	c = of("0 to 7 items, whose number is known, for each of 1M indices", countKnown, func() {},
		measure.Do(ours, func() {
			parallelfor.Ranges(n, func(begin, end int) { countKnown.count(counts[begin:end], begin) }, opts...)
			s.SetCounts(counts)
			parallelfor.ForBatch(n, writing{s.Writer()}, (*writing).ExecuteBatch, opts...)
		}),
		measure.Do("AppendAll", func() {
			s.Clear()
			parallelfor.ForBatch(n, counting{s.ParallelWriter()}, (*counting).ExecuteBatch, opts...)
		}))
	c.AtMost(1.1)
	c.As("AppendAll", "appended", 0, "two passes")
}
