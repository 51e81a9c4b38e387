package parallelfor

import (
	"cmp"
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
	require.Equal(t, mostSamples-1, looked) // the first one is compared with none
}

func TestTheOrderOfCmpIsRecognised(t *testing.T) {
	require.True(t, isCompare(cmp.Compare[int]))
	require.True(t, isCompare(cmp.Compare[uint64]))
	require.False(t, isCompare(func(a, b int) int { return cmp.Compare(a, b) }))
	require.False(t, isCompare(cmp.Less[int]))
}
