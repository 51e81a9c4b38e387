package lane_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/lane"
)

// Lanes may be printed by anybody, since they say nothing that their workers change.
func TestLanesSayWhatTheyAre(t *testing.T) {
	require.Equal(t, "lane.Lane[int]", new(lane.Lane[int]).String())
	require.Equal(t, "lane.Lanes[string]", new(lane.Lanes[string]).String())
	require.Equal(t, "lane.Lanes[string]", (*lane.Lanes[string])(nil).String())
}
