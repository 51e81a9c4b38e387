package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProgramsRun(t *testing.T) {
	for _, p := range programs {
		require.Positive(t, run(p.fresh(2), 2, 100), p.name)
	}
}

// What is predicted of a program by one goroutine is what it takes, and the transfers are those of
// its words.
func TestPredictions(t *testing.T) {
	*transfer, *update = 30, 5
	*alone = strings.Repeat("50,", len(programs)-1) + "50"
	all, err := predicted()
	require.NoError(t, err)
	require.Len(t, all, 7*len(programs))
	of := func(name string, goroutines int) prediction {
		i := slices.IndexFunc(all, func(p prediction) bool { return p.Program == name && p.Goroutines == goroutines })
		require.GreaterOrEqual(t, i, 0, name)
		return all[i]
	}
	for _, p := range programs {
		require.InDelta(t, 50, of(p.name, 1).NS, 15, p.name)
		require.Less(t, of(p.name, 1).Transfers, 0.01, p.name)
	}
	require.Greater(t, of("one number, Add", 64).Transfers, 0.5)
	require.InDelta(t, 0, of("a number for each, Add", 64).Transfers, 0.001)
	require.InDelta(t, 50.0/64, of("a number for each, Add", 64).NS, 0.1)
	require.InDelta(t, 0, of("one number, Load", 64).Transfers, 0.001)
}
