package groups

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/dolthub/swiss"
	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// inMapPhases is how many keys a loop puts into a map.
const inMapPhases = 1_000_000

func mapPhaseRows(r *rows.Run) {
	keys := make([]int, inMapPhases)
	for i := range keys {
		keys[i] = i * 7919
	}
	rand.New(rand.NewPCG(12, 13)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	mapBuilds(r, keys)
	for _, n := range []int{100_000, inMapPhases} {
		mapReads(r, keys[:n])
	}
	mapIterations(r, keys)
	mapMerges(r)
	mapFirstUses(r, keys[:inFirstUse])
}

// setting and keeping are jobs that put keys in with their indices: with Set and with Add.
type setting struct {
	In  array.Reader[int]
	Out hashmap.ParallelWriter[int, word]
}

func (j *setting) ExecuteBatch(begin, end int) {
	for i, k := range j.In.Slice()[begin:end] {
		j.Out.Set(k, word{begin + i})
	}
}

type keeping setting

func (j *keeping) ExecuteBatch(begin, end int) {
	for i, k := range j.In.Slice()[begin:end] {
		j.Out.Add(k, word{begin + i})
	}
}

// ofPhase returns a map whose keys were set by a loop.
func ofPhase(keys *array.Array[int]) *hashmap.Map[int, word] {
	m := hashmap.New[int, word]()
	parallelfor.RunBatch(keys.Len(), setting{keys.Reader(), m.ParallelWriter()})
	return m
}

// mapBuilds compares putting keys into a map that grows.
func mapBuilds(r *rows.Run, keys []int) {
	const kept = "ours, Add"
	list := array.Of(keys)
	fills := func(name string, build func() verbs[int, word]) measure.Side {
		var m verbs[int, word]
		return between(name, nothing, func() { m = build() }, func() {
			rows.MustBe(name, m.Len(), len(keys))
			for i := 0; i < len(keys); i += 1000 {
				v, _ := m.Load(keys[i])
				rows.MustBe(name, v, word{i})
			}
			m = nil
		})
	}
	sides := []measure.Side{
		fills(ours, func() verbs[int, word] { return ourMap[int, word]{ofPhase(list)} }),
		fills(kept, func() verbs[int, word] {
			m := hashmap.New[int, word]()
			parallelfor.RunBatch(len(keys), keeping{list.Reader(), m.ParallelWriter()})
			return ourMap[int, word]{m}
		}),
	}
	var peers []string
	for _, p := range contenders[int, word](len(keys))[1:foremost] {
		sides = append(sides, fills(p.name, func() verbs[int, word] {
			o := p.open()
			rows.Parts(len(keys), func(_, begin, end int) { o.fill(keys[begin:end], begin) })
			return o.m
		}))
		peers = append(peers, p.name)
	}
	c := r.Compare("1M int keys set by a loop, the map grows", len(keys), nil, sides...)
	c.Peers = peers
	c.AtMostOf(0.55, c.Best(peers...))
	c.As(kept, "Add", 0.55, c.Best(peers...))
	if r.AllPeers {
		c.Beside()
	}
}

// mapReading is a job that looks keys up.
type mapReading struct {
	Keys  array.Reader[int]
	Drawn array.Reader[int32]
	In    hashmap.Reader[int, word]
	Sum   counter.ParallelWriter
}

func (j *mapReading) ExecuteBatch(begin, end int) {
	j.Sum.Add(loads(ofMapReader{&j.In}, j.Keys.Slice(), j.Drawn.Slice()[begin:end]))
}

type ofMapReader struct{ *hashmap.Reader[int, word] }

type plainMap struct{ m map[int]word }

func (m plainMap) Load(k int) (word, bool) { v, ok := m.m[k]; return v, ok }

// loads is mix without stores.
func loads[M interface{ Load(k int) (word, bool) }](m M, keys []int, drawn []int32) (sum int64) {
	for _, d := range drawn {
		v, _ := m.Load(keys[d])
		sum += int64(v[0])
	}
	return sum
}

// mapReads compares a loop that only looks up with Go's map, looked up by all processors.
func mapReads(r *rows.Run, keys []int) {
	const builtin, outside = "map", "ours, outside jobs"
	list, want := array.Of(keys), int64(0)
	m, plain, x := ofPhase(list), plainMap{map[int]word{}}, xsync.NewMap[int, word]()
	for i, k := range keys {
		plain.m[k] = word{i}
		x.Store(k, word{i})
	}
	drawn := slices.Concat(draws(len(keys), false)...)
	for _, d := range drawn {
		want += int64(d)
	}
	which := array.Of(drawn)
	by := func(name string, part func(drawn []int32) int64) measure.Side {
		return measure.Do(name, func() {
			rows.MustBe(name, tallies(len(drawn), func(begin, end int) tally { return tally{sum: part(drawn[begin:end])} }).sum, want)
		})
	}
	c := r.Compare(rows.Thousands(len(keys))+" int keys, only looked up in a loop", len(drawn), []string{builtin},
		measure.Do(ours, func() {
			sum := counter.New()
			parallelfor.RunBatch(len(drawn), mapReading{list.Reader(), which.Reader(), m.Reader(), sum.ParallelWriter()})
			rows.MustBe(ours, sum.Value(), want)
		}),
		by(builtin, func(drawn []int32) int64 { return loads(plain, keys, drawn) }),
		by(outside, func(drawn []int32) int64 { return loads(ourMap[int, word]{m}, keys, drawn) }),
		by(xsyncName, func(drawn []int32) int64 { return loads(xsyncMap[int, word]{x}, keys, drawn) }))
	c.AtMost(1)
	c.AtMostOf(0, xsyncName)
	c.As(outside, "outside jobs", 0, builtin)
}

// mapIterations compares looking at all entries of a map. The bar is the fastest peer's time, or 5 ns for each entry where
// that is more.
func mapIterations(r *rows.Run, keys []int) {
	m, list, want := hashmap.New[int, word](), array.Of(keys), len(keys)*(len(keys)-1)/2
	phase := ofPhase(list)
	x, plain, s, w := xsync.NewMap[int, word](), map[int]word{}, newSharded[int, word](), swiss.NewMap[int, word](8)
	for i, k := range keys {
		m.Store(k, word{i})
		x.Store(k, word{i})
		plain[k] = word{i}
		s.Store(k, word{i})
		w.Put(k, word{i})
	}
	all := func(name string, sum func() int) measure.Side {
		return measure.Do(name, func() { rows.MustBe(name, sum(), want) })
	}
	const stored = "ours, stored one by one"
	peers := []string{xsyncName, "map", shardedName, "dolthub/swiss"}
	c := r.Compare("1M entries looked at", len(keys), nil,
		all(ours, func() (sum int) {
			for _, v := range phase.All() {
				sum += v[0]
			}
			return sum
		}),
		all(stored, func() (sum int) {
			for _, v := range m.All() {
				sum += v[0]
			}
			return sum
		}),
		all(peers[0], func() (sum int) {
			for _, v := range x.Range {
				sum += v[0]
			}
			return sum
		}),
		all(peers[1], func() (sum int) {
			for _, v := range plain {
				sum += v[0]
			}
			return sum
		}),
		all(peers[2], func() (sum int) {
			for i := range s.shards {
				s.shards[i].mu.Lock()
				for _, v := range s.shards[i].m {
					sum += v[0]
				}
				s.shards[i].mu.Unlock()
			}
			return sum
		}),
		all(peers[3], func() (sum int) {
			w.Iter(func(_ int, v word) bool {
				sum += v[0]
				return false
			})
			return sum
		}))
	c.Peers = peers
	best := c.Best(peers...)
	bar := max(1, 5/c.Time(best).Median)
	c.AtMostOf(bar, best)
	c.As(stored, "stored one by one", bar, best)
	if r.AllPeers {
		c.Beside()
	}
}

// merging is a job that counts keys.
type merging struct {
	In  array.Reader[uint64]
	Out hashmap.ParallelMerger[uint64, int]
}

func (j *merging) ExecuteBatch(begin, end int) {
	for _, k := range j.In.Slice()[begin:end] {
		j.Out.Merge(k, 1)
	}
}

// mapMerges shows what it takes to count how often a key comes.
func mapMerges(r *rows.Run) {
	for _, keys := range []int{1000, 100_000} {
		p := drawKeyed(inGroups, keys)
		counts := func(name string, count func() (length func() int)) measure.Side {
			var length func() int
			return between(name, nothing, func() { length = count() }, func() { rows.MustBe(name, length(), p.want.keys) })
		}
		c := r.Compare("1M keys counted, "+rows.Thousands(keys)+" of them different", inGroups, nil,
			counts(ours, func() func() int {
				m := hashmap.New[uint64, int]()
				parallelfor.RunBatch(inGroups, merging{p.array.Reader(), m.ParallelMerger(func(old, v int) int { return old + v })})
				return m.Len
			}),
			counts(xsyncName, func() func() int {
				m := xsync.NewMap[uint64, int]()
				rows.Parts(inGroups, func(_, begin, end int) {
					for _, k := range p.keys[begin:end] {
						m.Compute(k, func(old int, _ bool) (int, xsync.ComputeOp) { return old + 1, xsync.UpdateOp })
					}
				})
				return m.Size
			}),
			counts(shardedName, func() func() int {
				m := newSharded[uint64, int]()
				rows.Parts(inGroups, func(_, begin, end int) {
					for _, k := range p.keys[begin:end] {
						h := m.of(k)
						h.mu.Lock()
						h.m[k]++
						h.mu.Unlock()
					}
				})
				return m.Len
			}),
			counts("a map for each goroutine, added up", func() func() int {
				var mu sync.Mutex
				all := map[uint64]int{}
				rows.Parts(inGroups, func(_, begin, end int) {
					own := map[uint64]int{}
					for _, k := range p.keys[begin:end] {
						own[k]++
					}
					mu.Lock()
					for k, n := range own {
						all[k] += n
					}
					mu.Unlock()
				})
				return func() int { return len(all) }
			}))
		c.Peers = []string{xsyncName, shardedName, "a map for each goroutine, added up"}
		c.Beside()
	}
}

// mapFirstUses adds the rows of the first operation after a loop has put keys in, outside jobs, against a later one.
func mapFirstUses(r *rows.Run, keys []int) {
	list, n, sum := array.Of(keys), len(keys), 0
	one := func() *hashmap.Map[int, word] { return ofPhase(list) }
	firstUse(r, "a Load", one, func(m *hashmap.Map[int, word], i int) { v, _ := m.Load(keys[i%n]); sum += v[0] })
	firstUse(r, "a Store of a key that is there", one, func(m *hashmap.Map[int, word], i int) { m.Store(keys[i%n], word{i}) })
	firstUse(r, "a Store of a new key", one, func(m *hashmap.Map[int, word], i int) { m.Store(-1-i, word{i}) })
	firstUse(r, "a Delete", one, func(m *hashmap.Map[int, word], i int) { m.Delete(keys[i%n]) })
	firstUse(r, "All, 4k entries", one, func(m *hashmap.Map[int, word], _ int) {
		for _, v := range m.All() {
			sum += v[0]
		}
	})
	runtime.KeepAlive(sum)
}
