package phrase

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAmountsAreCounted(t *testing.T) {
	require.Equal(t, "0 parts", Amount(0, "part"))
	require.Equal(t, "1 part", Amount(1, "part"))
	require.Equal(t, "2 parts", Amount(2, "part"))
}
