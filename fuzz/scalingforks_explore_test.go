//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
)

// leafs is the number of leaves of the recursions, which take equally long.
const leafs = 4096

// halved is a number of leaves, and how long each takes.
type halved struct {
	leafs int
	each  time.Duration
}

// halves is the body of a recursion over a balanced tree. It returns the number of leaves.
func halves(f *parallelfor.Forks[halved, int], h halved) int {
	if h.leafs == 1 {
		atom.Delay(int(h.each))
		return 1
	}
	a := h.leafs / 2
	l, r := f.Join(halved{a, h.each}, halved{h.leafs - a, h.each})
	return l + r
}

// The bars are how many times as fast a recursion is as by one worker. A leaf of 17 ms takes 4 µs,
// and a worker gives a part away in 10 µs at most: 63 have one after six such times, of 270 µs that
// the recursion takes them.
func TestScalingOfRecursions(t *testing.T) {
	bars := map[string]float64{"1.7ms by 16": 8, "17ms by 16": 13, "17ms by 32": 24, "17ms by 63": 40}
	for _, work := range []time.Duration{1700 * time.Microsecond, 17 * time.Millisecond} {
		for _, workers := range crews {
			took := loops(t, work, workers, func(on parallelfor.Option) {
				require.Equal(t, leafs, parallelfor.Recurse(halves, halved{leafs, work / leafs}, on))
			})
			fast := float64(work) / float64(took.Time)
			name := fmt.Sprintf("%v by %d", work, workers)
			t.Logf("%s: %.1f times as fast, %d transfers, %d one after the other", name, fast, took.Transfers, took.Chain)
			require.GreaterOrEqual(t, fast, bars[name], name)
		}
	}
}
