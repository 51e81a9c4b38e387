//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"example.com/custody/hashmap"
	"example.com/custody/internal/spec"
	"example.com/custody/parallelfor"
)

func ofMaps(t *testing.T) []meeting {
	word := func(i int) int { return i }
	words := mapSubject("Map", word, word)
	words.ops = append(words.ops, called[*hashmap.Map[int, int]]("Reader", "Writer", "ParallelWriter", "Shared")...)
	return slices.Concat(words.meetings(t), mapSubject("Map of strings", strconv.Itoa, word).meetings(t),
		largeSubject().meetings(t), multiMapSubject("MultiMap", word).meetings(t),
		multiMapSubject("MultiMap of strings", strconv.Itoa).meetings(t))
}

// largeSubject is a map whose values lie outside of its table, in some states.
func largeSubject() *subject[*hashmap.Map[int, [3]int]] {
	s := mapSubject("Map of large values", func(i int) int { return i }, func(i int) [3]int { return [3]int{i} })
	delete(s.states, "full")
	delete(s.states, "many keys deleted")
	delete(s.states, "64 keys of a job")
	return s
}

// number returns the number that stands for a key or a value.
func number(x any) int {
	switch x := x.(type) {
	case string:
		n, _ := strconv.Atoi(x)
		return n
	case [3]int:
		return x[0]
	}
	return x.(int)
}

// mapOperations are the operations of maps in their specification.
var mapOperations = map[string]spec.MapIn{
	"Load": {Op: spec.Load, Key: 1}, "Load of another key": {Op: spec.Load, Key: 33}, "Load of no key": {Op: spec.Load, Key: 1000},
	"Store": {Op: spec.Store, Key: 1, Value: 11}, "Store of another key": {Op: spec.Store, Key: 33, Value: 12},
	"Store of a new key": {Op: spec.Store, Key: 1001, Value: 13}, "Store of another new key": {Op: spec.Store, Key: 1002, Value: 14},
	"Store of an own key": {Op: spec.Store, Key: 2, Value: 7}, "Swap": {Op: spec.Swap, Key: 1, Value: 11},
	"LoadOrStore": {Op: spec.LoadOrStore, Key: 1, Value: 11}, "LoadOrStore of a new key": {Op: spec.LoadOrStore, Key: 1001, Value: 13},
	"LoadOrCompute": {Op: spec.LoadOrStore, Key: 1, Value: 88}, "LoadOrCompute of a new key": {Op: spec.LoadOrStore, Key: 1003, Value: 88},
	"Compute": {Op: spec.Compute, Key: 1, Value: 77}, "Compute of another key": {Op: spec.Compute, Key: 33, Value: 77},
	"Compute of an own key": {Op: spec.Compute, Key: 2, Value: 77}, "Compute that deletes": {Op: spec.Compute, Key: 1, Drop: true},
	"CompareAndSwap": {Op: spec.CompareAndSwap, Key: 1, Old: 1, Value: 11}, "CompareAndSwap of no value": {Op: spec.CompareAndSwap, Key: 1, Old: 5, Value: 6},
	"CompareAndDelete": {Op: spec.CompareAndDelete, Key: 1, Old: 1}, "CompareAndDelete of no value": {Op: spec.CompareAndDelete, Key: 1, Old: 5},
	"Delete": {Op: spec.Delete, Key: 1}, "Delete of another key": {Op: spec.Delete, Key: 33}, "Delete of no key": {Op: spec.Delete, Key: 1000},
	"Delete of an own key": {Op: spec.Delete, Key: 2}, "LoadAndDelete": {Op: spec.LoadAndDelete, Key: 1},
}

// mapModel is the specification of a map. All are the keys and values of the map, by number, and
// batch is what a worker adds to a key of its own.
func mapModel[C any](all func(c C) map[int]int, batch func(c C) int) sequential[C] {
	return specified(spec.Map(), func(c C) (given []spec.MapIn) {
		for k, v := range all(c) {
			given = append(given, spec.MapIn{Op: spec.Store, Key: k, Value: v})
		}
		return given
	}, func(c C, name string, answer any) (in spec.MapIn, out spec.MapOut, ok bool) {
		in, ok = mapOperations[name]
		if in.Key == 2 || in.Key == 1001 {
			in.Key += batch(c)
		}
		if !ok {
			return in, out, false
		}
		switch a := answer.(type) {
		case bool:
			out.OK = a
		case [2]any:
			if was, computed := a[0].([2]any); computed {
				in.Seen, in.SeenOK = number(was[0]), was[1].(bool)
				a = a[1].([2]any)
			}
			out.Value, out.OK = number(a[0]), a[1].(bool)
		}
		return in, out, ok
	})
}

// putIn puts keys into a map in a job.
type putIn[K, V comparable] struct {
	To  hashmap.ParallelWriter[K, V]
	Key func(i int) K `custody:"unguarded"`
	Val func(i int) V `custody:"unguarded"`
}

func (p *putIn[K, V]) Execute(i int) { p.To.Set(p.Key(i), p.Val(i)) }

