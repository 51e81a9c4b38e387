package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// sharing is a job that adds.
type sharing struct{ S MultiShared[int, int] }

func (j *sharing) Execute(i int) { j.S.Add(i, i) }

// A loop whose length is asked for when it begins sees all keys that were put in and deleted until
// then, in whatever way, also while the map is ranged over.
func TestLoopsOverTheKeysThatThereAreThen(t *testing.T) {
	m := NewMulti[int, int]()
	visited := func(opts ...parallelfor.Option) int {
		var n atom.Int64
		parallelfor.For(-1, m.Reader(), func(r *MultiReader[int, int], i int) {
			r.At(i)
			n.Add(1)
		}, append(opts, parallelfor.LengthOf(m.Reader()))...)
		return int(n.Load())
	}
	for k := range 100 {
		m.Add(k, k)
	}
	require.Equal(t, 100, visited())
	for k := range 10 {
		m.Delete(k)
	}
	require.Equal(t, 90, visited())
	m.Add(1000, 1)
	parallelfor.For(-1, m.Writer(), func(w *MultiWriter[int, int], i int) {
		_, vals := w.At(i)
		vals[0] = -1
	}, parallelfor.LengthOf(m.Writer()))
	for _, v := range m.All() {
		require.Equal(t, -1, v)
	}
	h := parallelfor.Schedule(100, sharing{m.Shared()}, (*sharing).Execute)
	require.Equal(t, 101, visited(parallelfor.After(h)))
	h.Complete()
	for range 50 {
		m.Delete(1000)
		m.Add(1000, 1)
		together(t, func() { visited() }, func() {
			for range m.Groups() {
				break
			}
		})
	}
}

// A body that uses the multimap whose view it has is told, or has its job fail, and does not hang.
func TestABodyThatUsesItsOwnMultiMap(t *testing.T) {
	m := NewMulti[int, int]()
	v := lawtest.Violation(t, func() error {
		parallelfor.Do(m.ParallelWriter(), func(w *MultiParallelWriter[int, int]) {
			w.Add(1, 1)
			m.Count(1)
		})
		return nil
	})
	require.ErrorIs(t, v, safety.ErrInFlight)
}
