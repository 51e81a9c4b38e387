package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestProgramsRun(t *testing.T) {
	for i := range programs {
		for n := 1; n <= 2; n++ {
			if p := &programs[i]; p.runs(n) {
				for _, ns := range sampled(p.fresh(n), n, 100, 1, 2) {
					require.Positive(t, ns, p.name)
				}
			}
		}
	}
	require.Positive(t, spends{100}.fast(2, time.Millisecond))
}

// A sample counts if all goroutines ran for half of it.
func TestTogether(t *testing.T) {
	took, ok := together([]span{{0, 100}, {20, 110}})
	require.Equal(t, time.Duration(110), took)
	require.True(t, ok)
	_, ok = together([]span{{0, 100}, {60, 110}})
	require.False(t, ok)
	_, ok = together([]span{{0, 10}, {20, 30}})
	require.False(t, ok)
}

func TestCellsHaveParts(t *testing.T) {
	require.Zero(t, (*cell)(nil).middle())
	require.Zero(t, new(cell).middle())
	c := &cell{rounds: []float64{5, 1, 4, 2, 3}}
	require.Equal(t, []float64{1, 3, 5}, []float64{c.part(0.1), c.middle(), c.part(0.9)})
}

func TestAlikeTimes(t *testing.T) {
	require.Equal(t, []bool{true, false, true, false, true}, alike([]float64{10, 100, 11, 0, 9}))
	require.Equal(t, []bool{true, true}, alike([]float64{0, 0}))
}

// example is a calibration of which the predictions are known.
func example() calibration {
	c := calibration{Processors: 2, Nothing: 1, Added: [2]float64{5, 10}, Spread: 10, Alone: map[string]float64{}}
	for i := range programs {
		if p := &programs[i]; p.runs(1) && !p.fits() {
			c.Alone[p.name] = 100
		}
	}
	return c
}

// The machine is fitted to what it calibrates with. A program takes as long by one goroutine as
// measured, and its transfers are those of its words.
func TestPredictions(t *testing.T) {
	all, err := predicted(example())
	require.NoError(t, err)
	of := func(all []prediction, name string, goroutines int) prediction {
		i := slices.IndexFunc(all, func(p prediction) bool { return p.Name == name && p.Goroutines == goroutines })
		require.GreaterOrEqual(t, i, 0, name)
		return all[i]
	}
	require.InDelta(t, 10, of(all.Programs, spread, 2).Value, 1)
	require.InDelta(t, 5, of(all.Programs, added, 1).Value, 0.5)
	require.InDelta(t, 10, of(all.Programs, added, 2).Value, 1)
	for _, p := range programs {
		if p.runs(1) && !p.fits() {
			require.InDelta(t, 100, of(all.Programs, p.name, 1).Value, 15, p.name)
		}
		if p.runs(1) {
			require.Less(t, of(all.Programs, p.name, 1).Transfers, 0.01, p.name)
		}
		if p.runs(most) {
			require.Positive(t, of(all.Programs, p.name, most).Value, p.name)
		}
	}
	require.Greater(t, of(all.Programs, added, 64).Transfers, 0.1)
	require.InDelta(t, 0, of(all.Programs, "Counter.Add", 64).Transfers, 0.001)
	require.InDelta(t, 100.0/64, of(all.Programs, "Counter.Add", 64).Value, 0.2)
	require.InDelta(t, 0, of(all.Programs, "Map.Load of 64 keys", 64).Transfers, 0.001)
	require.InDelta(t, 1, of(all.Loops, "17ms", 1).Value, 0.01)
	require.Greater(t, of(all.Loops, "17ms", mostCrew).Value, 50.0)

	measured := map[key]*cell{{"Map.Load of 64 keys", 2}: {rounds: []float64{50}}, {spread, 2}: {rounds: []float64{60}}}
	var b bytes.Buffer
	print(&b, &all, measured, map[key]*cell{{"3µs", 1}: {rounds: []float64{1}}})
	require.Contains(t, b.String(), "1 of 1 predictions")
	require.Equal(t, 1, strings.Count(b.String(), "fitted"))
	require.NoError(t, draw(t.TempDir(), &all, measured, nil, 2))
	require.Equal(t, len(all.Programs)+len(all.Loops)+5, strings.Count(b.String(), "\n"))
}

func TestTabulate(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("before\n"+tableBegins+"old\n"+tableEnds+"\nafter\n"), 0o644))
	all := &predictions{
		Programs: []prediction{{Name: added, Goroutines: 2, Value: 5}, {Name: "Counter.Add", Goroutines: 1, Value: 5}, {Name: "Counter.Add", Goroutines: 2, Value: 3}},
		Loops:    []prediction{{Name: "3µs", Goroutines: 2, Value: 1.5}, {Name: "17ms", Goroutines: 2, Value: 1.99}},
	}
	one := func(v float64) *cell { return &cell{rounds: []float64{v}} }
	measured := map[key]*cell{{added, 2}: one(5), {"Counter.Add", 1}: one(5), {"Counter.Add", 2}: one(2)}
	require.NoError(t, tabulate(page, all, measured, map[key]*cell{{"3µs", 2}: one(1.25), {"17ms", 2}: one(1.9)}))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, "before\n"+tableBegins+
		"operation              measured  predicted  off\n"+
		"Counter.Add            2.00      3.00       +50%\n"+
		"loop of 3µs, speed-up  1.25      1.50       +20%\n"+tableEnds+"\nafter\n", string(text))
	require.ErrorContains(t, tabulate(filepath.Join(t.TempDir(), "none.md"), all, measured, nil), "none.md")
}
