//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/custody/counter"
	"example.com/custody/internal/spec"
)

func ofCounters(t *testing.T) []meeting {
	return slices.Concat(counterSubject(t).meetings(t), localSubject().meetings(t), sumSubject().meetings(t),
		extremumSubject("Min", func() extremum { return counter.NewMin[int]() }, -1).meetings(t),
		extremumSubject("Max", func() extremum { return counter.NewMax[int]() }, 1).meetings(t), histogramSubject().meetings(t))
}

// counterOperations are the operations of counters in their specification.
var counterOperations = map[string]spec.CounterIn{
	"Add": {Op: spec.Add, Value: 1}, "Inc": {Op: spec.Add, Value: 1}, "Add of 0": {Op: spec.Add}, "Value": {Op: spec.Value},
	"Set": {Op: spec.Set, Value: 5}, "Set to 0": {Op: spec.Reset}, "Swap": {Op: spec.Swap, Value: 5},
}

// counterModel is the specification of a counter.
func counterModel[N int64 | float64, C interface{ Value() N }]() sequential[C] {
	return specified(spec.Counter(), func(c C) []spec.CounterIn {
		return []spec.CounterIn{{Op: spec.Set, Value: int64(c.Value())}}
	}, func(_ C, name string, answer any) (in spec.CounterIn, out spec.CounterOut, ok bool) {
		n, _ := answer.(N)
		in, ok = counterOperations[strings.TrimPrefix(name, "Counter.")]
		return in, spec.CounterOut{Value: int64(n)}, ok
	})
}

func counterSubject(t *testing.T) *subject[*counter.Counter] {
	type C = *counter.Counter
	spread, next := make([]C, 64), 0 // each has counts for many processors
	for i := range spread {
		spread[i] = counter.New()
	}
	simulated(t, func(int) func(g, i int) {
		return func(_, i int) {
			for range 20 {
				spread[i%len(spread)].Add(1)
			}
		}
	}, 2, 1, false)
	return &subject[C]{name: "Counter", states: map[string]func() C{"new": func() C { return counter.New() }, "used by many": func() C {
		next++
		for spread[next%len(spread)].Disposed() {
			next++
		}
		c := spread[next%len(spread)]
		c.Set(0)
		return c
	}}, ops: []operation[C]{
		{"Add", func(c C) any { c.Add(1); return nil }},
		{"Inc", func(c C) any { c.Inc(); return nil }},
		{"Value", func(c C) any { return c.Value() }},
		{"Set", func(c C) any { c.Set(5); return nil }},
		{"Set to 0", func(c C) any { c.Set(0); return nil }},
		{"Swap", func(c C) any { return c.Swap(5) }},
		disposed[C](),
		{"Disposed", func(c C) any { return c.Disposed() }},
		{"String", func(c C) any { return c.String() }},
	}, dump: func(c C) string { return fmt.Sprint(c.Value()) }, model: counterModel[int64, C]()}
}

// counted is a counter with a Local of each of two goroutines.
type counted struct {
	*counter.Counter
	own, others *counter.Local
}

func localSubject() *subject[counted] {
	type C = counted
	return &subject[C]{name: "Local", states: map[string]func() C{"two of a counter": func() C {
		c := counter.New()
		return counted{c, c.Local(), c.Local()}
	}}, ops: []operation[C]{
		{"Add", func(c C) any { c.own.Add(1); return nil }},
		{"Inc", func(c C) any { c.own.Inc(); return nil }},
		{"Close", func(c C) any { c.own.Close(); return nil }},
		{"Counter.Add", func(c C) any { c.Add(1); return nil }},
		{"Counter.Value", func(c C) any { return c.Value() }},
		{"Counter.Set to 0", func(c C) any { c.Set(0); return nil }},
		{"Counter.Swap", func(c C) any { return c.Swap(5) }},
		{"Counter.Local", func(c C) any { c.Local(); return nil }},
	}, dump: func(c C) string { return fmt.Sprint(c.Value()) }, model: counterModel[int64, C](),
		other: func(c C) C { return counted{c.Counter, c.others, c.own} }}
}

func sumSubject() *subject[*counter.Sum[float64]] {
	type C = *counter.Sum[float64]
	return &subject[C]{name: "Sum", states: map[string]func() C{
		"0": func() C { return counter.NewSum[float64]() }, "5": func() C { s := counter.NewSum[float64](); s.Add(5); return s },
	}, ops: []operation[C]{
		{"Add", func(s C) any { s.Add(1); return nil }},
		{"Add of 0", func(s C) any { s.Add(0); return nil }},
		{"Value", func(s C) any { return s.Value() }},
		{"Set", func(s C) any { s.Set(5); return nil }},
		{"Set to 0", func(s C) any { s.Set(0); return nil }},
		{"Swap", func(s C) any { return s.Swap(5) }},
		disposed[C](),
		{"Disposed", func(s C) any { return s.Disposed() }},
		{"String", func(s C) any { return s.String() }},
	}, dump: func(s C) string { return fmt.Sprint(s.Value()) }, model: counterModel[float64, C]()}
}

// extremum is a Min or a Max.
type extremum interface {
	Observe(v int)
	Value() (int, bool)
	Set(v int)
	Reset()
	Disposed() bool
	Dispose()
	String() string
}

// extremumSubject is a Min if sign is -1, and a Max if it is 1.
func extremumSubject(name string, of func() extremum, sign int) *subject[extremum] {
	type C = extremum
	return &subject[C]{name: name, states: map[string]func() C{"100 observed": func() C { m := of(); m.Observe(100); return m }, "none observed": of}, ops: []operation[C]{
		{"Observe of worse", func(m C) any { m.Observe(100 - 50*sign); return nil }},
		{"Observe of the same", func(m C) any { m.Observe(100); return nil }},
		{"Observe of better", func(m C) any { m.Observe(100 + 50*sign); return nil }},
		{"Value", func(m C) any { return both(m.Value()) }},
		{"Set", func(m C) any { m.Set(100); return nil }},
		{"Reset", func(m C) any { m.Reset(); return nil }},
		disposed[C](),
		{"Disposed", func(m C) any { return m.Disposed() }},
		{"String", func(m C) any { return m.String() }},
	}, dump: func(m C) string { return fmt.Sprint(m.Value()) }}
}

func histogramSubject() *subject[*counter.Histogram] {
	type C = *counter.Histogram
	with := func(n int64) func() C {
		return func() C {
			h := counter.NewHistogram(64)
			h.Add(1, n)
			return h
		}
	}
	return &subject[C]{name: "Histogram", states: map[string]func() C{"zeros": with(0), "counts": with(3)}, ops: []operation[C]{
		{"Add", func(h C) any { h.Add(1, 1); return nil }},
		{"Add to the next bin", func(h C) any { h.Add(2, 1); return nil }},
		{"Add to a far bin", func(h C) any { h.Add(40, 1); return nil }},
		{"At", func(h C) any { return h.At(1) }},
		{"At of a far bin", func(h C) any { return h.At(40) }},
		{"Total", func(h C) any { return h.Total() }},
		{"Counts", func(h C) any { return h.Counts(nil) }},
		{"All", func(h C) any { return maps.Collect(h.All()) }},
		{"Reset", func(h C) any { h.Reset(); return nil }},
		{"Len", func(h C) any { return h.Len() }},
		disposed[C](),
		{"Disposed", func(h C) any { return h.Disposed() }},
		{"String", func(h C) any { return h.String() }},
	}, dump: func(h C) string { return fmt.Sprint(h.Counts(nil)) }}
}
