package fuzz

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"example.com/custody/internal/lawtest"
)

// host is the test in which a suite runs: a *testing.T, or a replacement if the suite itself is
// under test.
type host interface {
	testing.TB
	// sub runs a subtest.
	sub(name string, f func(t testing.TB))
}

// tested is a host that is a *testing.T.
type tested struct{ *testing.T }

// testOf returns the test in which a suite runs. It fails for a benchmark, which has no subtests.
func testOf(t testing.TB) *testing.T {
	t.Helper()
	test, ok := t.(*testing.T)
	if !ok {
		t.Fatalf("fuzz: a suite runs in a *testing.T or a *testing.F, not in a %T", t)
	}
	return test
}

func (h tested) sub(name string, f func(t testing.TB)) {
	h.Helper()
	h.Run(name, func(t *testing.T) {
		t.Helper()
		f(t)
	})
}

// part is a subtest of a suite.
type part struct {
	name string
	need bool // whether the container has the operations that the part tests
	run  func(t testing.TB)
}

// runParts runs the parts that are needed.
func runParts(t host, missing []string, parts []part) {
	t.Helper()
	if len(missing) > 0 {
		t.Logf("not tested, because the container has none: %s", strings.Join(missing, ", "))
	}
	for _, p := range parts {
		if p.need {
			t.sub(p.name, p.run)
		}
	}
}

// call is an operation of a container together with a call of it.
type call struct {
	name string
	has  bool   // whether the container has it
	use  func() // calls it; a disposed container must refuse the call; nil: need not
}

// lacks returns the names of the operations that the container lacks.
func lacks(all []call) (missing []string) {
	for _, c := range all {
		if !c.has {
			missing = append(missing, c.name)
		}
	}
	slices.Sort(missing)
	return missing
}

// needed ends the test if an operation is missing that the suite requires.
func needed(t testing.TB, suite string, least ...call) {
	t.Helper()
	if missing := lacks(least); len(missing) > 0 {
		t.Fatalf("fuzz.%s needs %s", suite, strings.Join(missing, ", "))
	}
}

// drawn returns the seed of a subtest.
func (s *settings) drawn(t testing.TB) uint64 {
	t.Helper()
	if s.seeded {
		return s.seed
	}
	return lawtest.Seed(t)
}

// random returns the random numbers of a subtest.
func (s *settings) random(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(s.drawn(t), 0))
}

// property tries a property on a number of cases: normal of them, times the factors of s. The
// property is the only one of its run, and all parameters except the seed are fixed, so the seed
// alone replays it.
func (s *settings) property(t testing.TB, normal int, p gopter.Prop) {
	t.Helper()
	parameters := gopter.DefaultTestParametersWithSeed(int64(s.drawn(t) >> 1))
	parameters.MinSuccessfulTests = s.rounds(normal)
	parameters.MaxShrinkCount = 4000
	lawtest.Check(t, parameters, "model", p)
}
