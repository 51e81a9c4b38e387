package parallelfor_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// buildRacy builds the program of testdata/racy with the race detector.
func buildRacy(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "racy")
	text, err := exec.Command("go", "build", "-race", "-o", path, "./testdata/racy").CombinedOutput()
	require.NoError(t, err, "%s", text)
	return path
}

// runRacy runs one of its programs and says whether the race detector reported it.
func runRacy(t *testing.T, path, program string, workers int) bool {
	t.Helper()
	c := exec.Command(path, program, strconv.Itoa(workers))
	c.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	text, err := c.CombinedOutput()
	if err == nil {
		return false
	}
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 66, exit.ExitCode(), "%s", text)
	require.Contains(t, string(text), "DATA RACE")
	return true
}

func TestTheRaceDetectorSeesEveryRaceOfCellsOnEveryRun(t *testing.T) {
	if runtime.GOARCH == "386" || testing.Short() {
		t.Skip("there is no race detector")
	}
	path := buildRacy(t)
	runs := 20
	for _, c := range []struct {
		program string
		races   bool
		runs    int
	}{
		{"captured", true, runs}, {"sum", true, 5}, {"window", true, 5}, {"adopted", true, 5}, {"jobs", true, 5}, {"owner", true, 5},
		{"right", false, 5},
	} {
		t.Run(c.program, func(t *testing.T) {
			for _, workers := range []int{1, 2, 4} {
				seen := 0
				for range c.runs {
					if runRacy(t, path, c.program, workers) {
						seen++
					}
				}
				want := 0
				if c.races {
					want = c.runs
				}
				require.Equal(t, want, seen, "%d workers", workers)
			}
		})
	}
}
