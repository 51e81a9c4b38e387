//go:build custody_explore && !race

package fuzz_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the tables of docs/scaling.md and docs/scheduler.md anew")

// The tables of the pages are what is simulated now, within a factor of two and a bit: it matters
// where objects lie in memory, which differs from run to run.
func TestThePagesOfScaling(t *testing.T) {
	machine(t)
	page(t, "../docs/scaling.md", "containers", ofContainers(t))
	page(t, "../docs/scheduler.md", "spinning", ofLoops(t, 0))
	page(t, "../docs/scheduler.md", "sleeping", ofLoops(t, 300*time.Microsecond))
}

// header returns the first two lines of a table.
func header(first string, columns []int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", first)
	for _, n := range columns {
		fmt.Fprintf(&b, " %d |", n)
	}
	return b.String() + "\n|---|" + strings.Repeat("---|", len(columns)) + "\n"
}

// ofContainers is a table of nanoseconds and of transfers an operation.
func ofContainers(t *testing.T) string {
	few := []int{1, 2, 8, 64}
	text := header("operation", few)
	for _, w := range works {
		text += "| " + w.name + " |"
		for _, p := range curve(t, w.name, w.of) {
			if slices.Contains(few, p.Goroutines) {
				text += fmt.Sprintf(" %.1f, %.2f |", p.NS, p.Transfers)
			}
		}
		text += "\n"
	}
	return text
}

// ofLoops is a table of how many times as fast loops are by several workers.
func ofLoops(t *testing.T, after time.Duration) string {
	text := header("work", crews[1:])
	for _, work := range durations {
		text += fmt.Sprintf("| %d µs |", work.Microseconds())
		for _, workers := range crews[1:] {
			fast, _ := timesAsFast(t, work, workers, after)
			text += fmt.Sprintf(" %.1f |", fast)
		}
		text += "\n"
	}
	return text
}

// page compares a table of a page with what it is to be, or writes it.
func page(t *testing.T, file, name, table string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	begin, end := "<!-- simulated: "+name+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok, "%s has no table %q", file, name)
	old, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(before+begin+table+end+after), 0o644))
		return
	}
	is, was := strings.FieldsFunc(table, inCell), strings.FieldsFunc(old, inCell)
	require.Len(t, was, len(is), "%s, %s: go test -tags custody_explore ./fuzz -run Pages -update", file, name)
	for i := range is {
		var a, b float64
		if n, _ := fmt.Sscan(is[i], &a); n == 0 {
			require.Equal(t, is[i], was[i])
			continue
		}
		_, err := fmt.Sscan(was[i], &b)
		require.NoError(t, err)
		require.InDelta(t, a, b, max(a, b)/2+0.3, "%s, %s:\n%s", file, name, table)
	}
}

func inCell(r rune) bool { return strings.ContainsRune("|, \n", r) }
