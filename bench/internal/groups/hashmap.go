package groups

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/bench/internal/rows"
)

func mapRows(r *rows.Run) {
	var words []report.Row
	best := func(c *rows.Comparison) string { return c.Best(rows.Without(c.Peers, haxmapName)...) }
	toBest := func(c *rows.Comparison, _ bool) {
		c.AtMostOf(1, best(c))
		if r.AllPeers {
			c.Beside()
		}
	}
	toXsync := func(c *rows.Comparison, _ bool) {
		if c.AtMostOf(1, xsyncName); r.AllPeers {
			c.Beside()
		} else if peer := best(c); peer != xsyncName {
			c.AtMostOf(1.05, peer)
		}
	}
	for _, entries := range []int{100_000, r.Sized(1_000_000, 250_000)} {
		shared(r, usage[int, word]{kind: "int keys", entries: entries, key: number, mixes: mixes, zipf: true, row: func(c *rows.Comparison, warm bool) {
			bar := 0.7
			if warm {
				bar = 1
			}
			c.AtMostOf(bar, xsyncName)
			words = append(words, r.Rows[len(r.Rows)-1]) // and not c, with which the maps would live on
			if r.AllPeers {
				c.Beside()
			} else if peer := best(c); peer != xsyncName {
				c.AtMostOf(0, peer)
			}
		}})
		shared(r, usage[string, word]{kind: "string keys", entries: entries, key: text, mixes: mixes, zipf: true, row: toXsync})
		few := mixes
		if entries > 100_000 {
			few = []int{1, 50}
		}
		shared(r, usage[int, wide]{kind: "int keys, 64-byte values", entries: entries, key: number, mixes: few, zipf: true, row: toBest})
	}
	shared(r, usage[string, wide]{kind: "string keys, 64-byte values", entries: 100_000, key: text, mixes: mixes[1:], row: toBest})
	mean := report.Row{Group: r.Group, Work: "map, int keys, the mean of all mixes' ratios", Peer: xsyncName, Bar: 0.6}
	for i := range words {
		e := words[i].Ratio.Times(1 / float64(len(words)))
		mean.Ratio = measure.Estimate{Median: mean.Ratio.Median + e.Median, Lo: mean.Ratio.Lo + e.Lo, Hi: mean.Ratio.Hi + e.Hi}
		mean.Ours += words[i].Ours / float64(len(words))
		mean.PeerTime += words[i].PeerTime / float64(len(words))
	}
	r.Rows = append(r.Rows, mean)
	patterns(r)
	equalHashes(r)
	overwrites(r)
	memory(r, "int keys", number, 38)
	memory(r, "string keys", text, 0)
}

// number and text are keys of maps.
func number(i int) int  { return i * 7919 }
func text(i int) string { return "key" + strconv.Itoa(number(i)) }

// inMaps is how many operations a worker draws. A sample does them all; one of a brief run does an
// eighth of them, in turn another one, so that all samples together use as much of a map.
const inMaps = 1 << 18

// turnsOf returns in how many turns operations are done.
func turnsOf(r *rows.Run) int {
	if r.Config.Brief {
		return 8
	}
	return 1
}

// inTurn calls do with 0, 1, ..., n-1, 0, ...
func inTurn(n int, do func(turn int)) func() {
	turn := -1
	return func() {
		turn = (turn + 1) % n
		do(turn)
	}
}

// mixes are how many of a hundred operations store; the others load.
var mixes = []int{1, 10, 50}

// usage is what all workers do with a map at the same time.
type usage[K mapKey, V mapValue] struct {
	kind    string
	entries int
	key     func(i int) K
	mixes   []int
	zipf    bool // also with some keys drawn much more often than others
	// row adds the rows of a cell; warm says that nearly all operations read, all keys alike, and
	// of what lies in the cache.
	row func(c *rows.Comparison, warm bool)
}

