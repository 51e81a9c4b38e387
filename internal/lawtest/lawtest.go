package lawtest

import (
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

const (
	seedVariable = "CUSTODY_SEED"
	soakVariable = "CUSTODY_SOAK"
)

// Rounds returns the number of repetitions of a random test that normally has the given number. It
// is a quarter of normal with -short, an eighth with the race detector, and the multiple that the
// environment demands; at least 1.
func Rounds(normal int) int {
	soak, err := strconv.Atoi(os.Getenv(soakVariable))
	return rounds(normal, err == nil, soak, atom.Race, testing.Short())
}

func rounds(normal int, soaks bool, soak int, race, short bool) int {
	switch {
	case soaks:
		normal *= soak
	case race:
		normal /= 8
	case short:
		normal /= 4
	}
	return max(normal, 1)
}

// Seed returns the seed of a test's random numbers. If the test fails, Seed logs the line that
// replays it.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed, err := strconv.ParseUint(os.Getenv(seedVariable), 10, 63)
	if err != nil {
		seed = uint64(time.Now().UnixNano())
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("replay: " + replay(t.Name(), seed, folder()))
		}
	})
	return seed
}

// replay returns the shell command that runs a test again with the same random numbers.
func replay(test string, seed uint64, folder string) string {
	parts := strings.Split(test, "/")
	for i := range parts {
		parts[i] = "^" + parts[i] + "$"
	}
	line := seedVariable + "=" + strconv.FormatUint(seed, 10) + " go test -count=1 -run '" + strings.Join(parts, "/") + "'"
	if atom.Race {
		line += " -race"
	} else if safety.Strict {
		line += " -tags custody_strict"
	} else if !safety.Enabled {
		line += " -tags custody_unchecked"
	}
	return line + " ./" + folder
}

// folder returns the directory of the running test's package within the module. A test runs in that
// directory.
func folder() string {
	dir, err := os.Getwd()
	if err != nil {
		return "..."
	}
	below := ""
	for {
		if _, err := os.Stat(dir + "/go.mod"); err == nil {
			return below
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "..."
		}
		below = path.Join(filepath.Base(dir), below)
		dir = up
	}
}

// Rand returns a generator for a test, seeded by [Seed].
func Rand(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t), 0))
}

// Parameters returns the parameters of a property that normally is tried the given number of times,
// seeded by [Seed].
func Parameters(t testing.TB, normal int) *gopter.TestParameters {
	t.Helper()
	p := gopter.DefaultTestParametersWithSeed(int64(Seed(t)))
	p.MinSuccessfulTests = Rounds(normal)
	return p
}

// CheckedOnly skips a test of checks that the unchecked build does not have.
func CheckedOnly(t testing.TB) {
	t.Helper()
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
}

// WithoutRace skips a test with -race: it looks at files or runs other programs, in which the race
// detector watches nothing. .ci/run also runs the package without -race.
func WithoutRace(t testing.TB) {
	t.Helper()
	if atom.Race {
		t.Skip("the run without -race has this test")
	}
}

// UncheckedOnly skips a test of the unchecked build's behavior.
func UncheckedOnly(t testing.TB) {
	t.Helper()
	if safety.Enabled {
		t.Skip("this build checks")
	}
}
