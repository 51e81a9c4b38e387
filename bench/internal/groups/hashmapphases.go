package groups

import (
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// inMapPhases is how many keys are in a map; in some of a brief run there are fewer.
const inMapPhases = 1_000_000

func mapPhaseRows(r *rows.Run) {
	keys := mapPhasesOf(r, "int keys", number, inMapPhases/4, phaseBars{grown: 0.55, look: 1, visit: 1})
	mapPhasesOf(r, "string keys", text, 100_000, phaseBars{grown: 1.1, roomy: 1.1, look: 1.1})
	mapMerges(r)
	mapFirstUses(r, keys[:inFirstUse])
}

// phaseBars are bars, 0 where there is none: of building a map that grows and one that has room, of
// looking up, and of looking at the entries in any order, against the best peer.
type phaseBars struct{ grown, roomy, look, visit float64 }

// mapPhasesOf adds the rows of maps with keys of a type. In a brief run a quarter of the keys are
// looked up, and put into a map that grows, and few are in other maps. It returns keys.
func mapPhasesOf[K mapKey](r *rows.Run, kind string, key func(i int) K, few int, bars phaseBars) []K {
	keys := make([]K, r.Sized(inMapPhases, inMapPhases/4)) // the collector looks at all
	for i := range keys {
		keys[i] = key(i)
	}
	rand.New(rand.NewPCG(12, 13)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	some := keys[:r.Sized(inMapPhases, few)]
	mapBuilds(r, kind, keys, false, bars.grown) // a small map would mostly wait for new memory
	mapBuilds(r, kind, some, true, bars.roomy)
	for _, n := range []int{100_000, len(keys)} {
		mapReads(r, kind, keys[:n], bars.look)
	}
	mapIterations(r, kind, some, bars.visit)
	return keys
}

// merging is a job that counts keys. A function of the program is not known to be associative.
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
		const sealed = "ours, a function of the program"
		merged := func(fold func(old, v int) int) func() func() int {
			return func() func() int {
				m := hashmap.New[uint64, int]()
				parallelfor.ForBatch(inGroups, merging{p.array.Reader(), m.ParallelMerger(fold)}, (*merging).ExecuteBatch)
				return m.Len
			}
		}
		c := r.Compare("1M keys counted, "+rows.Thousands(keys)+" of them different", inGroups, nil,
			counts(ours, merged(hashmap.Add)),
			counts(sealed, merged(func(old, v int) int { return old + v })),
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
				m := newSharded[uint64, int](0)
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
		c.As(sealed, "merged when the loop ends", 0, c.Best(c.Peers...))
	}
}

// mapFirstUses adds the rows of the first operation after a loop has put keys in, outside jobs,
// against a later one.
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
