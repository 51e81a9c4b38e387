package ring_test

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore/ring"
)

// With one user the ring does what a slice does, at every capacity, and where positions wrap
// around.
func TestOneUser(t *testing.T) {
	for capacity := 1; capacity <= 9; capacity++ {
		for laps := range uint64(3) {
			r := ring.New(capacity, ring.None)
			r.Reset(laps)
			var model []int
			state := uint64(capacity)<<8 | laps
			for i := range 20 * capacity {
				state = state*6364136223846793005 + 1442695040888963407
				if state>>63 == 0 {
					require.Equal(t, len(model) < capacity, r.TryEnqueue(i+1))
					if len(model) < capacity {
						model = append(model, i+1)
					}
				} else {
					v, ok := r.TryDequeue()
					require.Equal(t, len(model) > 0, ok)
					if ok {
						require.Equal(t, model[0], v)
						model = model[1:]
					}
				}
				require.Equal(t, len(model), r.Len())
				require.NoError(t, r.Broken())
			}
			for range model {
				r.TryDequeue()
			}
			require.Zero(t, r.Kept())
		}
	}
}

func TestCapacityIsPositive(t *testing.T) {
	require.Panics(t, func() { ring.New(0, ring.None) })
}

// Between goroutines each item arrives once, and those of one producer in order.
func TestManyUsers(t *testing.T) {
	const producers, each = 3, 2000
	r := ring.New(3, ring.None)
	r.Reset(each)
	got := make([][]int, 2)
	var wg sync.WaitGroup
	for p := range producers {
		wg.Go(func() {
			for i := range each {
				for !r.TryEnqueue(p*each + i + 1) {
					runtime.Gosched()
				}
			}
		})
	}
	for c := range got {
		wg.Go(func() {
			for len(got[c]) < producers*each/len(got) {
				if v, ok := r.TryDequeue(); ok {
					got[c] = append(got[c], v-1)
				} else {
					runtime.Gosched()
				}
			}
		})
	}
	wg.Wait()
	for _, l := range got {
		var of [producers][]int
		for _, v := range l {
			of[v/each] = append(of[v/each], v)
		}
		for _, l := range of {
			require.True(t, slices.IsSorted(l))
		}
	}
	all := slices.Sorted(slices.Values(slices.Concat(got...)))
	require.Len(t, slices.Compact(all), producers*each)
	require.Zero(t, r.Len())
	require.Zero(t, r.Kept())
}

func TestFaultsHaveNames(t *testing.T) {
	seen := map[string]bool{"": true}
	for f := range ring.Faults {
		require.False(t, seen[f.String()], "fault %d", f)
		seen[f.String()] = true
	}
}
