package atom

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The first Gives of several goroutines have one memory, whichever of them comes last.
func TestFirstGivesHaveOneMemory(t *testing.T) {
	var p Pool
	first := new(kept)
	require.Same(t, first, keep(&p, first))
	require.Same(t, first, keep(&p, new(kept)))
}
