package linear

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMemoryForgets: whatever it had room for.
func TestMemoryForgets(t *testing.T) {
	for _, n := range []int{1, fewConfigs, fewConfigs + 1, 1 << 14} {
		var m memory[int]
		for range 2 {
			for i := range n {
				require.False(t, m.has(uint64(i%5), i))
				m.remember(uint64(i%5), i)
				require.True(t, m.has(uint64(i%5), i))
				require.False(t, m.has(uint64(i%5+1), i))
			}
			m.forget()
		}
		for i := range n {
			require.False(t, m.has(uint64(i%5), i))
		}
	}
}
