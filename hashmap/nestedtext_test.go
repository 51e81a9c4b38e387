package hashmap_test

import (
	"hash/maphash"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/hashmap"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// meddling is a Hasher whose Equal calls a function once.
type meddling struct{ use atomic.Pointer[func()] }

func (*meddling) Hash(h *maphash.Hash, _ string) { h.WriteString("x") }

func (m *meddling) Equal(a, b string) bool {
	if use := m.use.Swap(nil); use != nil {
		(*use)()
	}
	return a == b
}

// The text about a Hasher that uses its map has a word for each call that has no name for the user:
// an iterator, and the end of a job.
func TestTextsAboutHashersNameNoInternals(t *testing.T) {
	lawtest.CheckedOnly(t)
	h := new(meddling)
	m := hashmap.NewMultiWith[string, int](h)
	m.Add("a", 1)
	ranges := func() {
		for range m.All() {
		}
	}
	h.use.Store(&ranges)
	v := lawtest.Violation(t, func() error { m.Add("b", 1); return nil })
	require.ErrorIs(t, v, safety.ErrWaitCycle)
	require.ErrorContains(t, v, "Equal of a Hasher, which MultiMap.Add had called, called an iterator of hashmap.MultiMap")

	m = hashmap.NewMultiWith[string, int](h)
	armed := make(chan bool)
	job := parallelfor.Go(m.ParallelWriter(), func(w *hashmap.MultiParallelWriter[string, int]) {
		<-armed
		w.Add("a", 1)
		w.Add("b", 2)
	})
	view := func() { m.ParallelWriter() }
	h.use.Store(&view)
	close(armed)
	v = lawtest.Violation(t, func() error { job.Complete(); return nil })
	require.ErrorContains(t, v, "Equal of a Hasher, which the end of a job had called, called MultiMap.ParallelWriter of hashmap.MultiMap")
}
