package parallelfor_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// sharing are the ways to share plain memory that programs of testdata/racy are about: their names
// begin so.
var sharing = []string{
	"captured variable", "captured slice", "captured map", "captured pointer", "pointer inside a Value", "unguarded field", "adopted slice",
	"window", "view", "Unrestricted", "Permuted", "lane", "jobs", "job of Go", "owner", "parts", "Double", "between", "Reader", "halves",
}

// buildRacy builds the program of testdata/racy with the race detector.
func buildRacy(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "racy")
	text, err := exec.Command("go", "build", "-race", "-o", path, "./testdata/racy").CombinedOutput()
	require.NoError(t, err, "%s", text)
	return path
}

// runRacy runs one of its programs so many times with each of the numbers of workers, and says of
// each how often the race detector reported it.
func runRacy(t *testing.T, path, program string, runs int, workers ...string) (seen []int) {
	t.Helper()
	c := exec.Command(path, append([]string{program, strconv.Itoa(runs)}, workers...)...)
	c.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0 suppress_equal_stacks=0")
	var out, reports bytes.Buffer
	c.Stdout, c.Stderr = &out, &reports
	err := c.Run()
	for word := range strings.FieldsSeq(out.String()) {
		n, number := strconv.Atoi(word)
		require.NoError(t, number, "%v\n%s", err, reports.String())
		seen = append(seen, n)
	}
	require.Len(t, seen, len(workers), "%v\n%s", err, reports.String())
	if slices.Max(seen) == 0 {
		require.NoError(t, err, "%s", reports.String())
		return seen
	}
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 66, exit.ExitCode(), "%s", reports.String())
	require.Contains(t, reports.String(), "DATA RACE")
	return seen
}

func TestTheRaceDetectorSeesEveryRaceOfBatchesOnEveryRun(t *testing.T) {
	if runtime.GOARCH == "386" {
		t.Skip("there is no race detector")
	}
	if safety.Strict || !safety.Enabled || atom.Explored {
		t.Skip("the programs are built in one way, whatever this is")
	}
	runs, workers := 10, []string{"1", "2", "4"}
	if testing.Short() {
		runs, workers = 2, []string{"2"}
	}
	path := buildRacy(t)
	list, err := exec.Command(path).Output()
	require.NoError(t, err)
	for _, name := range sharing {
		require.Contains(t, string(list), "race "+name)
	}
	for line := range strings.Lines(string(list)) {
		kind, program, _ := strings.Cut(strings.TrimSpace(line), " ")
		least, most := runs, runs
		switch kind {
		case "right":
			least, most = 0, 0
		case "often":
			least = runs * 7 / 10
		}
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			for k, seen := range runRacy(t, path, program, runs, workers...) {
				require.GreaterOrEqual(t, seen, least, "runs with %s workers", workers[k])
				require.LessOrEqual(t, seen, most, "runs with %s workers", workers[k])
			}
		})
	}
}
