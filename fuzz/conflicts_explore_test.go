//go:build custody_explore && !race

package fuzz_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/internal/explore"
	"example.com/custody/queue"
)

// subject is a container in some states, and its operations.
type subject[C any] struct {
	name   string
	states map[string]func() C
	ops    []operation[C]
	dump   func(c C) string // what is in the container
}

// operation does something to a container and returns its answer.
type operation[C any] struct {
	name string
	do   func(c C) any
}

// tries is the number of containers in each of which two operations meet, if they conflict.
const tries = 6

// commute reports whether two operations give the same answers in either order, and leave the same.
func (s *subject[C]) commute(fresh func() C, a, b operation[C]) bool {
	one, other := fresh(), fresh()
	a1 := fmt.Sprint(a.do(one))
	b1 := fmt.Sprint(b.do(one))
	b2 := fmt.Sprint(b.do(other))
	a2 := fmt.Sprint(a.do(other))
	return a1 == a2 && b1 == b2 && s.dump(one) == s.dump(other)
}

// matrix returns the conflicts of operations that commute, and how many pairs commute and how many
// of these have none.
func (s *subject[C]) matrix(t *testing.T) (found []string, pairs, free int) {
	t.Helper()
	for _, state := range slices.Sorted(maps.Keys(s.states)) {
		fresh := s.states[state]
		for i, a := range s.ops {
			for _, b := range s.ops[i:] {
				if !s.commute(fresh, a, b) {
					continue
				}
				var all []explore.Conflict
				for range tries { // two keys may lie side by side by chance
					var err error
					all, err = explore.Conflicts(func() (func(), func()) {
						c := fresh()
						return func() { a.do(c) }, func() { b.do(c) }
					})
					require.NoError(t, err)
					if len(all) == 0 {
						break
					}
				}
				if pairs++; len(all) == 0 {
					free++
				}
				for _, c := range all {
					t.Logf("%s, %s: %s in %s, %s in %s", s.name, state, a.name, c.A, b.name, c.B)
					found = append(found, strings.Join([]string{s.name, a.name, b.name}, "\t"))
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found), pairs, free
}

func items(q interface{ TryDequeue() (int, bool) }) string {
	var all []int
	for v, ok := q.TryDequeue(); ok; v, ok = q.TryDequeue() {
		all = append(all, v)
	}
	return fmt.Sprint(all)
}

func ringSubject() *subject[*queue.Ring[int]] {
	with := func(n int) func() *queue.Ring[int] {
		return func() *queue.Ring[int] {
			r := queue.NewRing[int](32)
			for i := range n {
				r.TryEnqueue(i)
			}
			return r
		}
	}
	type C = *queue.Ring[int]
	return &subject[C]{"Ring", map[string]func() C{"empty": with(0), "16 items": with(16), "full": with(32)}, []operation[C]{
		{"TryEnqueue", func(r C) any { return r.TryEnqueue(7) }},
		{"TryDequeue", func(r C) any { v, ok := r.TryDequeue(); return [2]any{v, ok} }},
		{"Peek", func(r C) any { v, ok := r.Peek(); return [2]any{v, ok} }},
		{"Len", func(r C) any { return r.Len() }},
		{"Cap", func(r C) any { return r.Cap() }},
		{"Closed", func(r C) any { return r.Closed() }},
	}, func(r C) string { return items(r) }}
}

func queueSubject() *subject[*queue.Queue[int]] {
	with := func(n int) func() *queue.Queue[int] {
		return func() *queue.Queue[int] {
			q := queue.New[int]()
			for i := range n {
				q.Enqueue(i)
			}
			return q
		}
	}
	type C = *queue.Queue[int]
	return &subject[C]{"Queue", map[string]func() C{"empty": with(0), "20 items": with(20)}, []operation[C]{
		{"Enqueue", func(q C) any { q.Enqueue(7); return nil }},
		{"TryDequeue", func(q C) any { v, ok := q.TryDequeue(); return [2]any{v, ok} }},
		{"Peek", func(q C) any { v, ok := q.Peek(); return [2]any{v, ok} }},
		{"Len", func(q C) any { return q.Len() }},
		{"Closed", func(q C) any { return q.Closed() }},
	}, func(q C) string { return items(q) }}
}

func counterSubject(t *testing.T) *subject[*counter.Counter] {
	type C = *counter.Counter
	spread := make([]C, 200) // each has counts for many processors
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
	return &subject[C]{"Counter", map[string]func() C{"new": func() C { return counter.New() }, "used by many": func() C {
		c := spread[0]
		spread = spread[1:]
		c.Set(0)
		return c
	}}, []operation[C]{
		{"Add", func(c C) any { c.Add(1); return nil }},
		{"Value", func(c C) any { return c.Value() }},
		{"Set", func(c C) any { c.Set(5); return nil }},
	}, func(c C) string { return fmt.Sprint(c.Value()) }}
}

func mapSubject() *subject[*hashmap.Map[int, int]] {
	type C = *hashmap.Map[int, int]
	load := func(name string, k int) operation[C] {
		return operation[C]{name, func(m C) any { v, ok := m.Load(k); return [2]any{v, ok} }}
	}
	store := func(name string, k int) operation[C] {
		return operation[C]{name, func(m C) any { m.Store(k, -k); return nil }}
	}
	return &subject[C]{"Map", map[string]func() C{"64 keys, room for 8192": func() C {
		m := hashmap.New[int, int]()
		m.Grow(8192)
		for i := range 64 {
			m.Store(i, i)
		}
		return m
	}}, []operation[C]{
		load("Load", 1), load("Load of another key", 2), load("Load of no key", 1000),
		store("Store", 1), store("Store of another key", 2), store("Store of a new key", 1001), store("Store of another new key", 1002),
		{"Swap", func(m C) any { v, ok := m.Swap(1, -1); return [2]any{v, ok} }},
		{"LoadOrStore", func(m C) any { v, ok := m.LoadOrStore(1, -1); return [2]any{v, ok} }},
		{"CompareAndSwap", func(m C) any { return m.CompareAndSwap(1, 5, 6) }},
		{"Delete", func(m C) any { m.Delete(1); return nil }},
		{"Delete of another key", func(m C) any { m.Delete(2); return nil }},
		{"Len", func(m C) any { return m.Len() }},
	}, func(m C) string { return fmt.Sprint(maps.Collect(m.All())) }}
}

func multiMapSubject() *subject[*hashmap.MultiMap[int, int]] {
	type C = *hashmap.MultiMap[int, int]
	add := func(name string, k int) operation[C] {
		return operation[C]{name, func(m C) any { m.Add(k, k); return nil }}
	}
	return &subject[C]{"MultiMap", map[string]func() C{"100 keys": func() C {
		m := hashmap.NewMulti[int, int]()
		for i := range 100 {
			m.Add(i, i)
			m.Add(i, -i)
		}
		return m
	}}, []operation[C]{
		add("Add", 1), add("Add to another key", 2),
		{"Count", func(m C) any { return m.Count(1) }},
		{"Count of another key", func(m C) any { return m.Count(2) }},
		{"Values", func(m C) any { return m.Values(1) }},
		{"Delete", func(m C) any { return m.Delete(1) }},
		{"Len", func(m C) any { return m.Len() }},
	}, func(m C) string { return fmt.Sprint(maps.Collect(m.Groups())) }}
}

func histogramSubject() *subject[*counter.Histogram] {
	type C = *counter.Histogram
	return &subject[C]{"Histogram", map[string]func() C{"64 bins": func() C { return counter.NewHistogram(64) }}, []operation[C]{
		{"Add", func(h C) any { h.Add(1, 1); return nil }},
		{"Add to another bin", func(h C) any { h.Add(40, 1); return nil }},
		{"At", func(h C) any { return h.At(1) }},
		{"At of another bin", func(h C) any { return h.At(40) }},
	}, func(h C) string { return fmt.Sprint(h.Counts(nil)) }}
}

func maxSubject() *subject[*counter.Max[int]] {
	type C = *counter.Max[int]
	return &subject[C]{"Max", map[string]func() C{"100": func() C { m := counter.NewMax[int](); m.Observe(100); return m }}, []operation[C]{
		{"Observe of less", func(m C) any { m.Observe(5); return nil }},
		{"Observe of more", func(m C) any { m.Observe(200); return nil }},
		{"Value", func(m C) any { v, ok := m.Value(); return [2]any{v, ok} }},
	}, func(m C) string { v, ok := m.Value(); return fmt.Sprint(v, ok) }}
}

// conflictsFile lists operations that commute and meet all the same, with the reason.
const conflictsFile = "testdata/conflicts.tsv"

// Operations that commute use no cache line together that one of them changes, except for those
// that are listed with a reason.
func TestCommutingOperationsDoNotConflict(t *testing.T) {
	machine(t)
	var found []string
	pairs, free := 0, 0
	add := func(f []string, p, n int) { found, pairs, free = append(found, f...), pairs+p, free+n }
	add(ringSubject().matrix(t))
	add(queueSubject().matrix(t))
	add(counterSubject(t).matrix(t))
	add(mapSubject().matrix(t))
	add(multiMapSubject().matrix(t))
	add(histogramSubject().matrix(t))
	add(maxSubject().matrix(t))
	t.Logf("%d pairs of operations commute, %d of them without a conflict", pairs, free)
	page, err := os.ReadFile("../docs/scaling.md")
	require.NoError(t, err)
	require.Contains(t, strings.Join(strings.Fields(string(page)), " "), fmt.Sprintf("Of those that commute %d have none, and %d one that is", free, pairs-free))
	text, err := os.ReadFile(conflictsFile)
	require.NoError(t, err)
	reasons := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		i := strings.LastIndexByte(line, '\t')
		reasons[line[:i]] = line[i+1:]
	}
	for _, f := range found {
		if reasons[f] == "" {
			t.Errorf("operations that commute meet at a cache line, and no reason is listed: %s", f)
		}
		delete(reasons, f)
	}
	for _, f := range slices.SortedFunc(maps.Keys(reasons), cmp.Compare) {
		t.Errorf("a conflict is listed that there is none of any more: %s", f)
	}
}
