package gates

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// lines bounds the lines of each package of the library, without tests. Those of parallelfor are to
// be 6,000, those of hashmap 5,500, and linesInAll 29,500: these bars are missed.
var lines = map[string]int{
	"array": 4105, "counter": 1930, "hashmap": 8286, "internal/lanes": 1062, "lane": 280, "parallelfor": 10914, "queue": 4065,
	"safety": 5242, "table": 3699,
}

const linesInAll = 39583

func TestLines(t *testing.T) {
	found, all := map[string]int{}, 0
	for _, s := range sources(t, func(s *source) bool { return s.isGo() && !s.isTest() && lines[s.dir()] > 0 }) {
		n := bytes.Count(s.text, []byte("\n"))
		found[s.dir()] += n
		all += n
	}
	for _, pkg := range slices.Sorted(maps.Keys(lines)) {
		t.Logf("%-12s %6d lines, at most %d", pkg, found[pkg], lines[pkg])
		require.LessOrEqual(t, found[pkg], lines[pkg], pkg)
		require.Positive(t, found[pkg], pkg)
	}
	t.Logf("%-12s %6d lines, at most %d", "in all", all, linesInAll)
	require.LessOrEqual(t, all, linesInAll)
}
