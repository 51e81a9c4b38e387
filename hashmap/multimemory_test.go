package hashmap

import (
	"runtime"
	"strconv"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
)

// memory returns how much memory is in use.
func memory() int {
	runtime.GC()
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int(s.HeapAlloc)
}

// Values that stay do not keep the memory of those that loops have added beside them and that are
// deleted.
func TestFewValuesDoNotKeepMuchMemory(t *testing.T) {
	for name, end := range map[string]func(m *MultiMap[int, int]){
		"Delete":  func(m *MultiMap[int, int]) { m.Delete(0) },
		"Replace": func(m *MultiMap[int, int]) { m.Replace(0, []int{1}) },
	} {
		const n, rounds = 20_000, 100
		m, before := NewMulti[int, int](), memory()
		for r := range rounds {
			parallelfor.For(n+1, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) {
				if i == n {
					w.Add(1+r, i)
				} else {
					w.Add(0, i)
				}
			}, parallelfor.Workers(2))
			end(m)
		}
		require.Less(t, memory()-before, 3<<20, name)
		m.Trim()
		require.Less(t, memory()-before, 2<<20, name)
		require.GreaterOrEqual(t, m.Len(), rounds)
	}
}

// Clear lets go of the values of loops, also where parts give their memory up.
func TestClearKeepsNoValues(t *testing.T) {
	m := NewMulti[any, any]()
	for k := range 20_000 {
		m.Add(strconv.Itoa(k), nil)
	}
	for k := range 20_000 {
		m.Delete(strconv.Itoa(k))
	}
	var all [5000]weak.Pointer[fuzz.Item]
	parallelfor.For(len(all), m.ParallelWriter(), func(w *MultiParallelWriter[any, any], i int) {
		v := new(fuzz.Item)
		all[i] = weak.Make(v)
		w.Add(strconv.Itoa(i%10), v)
	})
	m.Clear()
	isGarbage(t, all[:])
	runtime.KeepAlive(m)
}

// What is empty has next to no memory after Trim.
func TestTrimOfWhatIsEmpty(t *testing.T) {
	const n = 100_000
	m := NewMulti[int, int]()
	fill := func() {
		parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(i, i) })
	}
	fill() // so that spare memory, which all maps of the type share, is there before
	m.Clear()
	m.Trim()
	before := memory()
	fill()
	m.Clear()
	m.Trim()
	require.Less(t, memory()-before, 1<<20)
	fill()
	for k := range n {
		m.Delete(k)
	}
	m.Trim()
	require.Less(t, memory()-before, 1<<20)
	m.Add(1, 2)
	require.Equal(t, []int{1}, keysOf(m.Groups()))
	require.Equal(t, []int{2}, m.Values(1))
}

// With few keys a key that comes and goes costs what it costs where there never were many.
func TestKeysThatAreGoneCostNothing(t *testing.T) {
	m := multi[int, int](multiSizes{stripes: 1, part: 4096, few: 1024, gone: 64}, nil)
	for k := range 100_000 {
		m.Add(k, k)
	}
	for k := range 100_000 {
		m.Delete(k)
	}
	vals := make([]int, 64)
	gathered, left := 0, 0
	for range 1000 {
		m.AddAll(7, vals)
		m.Delete(7)
		if m.in.parts[0].left < left {
			gathered++
		}
		left = m.in.parts[0].left
	}
	require.LessOrEqual(t, gathered, 3, "all groups are not passed over each time")
}

// To add a value to a key with many does not move all of them each time, whatever becomes of other
// keys between.
func TestManyValuesAreNotMovedForEachOfThem(t *testing.T) {
	const many, cycles = 1 << 14, 200
	m := multi[int, int](multiSizes{stripes: 1, part: 4096, few: 1024, gone: 64}, nil)
	for i := range many {
		m.Add(1, i)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range cycles {
		m.Add(1, many+i)
		m.Replace(2, []int{i})
		m.Replace(2, []int{-i})
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(cycles*many), "an eighth of moving all values in each cycle")
	require.Equal(t, many+cycles, m.Count(1))
	m.Trim()
	require.Equal(t, many+cycles, m.Count(1))
}

// Trim leaves no room behind the values of keys, nor in blocks that other values have left.
func TestTrimGivesBackTheRoomOfValues(t *testing.T) {
	type large = [64]byte
	for name, fill := range map[string]func(m *MultiMap[int, large]){
		"values one after the other": func(m *MultiMap[int, large]) {
			for k := range 2000 {
				for range 33 {
					m.Add(k, large{})
				}
			}
		},
		"a job with few values of each key": func(m *MultiMap[int, large]) {
			m.Add(-1, large{})
			parallelfor.For(60_000, m.ParallelWriter(), func(w *MultiParallelWriter[int, large], i int) { w.Add(i, large{}) })
		},
	} {
		m := NewMulti[int, large]()
		fill(m)
		for k := range m.LenKeys() / 5 * 2 {
			m.Delete(k)
		}
		all := m.Len()
		m.Trim()
		require.Equal(t, all, m.Len(), name)
		for i := range m.in.parts {
			p, room := &m.in.parts[i], 0
			for g := range p.n {
				room += m.in.vals(p, g).cap
			}
			require.Equal(t, p.count, room, name)
			require.Equal(t, p.count, p.block.last.cap, name)
		}
	}
}
