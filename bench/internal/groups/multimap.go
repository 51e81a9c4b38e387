package groups

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

func multimapRows(r *rows.Run) {
	many := r.Sized(inGroups, inGroups/4)
	for _, c := range []struct {
		pairs, keys   int
		faster, visit float64 // than the best peer, to build and to visit; 0 is without a bar against peers
	}{{many, 1000, 1.5, 2}, {many, 100_000, 2.7, 5}, {many, many, 8, 0}} {
		p := drawKeyed(c.pairs, c.keys)
		buildGroups(r, p, c.keys, c.faster)
		visitGroups(r, p, c.keys, c.visit)
	}
	additions(r)
	multimapPatterns(r)
	multimapEqualHashes(r)
	multimapGrowth(r)
	multimapFirstUses(r)
	spatial(r)
	denselyKeyed(r)
}

// inGroups is how many pairs are grouped, unless there are as many keys. Brief runs group less.
const inGroups = 1_000_000

// keyed is pairs: keys, whose values are their indices.
type keyed[K comparable, V index] struct {
	keys     []K
	array    *array.Array[K]
	distinct []K
	want     tally
}

func newKeyed[K comparable, V index](keys []K) *keyed[K, V] {
	p := &keyed[K, V]{keys: keys, array: array.Of(keys)}
	seen := map[K]bool{}
	for i, k := range keys {
		if !seen[k] {
			seen[k] = true
			p.distinct = append(p.distinct, k)
		}
		p.want.values++
		p.want.sum += int64(i)
	}
	p.want.keys = len(p.distinct)
	return p
}

// drawKeyed returns so many pairs with about so many keys.
func drawKeyed(pairs, keys int) *keyed[uint64, int64] {
	return drawPairs(pairs, keys, func(i int) uint64 { return uint64(i) * 0xd6e8feb86659fd93 })
}

// drawPairs returns so many pairs with about so many keys.
func drawPairs[K comparable](pairs, keys int, key func(i int) K) *keyed[K, int64] {
	r := rand.New(rand.NewPCG(8, 9))
	list := make([]K, pairs)
	for i := range list {
		list[i] = key(r.IntN(keys))
	}
	return newKeyed[K, int64](list)
}

// building is a side that groups the pairs, anew each time. What it made is looked at afterwards.
func building[K comparable, V index](name string, p *keyed[K, V], open func() grouped[K, V]) measure.Side {
	var g grouped[K, V]
	return between(name, nothing,
		func() { g = open(); g.build(p) },
		func() { rows.MustBe(name, g.visit(), p.want); g = nil })
}

// peerGroups are the peers, by name. serialName is the limit for one worker.
func peerGroups[K comparable, V index]() (names []string, open []func() grouped[K, V]) {
	return []string{"a box for each key in a xsync.Map", "64 maps of slices under locks", "map of slices, one goroutine"},
		[]func() grouped[K, V]{
			func() grouped[K, V] { return newBoxes[K, V]() },
			func() grouped[K, V] { return &slices64[K, V]{newSharded[K, []V](0)} },
			func() grouped[K, V] { return mapOfSlices[K, V]{} },
		}
}

// peersBuild adds the peers' sides to those that group, also of the one whose map is then as
// another's.
func peersBuild[K comparable, V index](p *keyed[K, V], sides ...measure.Side) ([]string, []measure.Side) {
	const together = "a map for each goroutine, put together"
	names, open := peerGroups[K, V]()
	for i, name := range names {
		sides = append(sides, building(name, p, open[i]))
	}
	return append(names, together), append(sides, building(together, p, func() grouped[K, V] { return merged[K, V]{mapOfSlices[K, V]{}} }))
}

const serialName = "map to id, counting sort"

// buildGroups compares the grouping of pairs.
func buildGroups(r *rows.Run, p *keyed[uint64, int64], keys int, faster float64) {
	with := func(name string, opts ...parallelfor.Option) measure.Side {
		return building(name, p, func() grouped[uint64, int64] { return &ourGroups[uint64, int64]{opts: opts} })
	}
	const one, small, large = "ours, one worker", "ours, batches of 256", "batches of 4096"
	names, sides := peersBuild(p, with(ours), with(large, parallelfor.Batch(4096)), // each of the cells beside another of ours, whose memory it finds
		with(one, parallelfor.Workers(1)), with(small, parallelfor.Batch(256)),
		building(serialName, p, func() grouped[uint64, int64] { return &sorted[uint64, int64]{} }))
	c := r.Compare(rows.Thousands(len(p.keys))+" pairs put in by all workers, "+rows.Thousands(keys)+" keys", len(p.keys), nil, sides...)
	c.Peers = names
	c.AtMostOf(1/faster, c.Best(names...))
	if r.AllPeers {
		c.Beside()
	}
	c.As(one, "one worker", 1, serialName)
	c.As(small, "batches of 256", 1.2, large)
	c.Own()
}

