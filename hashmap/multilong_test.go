package hashmap

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Keys whose hashes are all equal are compared little more often than other keys, if they are
// compared by ==: the part that has them all hashes them in its own way.
func TestEqualHashesOfAMultiMap(t *testing.T) {
	const n = 20_000
	for _, equal := range []bool{false, true} {
		m := multi[string, int](usualMulti(), nil)
		compared := m.counts(equal)
		keys := make([]string, n)
		for i := range keys {
			keys[i] = string(rune(i)) + "x"
		}
		for i, k := range keys[:n/2] {
			m.Add(k, i)
		}
		own := 0
		for i := range m.in.parts {
			if m.in.parts[i].own != nil {
				own++
			}
		}
		if equal {
			require.Equal(t, 1, own)
		} else {
			require.Zero(t, own)
		}
		parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[string, int], i int) { w.Add(keys[i], i) })
		for _, k := range keys[n/2:] {
			m.Delete(k)
		}
		t.Logf("%.1f comparisons a key", float64(compared.Load())/n)
		require.Less(t, compared.Load(), int64(20*n), equal)
		for i, k := range keys[:n/2] {
			require.Equal(t, []int{i, i}, m.Values(k))
		}
	}
}

// An append to the values that a view hands out does not touch those of another key.
func TestValuesHandedOutEndWhereTheyEnd(t *testing.T) {
	m := NewMulti[int, int]()
	parallelfor.For(3000, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(i%100, i%100) })
	parallelfor.For(1, m.Writer(), func(w *MultiWriter[int, int], i int) {
		_, vals := w.At(i)
		_ = append(vals, -1)
	})
	parallelfor.For(100, m.Reader(), func(r *MultiReader[int, int], i int) {
		_, vals := r.At(i)
		_ = append(vals, -1)
		_ = append(r.Values(i), -1)
	}, parallelfor.Workers(1))
	for _, vals := range m.Groups() {
		_ = append(vals, -1)
	}
	for k, v := range m.All() {
		require.Equal(t, k, v)
	}
	var handed [][]int
	m.AddAll(100, []int{100, 100, 100, 100, 100})
	for range 20 { // at times there is room behind the values
		m.Add(100, 100)
		parallelfor.For(1, m.Reader(), func(r *MultiReader[int, int], _ int) {
			_, vals := r.At(100)
			handed = append(handed, append(vals, -1), append(r.Values(100), -1))
		})
		m.Add(100, 100)
	}
	for _, vals := range handed {
		require.Equal(t, -1, vals[len(vals)-1], "the memory behind the values is the multimap's")
	}
}

// A multimap that is cleared and filled again and again needs no new memory for its values.
func TestAMultiMapThatIsFilledAgainUsesItsMemory(t *testing.T) {
	if safety.Strict || atom.Explored || atom.Race {
		t.Skip("jobs are made anew in this build")
	}
	m := NewMulti[int, int]()
	fill := func() {
		m.Clear()
		parallelfor.For(50_000, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(i%5000, i) }, parallelfor.Workers(1))
	}
	for range 3 {
		fill()
	}
	require.Less(t, testing.AllocsPerRun(5, fill), 100.0)
	require.Equal(t, 5000, m.LenKeys())
	m.Trim()
	require.Equal(t, []int{7, 5007}, m.Values(7)[:2])
	fill()
	require.Equal(t, 50_000, m.Len())
}

// A key that comes again and again in the places of others comes once in an iteration, also when
// the body changes what it ranges over.
func TestAKeyComesOnceWhateverPlacesItGets(t *testing.T) {
	m := multi[int, int](multiSizes{stripes: 1, part: 1}, nil)
	for k := range 8 {
		m.Add(k, k)
	}
	var came []int
	for k := range m.Groups() {
		switch came = append(came, k); k {
		case 0:
			for k := 1; k < 7; k++ {
				m.Delete(k)
			}
			for k := 106; k > 100; k-- {
				m.Add(k, k)
			}
		case 101, 102, 103:
			m.Delete(k)
			m.Add(k, k)
		}
	}
	require.Equal(t, []int{0, 7}, came)
	require.Equal(t, []int{0, 7, 106, 105, 104, 103, 102, 101}, keysOf(m.Groups()))
}

// A call that has passed the check before a job took the multimap finds the job when it has all
// locks, and waits, or is refused.
func TestWhoFindsAJobBehindTheCheck(t *testing.T) {
	m := NewMulti[int, int]()
	m.Add(1, 1)
	mark := func(jobs int) {
		m.in.lockAll()
		m.in.changing = jobs
		m.in.unlock()
	}
	mark(1)
	if !safety.Enabled {
		require.Panics(t, func() { m.Stats() })
		mark(0)
		return
	}
	found := make(chan int)
	go func() { found <- m.Stats().Len }()
	time.Sleep(20 * time.Millisecond)
	select {
	case <-found:
		require.Fail(t, "it did not wait")
	default:
	}
	mark(0)
	require.Equal(t, 1, <-found)
}