func mapSubject[K, V comparable](name string, key func(i int) K, value func(i int) V) *subject[*hashmap.Map[K, V]] {
	type C = *hashmap.Map[K, V]
	with := func(room, keys int) C {
		m := hashmap.New[K, V]()
		m.Grow(room)
		for i := range keys {
			m.Store(key(i), value(i))
		}
		return m
	}
	is := func(v V, ok bool) any { return both(v, ok) }
	add := func(old V, loaded bool) (V, hashmap.Op) { return value(77), hashmap.Update }
	gone := func(old V, loaded bool) (V, hashmap.Op) { return old, hashmap.Delete }
	keep := func(old V, loaded bool) (V, hashmap.Op) { return old, hashmap.Keep }
	compute := func(m C, k int, f func(V, bool) (V, hashmap.Op)) (was any) {
		v, ok := m.Compute(key(k), func(old V, loaded bool) (V, hashmap.Op) {
			was = both(old, loaded)
			return f(old, loaded)
		})
		return both(was, both(v, ok))
	}
	made := func() (V, bool) { return value(88), false }
	return &subject[C]{name: name, dense: []string{"empty", "full"}, states: map[string]func() C{
		"empty":                    func() C { return hashmap.New[K, V]() },
		"64 keys in a large table": func() C { return with(2048, 64) },
		"many keys deleted": func() C {
			m := with(2048, 192)
			for i := 64; i < 192; i++ {
				m.Delete(key(i))
			}
			return m
		},
		"full": func() C {
			m := with(0, 64)
			for i := 2000; m.Stats().Len < m.Stats().Room; i++ {
				m.Store(key(i), value(i))
			}
			return m
		},
		"64 keys of a job": func() C {
			m := with(2048, 0)
			parallelfor.For(64, putIn[K, V]{m.ParallelWriter(), key, value}, (*putIn[K, V]).Execute, parallelfor.Sequential())
			return m
		},
	}, ops: []operation[C]{
		{"Load", func(m C) any { return is(m.Load(key(1))) }},
		{"Load of another key", func(m C) any { return is(m.Load(key(33))) }},
		{"Load of no key", func(m C) any { return is(m.Load(key(1000))) }},
		{"Store", func(m C) any { m.Store(key(1), value(11)); return nil }},
		{"Store of another key", func(m C) any { m.Store(key(33), value(12)); return nil }},
		{"Store of a new key", func(m C) any { m.Store(key(1001), value(13)); return nil }},
		{"Store of another new key", func(m C) any { m.Store(key(1002), value(14)); return nil }},
		{"Swap", func(m C) any { return is(m.Swap(key(1), value(11))) }},
		{"LoadOrStore", func(m C) any { return is(m.LoadOrStore(key(1), value(11))) }},
		{"LoadOrStore of a new key", func(m C) any { return is(m.LoadOrStore(key(1001), value(13))) }},
		{"LoadOrCompute", func(m C) any { return is(m.LoadOrCompute(key(1), made)) }},
		{"LoadOrCompute of a new key", func(m C) any { return is(m.LoadOrCompute(key(1003), made)) }},
		{"Compute", func(m C) any { return compute(m, 1, add) }},
		{"Compute of another key", func(m C) any { return compute(m, 33, add) }},
		{"Compute that keeps", func(m C) any { return compute(m, 1, keep) }},
		{"Compute that deletes", func(m C) any { return compute(m, 1, gone) }},
		{"CompareAndSwap", func(m C) any { return m.CompareAndSwap(key(1), value(1), value(11)) }},
		{"CompareAndSwap of no value", func(m C) any { return m.CompareAndSwap(key(1), value(5), value(6)) }},
		{"CompareAndDelete", func(m C) any { return m.CompareAndDelete(key(1), value(1)) }},
		{"CompareAndDelete of no value", func(m C) any { return m.CompareAndDelete(key(1), value(5)) }},
		{"Delete", func(m C) any { m.Delete(key(1)); return nil }},
		{"Delete of another key", func(m C) any { m.Delete(key(33)); return nil }},
		{"Delete of no key", func(m C) any { m.Delete(key(1000)); return nil }},
		{"LoadAndDelete", func(m C) any { return is(m.LoadAndDelete(key(1))) }},
		{"DeleteFunc of none", func(m C) any { return m.DeleteFunc(func(K, V) bool { return false }) }},
		{"Clear", func(m C) any { m.Clear(); return nil }},
		{"Grow", func(m C) any { m.Grow(1); return nil }},
		{"Len", func(m C) any { return m.Len() }},
		{"Stats", func(m C) any { return m.Stats().Len }},
		{"All", func(m C) any { return maps.Collect(m.All()) }},
		{"Clone", func(m C) any { return maps.Collect(m.Clone().All()) }},
		disposed[C](),
		{"Disposed", func(m C) any { return m.Disposed() }},
		{"String", func(m C) any { return m.String() }},
		{"Trim", func(m C) any { m.Trim(); return nil }},
	}, dump: func(m C) string { return fmt.Sprint(maps.Collect(m.All())) }, model: mapModel(func(m C) map[int]int {
		all := map[int]int{}
		for k, v := range m.All() {
			all[number(k)] = number(v)
		}
		return all
	}, func(C) int { return 0 })}
}

