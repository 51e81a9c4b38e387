package arraylaw

import (
	"bytes"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/leanovate/gopter"

	"example.com/custody/internal/atom"
)

// seedVariable is the environment variable that replays a property.
const seedVariable = "CUSTODY_SEED"

// Seed returns the seed of this run's random tests: what CUSTODY_SEED says, or a new one.
func Seed() uint64 {
	if n, err := strconv.ParseInt(os.Getenv(seedVariable), 10, 64); err == nil {
		return uint64(n)
	}
	return uint64(time.Now().UnixNano())
}

// Cases returns how many cases of a property to try when n are tried ordinarily: fewer in short runs
// and, because every cell is a goroutine there, with the race detector.
func Cases(n int) int {
	if atom.Race {
		n /= 8
	}
	if testing.Short() {
		n /= 4
	}
	return max(n, 10)
}

// Property tries p on so many cases, ordinarily, and prints the line that replays a failure.
func Property(t *testing.T, cases int, name string, p gopter.Prop) {
	t.Helper()
	seed := int64(Seed())
	parameters := gopter.DefaultTestParametersWithSeed(seed)
	parameters.MinSuccessfulTests = Cases(cases)
	properties := gopter.NewProperties(parameters)
	properties.Property(name, p)
	var out bytes.Buffer
	if !properties.Run(gopter.NewFormatedReporter(true, 100, &out)) {
		t.Errorf("%s\nreplay: %s=%d go test -run '^%s$'", out.String(), seedVariable, seed, t.Name())
	}
}
