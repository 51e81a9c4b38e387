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
	keys := mapPhasesOf(r, "int keys", number, [2]int{inMapPhases / 4, inMapPhases / 4}, 0.55, 1, true)
	mapPhasesOf(r, "string keys", text, [2]int{inMapPhases / 4, 100_000}, 0, 0, false)
	mapMerges(r)
	mapFirstUses(r, keys[:inFirstUse])
}

// mapPhasesOf adds the rows of maps with keys of a type. The bars are those of building a map that
// grows and of looking up, 0 where there is none; visited says that looking at all entries has one.
// In a brief run brief[0] keys are looked up, and put into a map for which there is a bar, and
// brief[1] are in other maps. It returns keys.
func mapPhasesOf[K mapKey](r *rows.Run, kind string, key func(i int) K, brief [2]int, build, look float64, visited bool) []K {
	keys := make([]K, r.Sized(inMapPhases, brief[0])) // and no more: the collector looks at all strings
	for i := range keys {
		keys[i] = key(i)
	}
	rand.New(rand.NewPCG(12, 13)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	few := keys[:r.Sized(inMapPhases, brief[1])]
	grown := few
	if build > 0 {
		grown = keys // a small map would mostly wait for memory that is new
	}
	mapBuilds(r, kind, grown, false, build)
	mapBuilds(r, kind, few, true, 0)
	for _, n := range []int{100_000, len(keys)} {
		mapReads(r, kind, keys[:n], look)
	}
	mapIterations(r, kind, few, visited)
	return keys
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
				parallelfor.ForBatch(inGroups, merging{p.array.Reader(), m.ParallelMerger(func(old, v int) int { return old + v })}, (*merging).ExecuteBatch)
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
