package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/svg"
)

func Example() {
	main()
	// Output:
	//  0 ###################################
	//  1 ###############################
	//  2 ########################
	//  3 ####################
	//  4 ###################
	//  5 #################
	//  6 ################
	//  7 ################
	//  8 ###############
	//  9 ##############
	// 10 ##############
	// 11 ############
}

// The picture of a frame has the names of its jobs, none on another.
func TestAFrameIsDrawnInTime(t *testing.T) {
	name := filepath.Join(t.TempDir(), "frame.svg")
	require.NoError(t, flag.Set("timeline", name))
	defer func() { require.NoError(t, flag.Set("timeline", "")) }()
	main()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	found, err := svg.Overlaps(strings.NewReader(string(text)))
	require.NoError(t, err)
	require.Empty(t, found)
	for _, job := range []string{"count", "push", "move", "draw"} {
		require.Contains(t, string(text), job+"</text>")
	}
}
