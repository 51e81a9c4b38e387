package groups

import (
	"runtime"
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/array"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// index is the types of values.
type index interface{ int32 | int64 }

// tally is what one finds who looks at all values.
type tally struct {
	keys, values int
	sum          int64
}

func (t *tally) add(o tally) {
	t.keys += o.keys
	t.values += o.values
	t.sum += o.sum
}

func tallyOf[V index](vs []V) tally {
	sum := int64(0)
	for _, v := range vs {
		sum += int64(v)
	}
	return tally{1, len(vs), sum}
}

// tallies adds up what all processors find, each in its part of [0, n).
func tallies(n int, part func(begin, end int) tally) (t tally) {
	found := make([]struct {
		tally
		_ [104]byte
	}, runtime.GOMAXPROCS(0))
	rows.Parts(n, func(p, begin, end int) { found[p].tally = part(begin, end) })
	for i := range found {
		t.add(found[i].tally)
	}
	return t
}

// grouped is a multimap. Peers look things up without locks, as a program does when no goroutine
// adds.
type grouped[K comparable, V index] interface {
	build(p *keyed[K, V])
	visit() tally                  // one goroutine looks at all values
	visitAll(p *keyed[K, V]) tally // all processors do
}

// ourGroups is a MultiMap.
type ourGroups[K comparable, V index] struct {
	m      *hashmap.MultiMap[K, V]
	opts   []parallelfor.Option
	hasher hashmap.Hasher[K] // nil is the library's own
}

// grouping is a job that adds the indices to their keys.
type grouping[K comparable, V index] struct {
	In  array.Reader[K]
	Out hashmap.MultiParallelWriter[K, V]
}

func (j *grouping[K, V]) ExecuteBatch(begin, end int) {
	for i, k := range j.In.Slice()[begin:end] {
		j.Out.Add(k, V(begin+i))
	}
}

func (g *ourGroups[K, V]) build(p *keyed[K, V]) {
	if g.hasher == nil {
		g.m = hashmap.NewMulti[K, V]()
	} else {
		g.m = hashmap.NewMultiWith[K, V](g.hasher)
	}
	g.more(p.array)
}

// more adds the indices of keys to them.
func (g *ourGroups[K, V]) more(keys *array.Array[K]) {
	parallelfor.ForBatch(keys.Len(), grouping[K, V]{keys.Reader(), g.m.ParallelWriter()}, (*grouping[K, V]).ExecuteBatch, g.opts...)
}

// visiting is a job that looks at all values.
type visiting[K comparable, V index] struct {
	In                hashmap.MultiReader[K, V]
	Keys, Values, Sum counter.ParallelWriter
}

func (j *visiting[K, V]) ExecuteBatch(begin, end int) {
	var t tally
	for i := begin; i < end; i++ {
		_, vs := j.In.At(i)
		t.add(tallyOf(vs))
	}
	j.found(t)
}

// Execute looks at all of them on one goroutine.
func (j *visiting[K, V]) Execute() {
	var t tally
	for _, vs := range j.In.Groups() {
		t.add(tallyOf(vs))
	}
	j.found(t)
}

func (j *visiting[K, V]) found(t tally) {
	j.Keys.Add(int64(t.keys))
	j.Values.Add(int64(t.values))
	j.Sum.Add(t.sum)
}

func (g *ourGroups[K, V]) visitBy(run func(j visiting[K, V])) tally {
	keys, values, sum := counter.New(), counter.New(), counter.New()
	run(visiting[K, V]{g.m.Reader(), keys.ParallelWriter(), values.ParallelWriter(), sum.ParallelWriter()})
	return tally{int(keys.Value()), int(values.Value()), sum.Value()}
}

func (g *ourGroups[K, V]) visit() tally {
	return g.visitBy(func(j visiting[K, V]) { parallelfor.Do(j, (*visiting[K, V]).Execute) })
}

func (g *ourGroups[K, V]) visitAll(*keyed[K, V]) tally {
	return g.visitBy(func(j visiting[K, V]) { parallelfor.ForBatch(g.m.LenKeys(), j, (*visiting[K, V]).ExecuteBatch) })
}

// visitOutside is visit without a job.
func (g *ourGroups[K, V]) visitOutside() (t tally) {
	for _, vs := range g.m.Groups() {
		t.add(tallyOf(vs))
	}
	return t
}

// boxes has for each key a slice under a lock of its own.
type boxes[K comparable, V index] struct{ m *xsync.Map[K, *box[V]] }

type box[V any] struct {
	mu sync.Mutex
	vs []V
}

func newBoxes[K comparable, V index]() boxes[K, V] {
	return boxes[K, V]{xsync.NewMap[K, *box[V]]()}
}

func (g boxes[K, V]) build(p *keyed[K, V]) {
	rows.Parts(len(p.keys), func(_, begin, end int) {
		for i, k := range p.keys[begin:end] {
			b, _ := g.m.LoadOrCompute(k, func() (*box[V], bool) { return new(box[V]), false })
			b.mu.Lock()
			b.vs = append(b.vs, V(begin+i))
			b.mu.Unlock()
		}
	})
}

func (g boxes[K, V]) visit() (t tally) {
	for _, b := range g.m.Range {
		t.add(tallyOf(b.vs))
	}
	return t
}

func (g boxes[K, V]) visitAll(p *keyed[K, V]) tally { return tallyKeys(g, p) }

func (g boxes[K, V]) values(k K) []V {
	if b, ok := g.m.Load(k); ok {
		return b.vs
	}
	return nil
}

// computed has the slices themselves in the map, and appends to them by Compute.
type computed[K comparable, V index] struct{ m *xsync.Map[K, []V] }

func newComputed[K comparable, V index]() computed[K, V] {
	return computed[K, V]{xsync.NewMap[K, []V]()}
}

func (g computed[K, V]) build(p *keyed[K, V]) {
	rows.Parts(len(p.keys), func(_, begin, end int) {
		for i, k := range p.keys[begin:end] {
			g.m.Compute(k, func(vs []V, _ bool) ([]V, xsync.ComputeOp) { return append(vs, V(begin+i)), xsync.UpdateOp })
		}
	})
}

func (g computed[K, V]) visit() (t tally) {
	for _, vs := range g.m.Range {
		t.add(tallyOf(vs))
	}
	return t
}

func (g computed[K, V]) visitAll(p *keyed[K, V]) tally { return tallyKeys(g, p) }

func (g computed[K, V]) values(k K) []V {
	vs, _ := g.m.Load(k)
	return vs
}

// slices64 is 64 maps of slices under locks.
type slices64[K comparable, V index] struct{ s *sharded[K, []V] }

func (g *slices64[K, V]) build(p *keyed[K, V]) {
	rows.Parts(len(p.keys), func(_, begin, end int) {
		for i, k := range p.keys[begin:end] {
			h := g.s.of(k)
			h.mu.Lock()
			h.m[k] = append(h.m[k], V(begin+i))
			h.mu.Unlock()
		}
	})
}

func (g *slices64[K, V]) visit() tally { return g.visitShards(0, len(g.s.shards)) }

func (g *slices64[K, V]) visitAll(*keyed[K, V]) tally { return tallies(len(g.s.shards), g.visitShards) }

func (g *slices64[K, V]) visitShards(begin, end int) (t tally) {
	for i := begin; i < end; i++ {
		for _, vs := range g.s.shards[i].m {
			t.add(tallyOf(vs))
		}
	}
	return t
}

func (g *slices64[K, V]) values(k K) []V { return g.s.of(k).m[k] }

// mapOfSlices is what one goroutine uses.
type mapOfSlices[K comparable, V index] map[K][]V

func (g mapOfSlices[K, V]) build(p *keyed[K, V]) {
	for i, k := range p.keys {
		g[k] = append(g[k], V(i))
	}
}

func (g mapOfSlices[K, V]) visit() (t tally) {
	for _, vs := range g {
		t.add(tallyOf(vs))
	}
	return t
}

func (g mapOfSlices[K, V]) visitAll(p *keyed[K, V]) tally { return tallyKeys(g, p) }

func (g mapOfSlices[K, V]) values(k K) []V { return g[k] }

// merged is a map of slices that was put together from one for each processor.
type merged[K comparable, V index] struct{ mapOfSlices[K, V] }

func (g merged[K, V]) build(p *keyed[K, V]) {
	own := make([]map[K][]V, runtime.GOMAXPROCS(0))
	rows.Parts(len(p.keys), func(at, begin, end int) {
		m := map[K][]V{}
		for i, k := range p.keys[begin:end] {
			m[k] = append(m[k], V(begin+i))
		}
		own[at] = m
	})
	for _, m := range own {
		for k, vs := range m {
			g.mapOfSlices[k] = append(g.mapOfSlices[k], vs...)
		}
	}
}

// sorted numbers the keys by a map and sorts the values by these numbers: all values lie in one
// array, and another one says where those of each key begin.
type sorted[K comparable, V index] struct {
	ids    map[K]int32
	begins []int32
	all    []V
}

func (g *sorted[K, V]) build(p *keyed[K, V]) {
	g.ids = map[K]int32{}
	of := make([]int32, len(p.keys))
	var ends []int32
	for i, k := range p.keys {
		id, ok := g.ids[k]
		if !ok {
			id = int32(len(ends))
			g.ids[k] = id
			ends = append(ends, 0)
		}
		ends[id]++
		of[i] = id
	}
	g.begins = make([]int32, len(ends)+1)
	at := int32(0)
	for id, n := range ends {
		g.begins[id], ends[id] = at, at
		at += n
	}
	g.begins[len(ends)] = at
	g.all = make([]V, len(p.keys))
	for i, id := range of {
		g.all[ends[id]] = V(i)
		ends[id]++
	}
}

func (g *sorted[K, V]) visit() tally { return g.visitIDs(0, len(g.begins)-1) }

func (g *sorted[K, V]) visitAll(*keyed[K, V]) tally { return tallies(len(g.begins)-1, g.visitIDs) }

func (g *sorted[K, V]) visitIDs(begin, end int) (t tally) {
	for id := begin; id < end; id++ {
		t.add(tallyOf(g.all[g.begins[id]:g.begins[id+1]]))
	}
	return t
}

// lookup finds the values of a key.
type lookup[K comparable, V index] interface{ values(k K) []V }

// tallyKeys has all processors look up the keys, each its part of them.
func tallyKeys[M lookup[K, V], K comparable, V index](m M, p *keyed[K, V]) tally {
	return tallies(len(p.distinct), func(begin, end int) (t tally) {
		for _, k := range p.distinct[begin:end] {
			t.add(tallyOf(m.values(k)))
		}
		return t
	})
}
