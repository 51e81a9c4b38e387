package groups

import (
	"runtime"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/hashmap"
)

// inFirstUse is how many keys are in a map when it is first used.
const inFirstUse = 4096

// multimapFirstUses adds the rows of the first operation after a loop has put values in, outside
// jobs, against a later one.
func multimapFirstUses(r *rows.Run) {
	const n = inFirstUse
	keys, sum := make([]int, n), 0
	for i := range keys {
		keys[i] = i * 7919
	}
	p := newKeyed[int, int64](keys)
	many := func() *hashmap.MultiMap[int, int64] {
		var g ourGroups[int, int64]
		g.build(p)
		return g.m
	}
	firstUse(r, "Count", many, func(m *hashmap.MultiMap[int, int64], i int) { sum += m.Count(keys[i%n]) })
	firstUse(r, "Values", many, func(m *hashmap.MultiMap[int, int64], i int) { sum += len(m.Values(keys[i%n])) })
	firstUse(r, "Add", many, func(m *hashmap.MultiMap[int, int64], i int) { m.Add(keys[i%n], int64(i)) })
	firstUse(r, "Add of a new key", many, func(m *hashmap.MultiMap[int, int64], i int) { m.Add(-1-i, int64(i)) })
	firstUse(r, "Delete", many, func(m *hashmap.MultiMap[int, int64], i int) { sum += m.Delete(keys[i%n]) })
	runtime.KeepAlive(sum)
}

// elsewhere is more than a core's own caches hold.
var elsewhere [1 << 24]byte

// forget drives out what is in a core's own caches.
func forget() {
	for i := 0; i < len(elsewhere); i += 64 {
		elsewhere[i]++
	}
}

// firstUse compares the first operation on each of some maps with the third one. What there is of
// the maps in a core's own caches is driven out before either.
func firstUse[M any](r *rows.Run, what string, open func() M, op func(m M, i int)) {
	const maps, later = 64, "a later one"
	series := &measure.Series{Sides: []measure.Side{{Name: ours}, {Name: later}}, Times: make([][]float64, 2)}
	ms := make([]M, maps)
	round := func(k int) float64 {
		forget()
		start := time.Now()
		for i, m := range ms {
			op(m, maps*k+i*61)
		}
		return float64(time.Since(start).Nanoseconds()) / maps
	}
	for range moreOf(r) {
		for i := range ms {
			ms[i] = open()
		}
		runtime.GC()
		first := round(0)
		round(1)
		series.Times[0] = append(series.Times[0], first)
		series.Times[1] = append(series.Times[1], round(2))
	}
	c := r.Measured("the first use after a loop: "+what, series)
	c.AtMostOfOwn(2, later)
}

// moreOf returns how many repetitions there are where one is a few operations.
func moreOf(r *rows.Run) int {
	if r.Config.Brief {
		return r.Config.Reps + r.Config.Reps/3
	}
	return 3 * r.Config.Reps
}
