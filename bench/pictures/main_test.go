package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/svg"
)

func TestARecordingIsDrawn(t *testing.T) {
	r, err := record()
	require.NoError(t, err)
	require.Equal(t, []int{2, 3, 5, 7, 11, 13, 17, 19, 23}, r.list)
	var b bytes.Buffer
	_, err = r.draw().WriteTo(&b)
	require.NoError(t, err)
	found, err := svg.Overlaps(&b)
	require.NoError(t, err)
	require.Empty(t, found)
}

// In no order of the batches do texts overlap.
func TestAnyRecordingIsDrawn(t *testing.T) {
	for _, lanes := range [][workers][]int{{{0, 1, 2}, {5, 4}, {3}}, {{4, 5, 3}, {0, 1, 2}, nil}} {
		r := recording{lanes: lanes, list: []int{2, 3, 5, 7, 11, 13, 17, 19, 23}}
		var b bytes.Buffer
		_, err := r.draw().WriteTo(&b)
		require.NoError(t, err)
		found, err := svg.Overlaps(&b)
		require.NoError(t, err)
		require.Empty(t, found)
	}
}

func TestARecordingTells(t *testing.T) {
	require.True(t, (&recording{lanes: [workers][]int{{0}, {2, 3}, {4, 5, 1}}}).tells())
	require.False(t, (&recording{lanes: [workers][]int{{0, 1}, {2, 3}, {4, 5}}}).tells())
	require.False(t, (&recording{lanes: [workers][]int{{0, 1}, nil, {4, 5, 2}}}).tells())
	require.False(t, (&recording{lanes: [workers][]int{{0}, {5}, {4, 3, 2, 1}}}).tells())
}