// visitGroups compares looking at all values, by all workers and by one goroutine.
func visitGroups(r *rows.Run, p *keyed[uint64, int64], keys int, faster float64) {
	names, open := peerGroups[uint64, int64]()
	const arrays, ordinary = "arrays", "ours, outside jobs"
	all := map[string]grouped[uint64, int64]{ours: &ourGroups[uint64, int64]{}, arrays: &sorted[uint64, int64]{}}
	for i, name := range names {
		all[name] = open[i]()
	}
	for _, g := range all {
		g.build(p)
	}
	for _, way := range []struct {
		who   string
		visit func(g grouped[uint64, int64]) tally
	}{
		{"all workers", func(g grouped[uint64, int64]) tally { return g.visitAll(p) }},
		{"one goroutine", func(g grouped[uint64, int64]) tally { return g.visit() }},
	} {
		var sides []measure.Side
		for _, name := range append([]string{ours, arrays}, names...) {
			sides = append(sides, measure.Do(name, func() { rows.MustBe(name, way.visit(all[name]), p.want) }))
		}
		own := all[ours].(*ourGroups[uint64, int64])
		sides = append(sides, measure.Do(ordinary, func() { rows.MustBe(ordinary, own.visitOutside(), p.want) }))
		c := r.Compare(rows.Thousands(len(p.keys))+" values visited by "+way.who+", "+rows.Thousands(keys)+" keys", len(p.keys), []string{arrays}, sides...)
		c.Peers = names
		c.AtMost(1.5)
		bar := 0.0
		if faster > 0 {
			bar = 1 / faster
		}
		c.AtMostOf(bar, c.Best(names...))
		if r.AllPeers {
			c.Beside()
		}
		if way.who == "one goroutine" {
			c.As(ordinary, "outside jobs", 0, c.Best(names...))
		}
	}
}

// pair16 is a pair as a slice keeps it.
type pair16 struct {
	k uint64
	v int64
}

// timedAdding is grouping that takes its own time: without what comes before and after a cell.
type timedAdding struct {
	In   array.Reader[uint64]
	Out  hashmap.MultiParallelWriter[uint64, int64]
	Took *atomic.Int64 `custody:"unguarded"`
}

func (j *timedAdding) ExecuteBatch(begin, end int) {
	start := time.Now()
	for i, k := range j.In.Slice()[begin:end] {
		j.Out.Add(k, int64(begin+i))
	}
	j.Took.Add(time.Since(start).Nanoseconds())
}

// additions compares Add alone with an append to a slice that has room: both write where they wrote
// before. The append takes about 1.5 ns, and the bar stands for 2 ns.
func additions(r *rows.Run) {
	const cell, limit = 4096, "append, room is there"
	p := drawKeyed(inGroups, 100_000)
	m := hashmap.NewMulti[uint64, int64]()
	own := measure.Side{Name: ours, Time: func(n int) time.Duration {
		var took atomic.Int64
		for range n {
			m.Clear()
			parallelfor.ForBatch(inGroups, timedAdding{p.array.Reader(), m.ParallelWriter(), &took}, (*timedAdding).ExecuteBatch, parallelfor.Batch(cell), parallelfor.Workers(1))
			rows.MustBe(ours, m.Len(), inGroups)
		}
		return time.Duration(took.Load())
	}}
	room := make([]pair16, 0, inGroups)
	plain := measure.Side{Name: limit, Time: func(n int) (took time.Duration) {
		for range n {
			s := room
			for begin := 0; begin < inGroups; begin += cell {
				start := time.Now()
				for i, k := range p.keys[begin:min(begin+cell, inGroups)] {
					s = append(s, pair16{k, int64(begin + i)})
				}
				took += time.Since(start)
			}
			rows.MustBe(limit, s[inGroups-1], pair16{p.keys[inGroups-1], inGroups - 1})
		}
		return took
	}}
	r.Compare("Add alone, one worker", inGroups, []string{limit}, own, plain).AtMost(1.3)
}
