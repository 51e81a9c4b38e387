package parallelfor

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The sample of a slice lies within it, however long it is.
func TestASampleOfTheLongestSlice(t *testing.T) {
	looked := 0
	kinds := kindsOf(make([]struct{}, math.MaxInt32), func(a, b struct{}) int {
		looked++
		return 0
	})
	require.Len(t, kinds, 1)
	require.Greater(t, looked, mostSamples)
	require.Less(t, looked, 4*mostSamples)
}
