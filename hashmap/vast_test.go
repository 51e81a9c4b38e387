package hashmap_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/hashmap"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Keys and values without a size are as many as memory holds bytes, and no more.
func TestNoLengthOverflows(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("what is not refused takes minutes")
	}
	type nothing = struct{}
	x := safety.Named("x")
	of := lawtest.Nothings
	lawtest.Vast(t, map[string]func(n int){
		"Map.Grow":        func(n int) { hashmap.New[nothing, nothing](x).Grow(n) },
		"MultiMap.AddAll": func(n int) { hashmap.NewMulti[int, nothing](x).AddAll(1, of(n)) },
		"MultiMap.Replace": func(n int) {
			m := hashmap.NewMulti[int, nothing](x)
			for k := range 100 {
				m.Replace(k, of(n))
			}
		},
		"MultiShared.AddAll": func(n int) {
			parallelfor.Do(hashmap.NewMulti[nothing, nothing](x).Shared(), func(s *hashmap.MultiShared[nothing, nothing]) { s.AddAll(nothing{}, of(n)) })
		},
		"MultiParallelWriter.AddAll": func(n int) {
			parallelfor.Do(hashmap.NewMulti[nothing, nothing](x).ParallelWriter(), func(w *hashmap.MultiParallelWriter[nothing, nothing]) { w.AddAll(nothing{}, of(n)) })
		},
		"MultiParallelWriter.AddAll, to a number": func(n int) {
			parallelfor.Do(hashmap.NewMulti[int, nothing](x).ParallelWriter(), func(w *hashmap.MultiParallelWriter[int, nothing]) { w.AddAll(1, of(n)) })
		},
	})
	m := hashmap.NewMulti[int, nothing](x)
	lawtest.TooLong(t, map[string]func(){
		"Replace": func() {
			for k := range 1 << 20 {
				m.Replace(k, of(lawtest.MostOf[nothing](0)))
			}
		},
	})
	require.Positive(t, m.LenKeys())
	for k := range m.Groups() {
		require.Equal(t, lawtest.MostOf[nothing](0), m.Count(k))
	}
}
