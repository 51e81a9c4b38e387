package programs

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// All ways agree, also again and with less to do than there are goroutines.
func TestAllWaysHaveOneResult(t *testing.T) {
	digests := map[uint64]bool{}
	for _, n := range []int{4, 100} {
		for _, p := range programs(func(int, int) int { return n }) {
			want := p.ways[0].run()()
			for range 2 {
				for _, w := range p.ways {
					assert.Equal(t, want, w.run()(), p.work+": "+w.name)
				}
			}
			assert.False(t, digests[want], p.work)
			digests[want] = true
		}
	}
}