// multiMapOperations are the operations of multimaps in their specification.
var multiMapOperations = map[string]spec.MultiMapIn{
	"Add": {Op: spec.Add, Key: 1, Value: 7}, "Add to another key": {Op: spec.Add, Key: 33, Value: 7},
	"Add to a new key": {Op: spec.Add, Key: 1001, Value: 7}, "Add to another new key": {Op: spec.Add, Key: 1002, Value: 7},
	"AddAll": {Op: spec.AddAll, Key: 1, Values: spec.BatchOf(7, 7)}, "Replace": {Op: spec.Replace, Key: 1, Values: spec.BatchOf(7, 7)},
	"Count": {Op: spec.Count, Key: 1}, "Count of another key": {Op: spec.Count, Key: 33}, "Values": {Op: spec.Values, Key: 1},
	"AppendValues": {Op: spec.Values, Key: 1}, "Delete": {Op: spec.Delete, Key: 1}, "Delete of another key": {Op: spec.Delete, Key: 33},
	"DeleteValue": {Op: spec.DeleteValue, Key: 1, Value: 1}, "DeleteValue of no value": {Op: spec.DeleteValue, Key: 1, Value: 5},
}

// multiMapModel is the specification of a multimap.
func multiMapModel[K comparable]() sequential[*hashmap.MultiMap[K, int]] {
	return specified(spec.MultiMap(), func(m *hashmap.MultiMap[K, int]) (given []spec.MultiMapIn) {
		for k, vs := range m.Groups() {
			given = append(given, spec.MultiMapIn{Op: spec.AddAll, Key: number(k), Values: spec.BatchOf(vs...)})
		}
		return given
	}, func(_ *hashmap.MultiMap[K, int], name string, answer any) (in spec.MultiMapIn, out spec.MultiMapOut, ok bool) {
		in, ok = multiMapOperations[name]
		switch a := answer.(type) {
		case int:
			out.N = a
		case bool:
			if a {
				out.N = 1
			}
		case []int:
			out.Values = spec.BatchOf(a...)
		}
		return in, out, ok
	})
}

func multiMapSubject[K comparable](name string, key func(i int) K) *subject[*hashmap.MultiMap[K, int]] {
	type C = *hashmap.MultiMap[K, int]
	return &subject[C]{name: name, model: multiMapModel[K](), finer: true, states: map[string]func() C{
		"empty": func() C { return hashmap.NewMulti[K, int]() },
		"100 keys": func() C {
			m := hashmap.NewMulti[K, int]()
			for i := range 100 {
				m.Add(key(i), i)
				m.Add(key(i), -i)
			}
			return m
		},
	}, ops: append([]operation[C]{
		{"Add", func(m C) any { m.Add(key(1), 7); return nil }},
		{"Add to another key", func(m C) any { m.Add(key(33), 7); return nil }},
		{"Add to a new key", func(m C) any { m.Add(key(1001), 7); return nil }},
		{"Add to another new key", func(m C) any { m.Add(key(1002), 7); return nil }},
		{"AddAll", func(m C) any { m.AddAll(key(1), []int{7, 7}); return nil }},
		{"Count", func(m C) any { return m.Count(key(1)) }},
		{"Count of another key", func(m C) any { return m.Count(key(33)) }},
		{"Values", func(m C) any { return m.Values(key(1)) }},
		{"AppendValues", func(m C) any { return m.AppendValues(nil, key(1)) }},
		{"Replace", func(m C) any { return m.Replace(key(1), []int{7, 7}) }},
		{"Delete", func(m C) any { return m.Delete(key(1)) }},
		{"Delete of another key", func(m C) any { return m.Delete(key(33)) }},
		{"DeleteValue", func(m C) any { return m.DeleteValue(key(1), 1) }},
		{"DeleteValue of no value", func(m C) any { return m.DeleteValue(key(1), 5) }},
		{"Clear", func(m C) any { m.Clear(); return nil }},
		{"Len", func(m C) any { return m.Len() }},
		{"LenKeys", func(m C) any { return m.LenKeys() }},
		{"Stats", func(m C) any { return both(m.Stats().Len, m.Stats().Keys) }},
		{"All", func(m C) any {
			var all []any
			for k, v := range m.All() {
				all = append(all, k, v)
			}
			return all
		}},
		{"Groups", func(m C) any { return maps.Collect(m.Groups()) }},
		disposed[C](),
		{"Disposed", func(m C) any { return m.Disposed() }},
		{"String", func(m C) any { return m.String() }},
	}, called[C]("Trim", "Reader", "Writer", "ParallelWriter", "Shared")...), dump: func(m C) string {
		s := ""
		for k, v := range m.Groups() {
			s += fmt.Sprint(k, v, " ")
		}
		return s
	}}
}
