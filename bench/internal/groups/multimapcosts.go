package groups

import (
	"runtime"
	"time"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
)

// multimapPatterns adds the rows of keys that follow a pattern, against keys that follow none.
func multimapPatterns(r *rows.Run) {
	n := r.Sized(inGroups, inGroups/4)
	pairs := func(key func(i int) int) *keyed[int, int64] { return drawPairs(n, 100_000, key) }
	side := func(name string, p *keyed[int, int64]) measure.Side {
		return building(name, p, func() grouped[int, int64] { return &ourGroups[int, int64]{} })
	}
	without := pairs(scatter)
	for _, p := range patterned {
		r.Compare(rows.Thousands(n)+" pairs put in by all workers, 100k "+p.name+" keys", n, nil, side(ours, pairs(p.key)), side(scattered, without)).AtMostOfOwn(1.5, scattered)
	}
}

// multimapEqualHashes adds the row of keys that have all the same hash.
func multimapEqualHashes(r *rows.Run) {
	n := r.Sized(inEqualHashes, 10_000)
	keys := make([]int, n)
	for i := range keys {
		keys[i] = i
	}
	p := newKeyed[int, int64](keys)
	hashes(r, n, rows.Thousands(n)+" keys of one hash put in by all workers",
		building(ours, p, func() grouped[int, int64] { return &ourGroups[int, int64]{hasher: alike{}} }),
		building(good, p, func() grouped[int, int64] { return &ourGroups[int, int64]{hasher: apart{}} }))
}

// multimapGrowth compares adding to keys that are there, in a large multimap and in a small one,
// whose keys have as many values: by the first loop after the one that filled it, and by later
// ones. What there is of either in a core's own caches is driven out before each; that the large
// one misses more often in what cores share is what the bar leaves room for.
func multimapGrowth(r *rows.Run) {
	const added, laters = 1000, 8
	const small, later, smallLater = "to 10k pairs", "ours, later", "to 10k pairs, later"
	type filling struct {
		p           *keyed[int, int64]
		more        *array.Array[int]
		first, next int // the numbers of its sides
	}
	fillings := []filling{{p: drawPairs(inGroups, 100_000, scatter), next: 2}, {p: drawPairs(10_000, 1000, scatter), first: 1, next: 3}}
	for i := range fillings {
		f := &fillings[i]
		keys := make([]int, added)
		for k := range keys {
			keys[k] = f.p.distinct[k*7919%len(f.p.distinct)]
		}
		f.more = array.Of(keys)
	}
	series := &measure.Series{Sides: []measure.Side{{Name: ours}, {Name: small}, {Name: later}, {Name: smallLater}}, Times: make([][]float64, 4)}
	for range moreOf(r) {
		for _, f := range fillings {
			g := &ourGroups[int, int64]{}
			g.build(f.p)
			runtime.GC()
			for k := range 1 + laters {
				forget()
				start := time.Now()
				g.more(f.more)
				took := float64(time.Since(start).Nanoseconds()) / added
				side := f.first
				if k > 0 {
					side = f.next
				}
				series.Times[side] = append(series.Times[side], took)
			}
			rows.MustBe(ours, g.m.Len(), len(f.p.keys)+(1+laters)*added)
			rows.MustBe(ours, g.m.LenKeys(), len(f.p.distinct))
		}
	}
	c := r.Measured("1k pairs added by a loop to 1M pairs, 100k keys", series)
	c.AtMostOfOwn(4, small)
	c.As(later, "later ones", 4, smallLater)
	c.Own()
}
