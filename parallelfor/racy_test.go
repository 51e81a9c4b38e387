package parallelfor_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

// sharing are the ways to share plain memory that programs of testdata/racy are about: their names begin so.
var sharing = []string{
	"captured variable", "captured slice", "captured map", "captured pointer", "pointer inside a Value", "unguarded field", "adopted slice",
	"window", "view", "Unrestricted", "Permuted", "lane", "jobs", "job of Go", "owner", "parts", "Double", "between",
}

// buildRacy builds the program of testdata/racy with the race detector.
func buildRacy(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "racy")
	text, err := exec.Command("go", "build", "-race", "-o", path, "./testdata/racy").CombinedOutput()
	require.NoError(t, err, "%s", text)
	return path
}

// runRacy runs one of its programs so many times, and says how often the race detector reported it.
func runRacy(t *testing.T, path, program string, workers, runs int) (seen int) {
	t.Helper()
	c := exec.Command(path, program, strconv.Itoa(workers), strconv.Itoa(runs))
	c.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0 suppress_equal_stacks=0")
	var out, reports bytes.Buffer
	c.Stdout, c.Stderr = &out, &reports
	err := c.Run()
	seen, number := strconv.Atoi(strings.TrimSpace(out.String()))
	require.NoError(t, number, "%v\n%s", err, reports.String())
	if seen == 0 {
		require.NoError(t, err, "%s", reports.String())
		return 0
	}
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 66, exit.ExitCode(), "%s", reports.String())
	require.Contains(t, reports.String(), "DATA RACE")
	return seen
}

func TestTheRaceDetectorSeesEveryRaceOfCellsOnEveryRun(t *testing.T) {
	if runtime.GOARCH == "386" {
		t.Skip("there is no race detector")
	}
	if safety.Strict || !safety.Enabled {
		t.Skip("the programs are built in one way, whatever this is")
	}
	runs, workers := 20, []int{1, 2, 4}
	if testing.Short() {
		runs, workers = 2, []int{2}
	}
	path := buildRacy(t)
	list, err := exec.Command(path).Output()
	require.NoError(t, err)
	for _, name := range sharing {
		require.Contains(t, string(list), "race "+name)
	}
	for line := range strings.Lines(string(list)) {
		kind, program, _ := strings.Cut(strings.TrimSpace(line), " ")
		want := runs
		if kind == "right" {
			want = 0
		}
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			for _, n := range workers {
				require.Equal(t, want, runRacy(t, path, program, n, runs), "runs with %d workers", n)
			}
		})
	}
}