// shared adds the rows of a map that all workers use. The whole field of peers is in one of the
// cells; in the others are those that were the fastest in some, and of large maps those of large
// maps: the collector would take more time for what the others hold than all the measuring does.
func shared[K mapKey, V mapValue](r *rows.Run, u usage[K, V]) {
	keys := make([]K, 2*u.entries)
	for i := range keys {
		keys[i] = u.key(i)
	}
	all := contenders[K, V](u.entries)
	if u.entries > 100_000 && !r.AllPeers {
		all = all[:foremostLarge]
	}
	maps := filled(append(slices.Clone(all), plain[K, V]()), keys[:u.entries])
	alone := &maps[len(all)]
	rand.New(rand.NewPCG(3, 4)).Shuffle(u.entries, func(i, j int) {
		keys[u.entries+i], keys[u.entries+j] = keys[u.entries+j], keys[u.entries+i]
	})
	compare := func(work string, units int, warm, whole bool, limits []measure.Side, side func(name string, m *opened[K, V]) measure.Side) {
		var sides []measure.Side
		var names, peers []string
		for i := range all {
			if i == 1 {
				for _, limit := range limits {
					sides, names = append(sides, limit), append(names, limit.Name)
				}
			}
			if whole || r.AllPeers || i < foremost {
				sides = append(sides, side(all[i].name, &maps[i]))
				peers = append(peers, all[i].name)
			}
		}
		c := r.Compare(fmt.Sprintf("map, %s, %dk%s", u.kind, u.entries/1000, work), units, names, sides...)
		c.Peers = rows.Without(peers, ours)
		u.row(c, warm)
	}
	turns := turnsOf(r)
	each := inMaps / turns
	for _, zipf := range []bool{false, true} {
		if zipf && !u.zipf {
			break
		}
		drawn, name := draws(u.entries, zipf), " uniform"
		if zipf {
			name = " Zipf"
		}
		for _, stores := range u.mixes {
			want := make([]int64, turns)
			for _, ds := range drawn {
				for i, d := range ds {
					if !isStore(i%each, stores) {
						want[i/each] += int64(d)
					}
				}
			}
			use := func(m *opened[K, V]) func(p, turn int) int64 {
				return func(p, turn int) int64 { return m.mix(keys, drawn[p][turn*each:][:each], stores) }
			}
			compare(fmt.Sprintf("%s, %d/%d", name, 100-stores, stores), len(drawn)*each, u.entries == 100_000 && stores == 1 && !zipf, stores == 10 && !zipf,
				[]measure.Side{perProcessor(mixed(plainName, false, want, use(alone)))},
				func(name string, m *opened[K, V]) measure.Side { return mixed(name, true, want, use(m)) })
		}
	}
	fresh := keys[u.entries : u.entries+min(u.entries, inMaps/2*runtime.GOMAXPROCS(0))]
	each = len(fresh) / turns
	all = slices.DeleteFunc(all, func(c contender[K, V]) bool { return c.name == haxmapName })
	compare(", put in and deleted", 2*each, false, false, nil, func(name string, m *opened[K, V]) measure.Side {
		return between(name, nothing, inTurn(turns, func(turn int) { churn(m.m, fresh[turn*each:][:each]) }), func() { rows.MustBe(name, m.m.Len(), u.entries) })
	})
}

// draws returns for each processor which entries it uses.
func draws(entries int, zipf bool) [][]int32 {
	all := make([][]int32, runtime.GOMAXPROCS(0))
	for p := range all {
		r := rand.New(rand.NewPCG(uint64(p), 7))
		z := rand.NewZipf(r, 1.01, 1, uint64(entries-1))
		all[p] = make([]int32, inMaps)
		for i := range all[p] {
			if zipf {
				all[p][i] = int32(z.Uint64())
			} else {
				all[p][i] = int32(r.IntN(entries))
			}
		}
	}
	return all
}

// isStore reports whether operation i stores when so many of a hundred do.
func isStore(i, stores int) bool { return i*97%100 < stores }

// mixed is a side in which all processors use a map, or one goroutine does it for them, in turns
// that find what they should.
func mixed(name string, together bool, want []int64, use func(p, turn int) int64) measure.Side {
	return measure.Do(name, inTurn(len(want), func(turn int) {
		sums := make([]int64, 8*runtime.GOMAXPROCS(0))
		var wg sync.WaitGroup
		for p := range runtime.GOMAXPROCS(0) {
			if together {
				wg.Go(func() { sums[8*p] = use(p, turn) })
			} else {
				sums[8*p] = use(p, turn)
			}
		}
		wg.Wait()
		sum := int64(0)
		for _, s := range sums {
			sum += s
		}
		rows.MustBe(name, sum, want[turn])
	}))
}

// mix loads and stores. That every contender is a type of its own costs a call some tenths of a
// nanosecond over a loop written for the one map: an interface's value or a function's would cost
// more than a nanosecond.
func mix[M verbs[K, V], K mapKey, V mapValue](m M, keys []K, drawn []int32, stores int) (sum int64) {
	for i, d := range drawn {
		if k := keys[d]; isStore(i, stores) {
			m.Store(k, valueOf[V](int(d)))
		} else {
			v, _ := m.Load(k)
			sum += int64(v[0])
		}
	}
	return sum
}

// fill stores keys with the numbers from first on.
func fill[M verbs[K, V], K mapKey, V mapValue](m M, keys []K, first int) {
	for i, k := range keys {
		m.Store(k, valueOf[V](first+i))
	}
}

// churn has every processor put its part of the keys in, and delete each of them when 64 others are
// in.
func churn[K mapKey, V mapValue](m verbs[K, V], fresh []K) {
	rows.Parts(len(fresh), func(_, begin, end int) {
		for i := begin; i < end+64; i++ {
			if i < end {
				m.Store(fresh[i], valueOf[V](i))
			}
			if i-64 >= begin {
				m.Delete(fresh[i-64])
			}
		}
	})
}
