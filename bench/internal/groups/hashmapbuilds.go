package groups

import (
	"slices"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// setting and keeping are jobs that put keys in with their indices: with Set and with Add.
type setting[K mapKey] struct {
	In  array.Reader[K]
	Out hashmap.ParallelWriter[K, word]
}

func (j *setting[K]) ExecuteBatch(begin, end int) {
	for i, k := range j.In.Slice()[begin:end] {
		j.Out.Set(k, word{begin + i})
	}
}

type keeping[K mapKey] struct {
	In  array.Reader[K]
	Out hashmap.ParallelWriter[K, word]
}

func (j *keeping[K]) ExecuteBatch(begin, end int) {
	for i, k := range j.In.Slice()[begin:end] {
		j.Out.Add(k, word{begin + i})
	}
}

// ofPhase returns a map whose keys were set by a loop.
func ofPhase[K mapKey](keys *array.Array[K]) *hashmap.Map[K, word] {
	m := hashmap.New[K, word]()
	parallelfor.ForBatch(keys.Len(), setting[K]{keys.Reader(), m.ParallelWriter()}, (*setting[K]).ExecuteBatch)
	return m
}

// mapBuilds compares putting keys into a map that grows, or into one that is made with room for
// them.
func mapBuilds[K mapKey](r *rows.Run, kind string, keys []K, room bool, bar float64) {
	const kept, stored = "ours, Add", "ours, stored one by one by all"
	how, places := "the map grows", 0
	if room {
		how, places = "the map has room", len(keys)
	}
	list := array.Of(keys)
	fills := func(name string, c contender[K, word], fill func(o *opened[K, word])) measure.Side {
		var o opened[K, word]
		return between(name, nothing, func() { o = c.open(places); fill(&o) }, func() {
			rows.MustBe(name, o.m.Len(), len(keys))
			for i := 0; i < len(keys); i += 1000 {
				v, _ := o.m.Load(keys[i])
				rows.MustBe(name, v, word{i})
			}
			o = opened[K, word]{}
		})
	}
	together := func(o *opened[K, word]) {
		rows.Parts(len(keys), func(_, begin, end int) { o.fill(keys[begin:end], begin) })
	}
	of := func(o *opened[K, word]) *hashmap.Map[K, word] { return o.m.(ourMap[K, word]).Map }
	all := contenders[K, word](len(keys))
	sides := []measure.Side{
		fills(ours, all[0], func(o *opened[K, word]) {
			parallelfor.ForBatch(len(keys), setting[K]{list.Reader(), of(o).ParallelWriter()}, (*setting[K]).ExecuteBatch)
		}),
		fills(kept, all[0], func(o *opened[K, word]) {
			parallelfor.ForBatch(len(keys), keeping[K]{list.Reader(), of(o).ParallelWriter()}, (*keeping[K]).ExecuteBatch)
		}),
		fills(stored, all[0], together),
		perProcessor(fills(plainName, plain[K, word](), func(o *opened[K, word]) { o.fill(keys, 0) })),
	}
	var peers []string
	for _, p := range slices.Backward(rightly(r, all)[1:]) { // ours finds then the memory of one whose parts are as large
		sides = append(sides, fills(p.name, p, together))
		peers = append(peers, p.name)
	}
	c := r.Compare(rows.Thousands(len(keys))+" "+kind+" set by a loop, "+how, len(keys), []string{plainName}, sides...)
	c.Peers = peers
	best := c.Best(peers...)
	c.AtMostOf(bar, best)
	c.As(kept, "Add", bar, best)
	c.As(stored, "stored one by one by all", 0, best)
	if r.AllPeers {
		c.Beside()
	}
}

// mapReading is a job that looks keys up.
type mapReading[K mapKey] struct {
	Keys  array.Reader[K]
	Drawn array.Reader[int32]
	In    hashmap.Reader[K, word]
	Sum   counter.ParallelWriter
}

func (j *mapReading[K]) ExecuteBatch(begin, end int) {
	j.Sum.Add(loads(ofMapReader[K]{&j.In}, j.Keys.Slice(), j.Drawn.Slice()[begin:end]))
}

type ofMapReader[K mapKey] struct{ *hashmap.Reader[K, word] }

// loads is mix without stores.
func loads[M interface{ Load(k K) (word, bool) }, K mapKey](m M, keys []K, drawn []int32) (sum int64) {
	for _, d := range drawn {
		v, _ := m.Load(keys[d])
		sum += int64(v[0])
	}
	return sum
}

// mapReads compares a loop that only looks up with Go's map, looked up by all processors.
func mapReads[K mapKey](r *rows.Run, kind string, keys []K, bar float64) {
	const builtin, outside = "map", "ours, outside jobs"
	list, unshared := array.Of(keys), plainMap[K, word]{map[K]word{}}
	m := ofPhase(list)
	fill(unshared, keys, 0)
	drawn := slices.Concat(draws(len(keys), false)...)
	turns := turnsOf(r)
	each := len(drawn) / turns
	want, which := make([]int64, turns), make([]*array.Array[int32], turns)
	for t := range turns {
		which[t] = array.Of(drawn[t*each:][:each])
		for _, d := range which[t].Slice() {
			want[t] += int64(d)
		}
	}
	by := func(name string, part func(drawn []int32) int64) measure.Side {
		return measure.Do(name, inTurn(turns, func(turn int) {
			now := drawn[turn*each:][:each]
			rows.MustBe(name, tallies(each, func(begin, end int) tally { return tally{sum: part(now[begin:end])} }).sum, want[turn])
		}))
	}
	sides := []measure.Side{
		measure.Do(ours, inTurn(turns, func(turn int) {
			sum := counter.New()
			parallelfor.ForBatch(each, mapReading[K]{list.Reader(), which[turn].Reader(), m.Reader(), sum.ParallelWriter()}, (*mapReading[K]).ExecuteBatch)
			rows.MustBe(ours, sum.Value(), want[turn])
		})),
		by(builtin, func(drawn []int32) int64 { return loads(unshared, keys, drawn) }),
		by(outside, func(drawn []int32) int64 { return loads(ourMap[K, word]{m}, keys, drawn) }),
	}
	peers, all := []string(nil), rightly(r, contenders[K, word](len(keys)))[1:]
	if !r.AllPeers {
		all = all[:1]
	}
	for i, o := range filled(all, keys) {
		p := all[i]
		sides = append(sides, by(p.name, func(drawn []int32) int64 { return o.mix(keys, drawn, 0) }))
		peers = append(peers, p.name)
	}
	c := r.Compare(rows.Thousands(len(keys))+" "+kind+", only looked up in a loop", each, []string{builtin}, sides...)
	c.Peers = peers
	c.AtMost(bar)
	r.Rows[len(r.Rows)-1].Info = bar == 0
	c.Beside()
	c.As(outside, "outside jobs", 0, builtin)
}

// mapIterations compares looking at all entries of a map. The bar is a multiple of the fastest
// peer's time, or 5 ns for each entry where that is more. In order, it is half as much again as
// Go's map takes in any order.
func mapIterations[K mapKey](r *rows.Run, kind string, keys []K, bar float64) {
	const stored = "ours, stored one by one"
	all, want := contenders[K, word](len(keys)), len(keys)*(len(keys)-1)/2
	side := func(name string, m verbs[K, word]) measure.Side {
		return measure.Do(name, func() { rows.MustBe(name, m.sum(), want) })
	}
	all = append(rightly(r, all), plain[K, word]())
	maps := filled(all, keys)
	sides := []measure.Side{side(ours, ourMap[K, word]{ofPhase(array.Of(keys))}), side(stored, maps[0].m)}
	var peers []string
	for i, p := range all[1:] {
		sides = append(sides, side(p.name, maps[1+i].m))
		peers = append(peers, p.name)
	}
	c := r.Compare(rows.Thousands(len(keys))+" entries looked at, "+kind, len(keys), nil, sides...)
	c.Peers = peers
	best := c.Best(peers...)
	if bar > 0 {
		bar = max(bar, 5/c.Time(best).Median)
	}
	c.AtMostOf(bar, best)
	c.As(ours, "in order", 1.5, plain[K, word]().name)
	c.As(stored, "stored one by one", bar, best)
	if r.AllPeers {
		c.Beside()
	}
}
