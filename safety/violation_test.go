package safety_test

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

func TestViolationIsItsKindAndKeepsItsFields(t *testing.T) {
	v := safety.NewViolation(safety.ErrIndex, "it broke", "Mend it. Soon.")
	v.Index = 3
	wrapped := fmt.Errorf("outer: %w", v)
	assert.ErrorIs(t, wrapped, safety.ErrIndex)
	assert.NotErrorIs(t, wrapped, safety.ErrLength)
	var got *safety.Violation
	require.ErrorAs(t, wrapped, &got)
	assert.Equal(t, 3, got.Index)
	assert.Equal(t, safety.ErrIndex, errors.Unwrap(v))
	assert.Regexp(t, `^custody: index out of range: it broke\.\n\tMend it\. Soon\.\n\tIt happened at violation_test\.go:\d+\.$`, v.Error())
	v.At = ""
	assert.Equal(t, "custody: index out of range: it broke.\n\tMend it. Soon.", v.Error())
	bare := safety.NewViolation(safety.ErrClosed, "it broke", "")
	bare.At = ""
	assert.Equal(t, "custody: closed: it broke.", bare.Error())
	v.Container = "T"
	assert.NotContains(t, v.Error(), "was made")
	v.Made = "a.go:3"
	assert.Equal(t, "custody: index out of range: it broke.\n\tMend it. Soon.\n\tT was made at a.go:3.", v.Error())
	v.At = "b.go:4"
	assert.Equal(t, "custody: index out of range: it broke.\n\tMend it. Soon.\n\tIt happened at b.go:4.\n\tT was made at a.go:3.", v.Error())
}

// A violation that names no job gets one, once.
func TestAViolationIsNotedToBeInAJob(t *testing.T) {
	v := safety.NewViolation(safety.ErrIndex, "it broke", "")
	v.At = ""
	assert.Same(t, v, v.In("", "F"))
	assert.Equal(t, []string{"", "", "custody: index out of range: it broke."}, []string{v.Job, v.Field, v.Error()})
	assert.Same(t, v, v.In("J", "F"))
	v.In("K", "G")
	assert.Equal(t, []string{"J", "F", "custody: index out of range: in job J (field F): it broke."}, []string{v.Job, v.Field, v.Error()})
}

// The texts are part of what the library promises. Places are replaced by HERE.
func TestTextsOfViolations(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(5, safety.Named("costs"))
	conflict := func(a, b safety.Mode) *safety.Violation {
		first := opened(t, "Router", nil, s.claim(a, "goals[2].Costs"))
		defer completed(first)
		return refused(t, "Router", nil, s.claim(b, "goals[3].Costs"))
	}
	const (
		costs = `safety_test.stack "costs"`
		at    = "\n\tIt happened at HERE."
		made  = at + "\n\t" + costs + " was made at HERE."
		order = ".\n\tNeither runs after the other. Add parallelfor.After(previous) when scheduling"
	)
	clash := func(does, also string) string {
		return "custody: conflicting jobs: job Router (field goals[3].Costs) " + does + " " + costs +
			",\n\twhich job Router (field goals[2].Costs), scheduled at HERE, " + also + order
	}
	for _, c := range []struct {
		name string
		v    *safety.Violation
		want string
	}{
		{"both write", conflict(safety.Write, safety.Write), clash("writes", "also writes") + ", or take a Reader() in both if both only read." + made},
		{"write what is read", conflict(safety.Read, safety.Write), clash("writes", "reads") + ", or take a Reader() if the job only reads." + made},
		{"read what is written", conflict(safety.Write, safety.Read), clash("reads", "writes") + ", or complete the previous job first." + made},
		{"both append", conflict(safety.Append, safety.Append), clash("appends to", "also appends to") + ": what both add has no order otherwise." + made},
		{"share what is read", conflict(safety.Read, safety.Shared), clash("shares", "reads") + ", or complete the previous job first." + made},
		{"write what is appended to", conflict(safety.Append, safety.Write), clash("writes", "appends to") + ", or complete the previous job first." + made},
		{"twice in one job", refused(t, "J", nil, s.claim(safety.Read, "A"), s.claim(safety.Write, "B")),
			"custody: container held twice by one job: job J holds " + costs + " twice: field A reads it and field B writes it" +
				".\n\tKeep one of the two views. A Writer can also read; to read elsewhere than one writes, take two containers." + made},
		{"never assigned", refused(t, "J", nil, held(&stackView{}, "A")),
			"custody: not assigned: job J (field A) has a view that was never assigned" +
				".\n\tEvery view of a job must be taken from a container before the job is scheduled. What a job can do without is a safety.Optional, whose zero value carries no view." + at},
		{"more indices", newTicket("J", nil, s.claim(safety.Write, "A")).Open(safety.CurrentScope(), 9, true),
			"custody: length mismatch: job J (field A) has 9 indices, but its view of " + costs + " serves only 5" +
				".\n\tSchedule at most as many indices as the view serves, or take a larger container." + made},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.v.Error()
			for _, place := range []string{c.v.At, c.v.Made, c.v.Scheduled} {
				if place != "" {
					text = strings.ReplaceAll(text, place, "HERE")
				}
			}
			assert.Equal(t, c.want, text)
		})
	}
}

// What the advice says of both jobs is true of both.
func TestAdviceSpeaksOfAddingOnlyWhenBothAdd(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(3)
	for _, m := range []safety.Mode{safety.Read, safety.Write, safety.Shared} {
		first := opened(t, "A", nil, s.claim(m, "X"))
		assert.NotContains(t, refused(t, "B", nil, s.claim(safety.Append, "X")).Error(), "what both add", "the other job %s it", verbs[m])
		completed(first)
	}
}

func TestModesHaveNames(t *testing.T) {
	for m, want := range map[safety.Mode]string{
		safety.Read: "Read", safety.Write: "Write", safety.Append: "Append", safety.Shared: "Shared", 0: "no mode", 77: "no mode",
	} {
		assert.Equal(t, want, m.String())
	}
}

func TestTextsNameModes(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := newStack(1)
	for _, m := range append([]safety.Mode{0}, modes...) {
		verb := verbs[m]
		if m == 0 {
			verb = "holds"
		}
		v := s.view(m)
		assert.Contains(t, broken(t, func() { v.slice() }).Error(), "a view that "+verb+" safety_test.stack was used outside a job")
	}
}

// A claim in no mode is no claim: no text could name what the job does with the container.
func TestClaimWithoutAModeIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, m := range []safety.Mode{0, safety.Shared + 1} {
		s := newStack(3)
		k := newTicket("J", nil, s.claim(m, "X"))
		v := k.Open(safety.CurrentScope(), 0, false)
		if !assert.NotNil(t, v, "%d", m) {
			completed(k)
			continue
		}
		assert.ErrorIs(t, v, safety.ErrArgument)
	}
}

// calledFrom returns where it was called from, one function up.
func calledFrom() safety.Site { return safety.Caller(1) }

func TestSitesNameFileAndLine(t *testing.T) {
	assert.Empty(t, safety.Site(0).String())
	assert.Regexp(t, `^violation_test\.go:\d+$`, safety.Caller(0).String())
	a, b := calledFrom().String(), calledFrom().String() // one line
	assert.Equal(t, a, b)
	assert.NotEqual(t, a, calledFrom().String())
	assert.Regexp(t, `^violation_test\.go:`, a)
	assert.NotContains(t, a, "/")
}

// valued is a container whose guard says of a value that it is the owner.
type valued struct{ guard safety.Guard }

func TestContainersAreNamedByTypeAndName(t *testing.T) {
	assert.Equal(t, `safety_test.stack`, newStack(1).name())
	assert.Equal(t, `safety_test.stack "a \"b\""`, newStack(1, safety.Named(`a "b"`)).name())
	assert.Equal(t, `safety_test.stack "last"`, newStack(1, safety.Named("first"), safety.Named("last")).name())
	var v valued
	v.guard.Init(7, 0)
	assert.Equal(t, "int", v.guard.Container())
	viol := v.guard.Violation(safety.ErrClosed, "what", "Do.")
	assert.Equal(t, "int", viol.Container)
	assert.Regexp(t, `^violation_test\.go:\d+$|^testing\.go:\d+$`, viol.Made)
}

// The level is the one that the build asked for.
func TestLevelFollowsTheBuild(t *testing.T) {
	info, ok := debug.ReadBuildInfo()
	require.True(t, ok)
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["-compiler"] == "" {
		t.Skip("the test binary does not know how it was built")
	}
	tag := func(name string) bool {
		return slices.Contains(strings.FieldsFunc(settings["-tags"], func(r rune) bool { return r == ',' || r == ' ' }), name)
	}
	strict := settings["-race"] == "true" && !tag("custody_explore") || tag("custody_strict")
	assert.Equal(t, strict, safety.Strict)
	assert.Equal(t, strict || !tag("custody_unchecked"), safety.Enabled)
}

// Every kind has a text of its own.
func TestKindsAreDistinct(t *testing.T) {
	kinds := []error{
		safety.ErrConflict, safety.ErrInFlight, safety.ErrAliased, safety.ErrUnassigned, safety.ErrDisposed, safety.ErrCopied,
		safety.ErrNoRange, safety.ErrStaleView, safety.ErrWriteRange, safety.ErrIndex, safety.ErrLength, safety.ErrArgument,
		safety.ErrField, safety.ErrNotLent, safety.ErrNotCompleted, safety.ErrWaitCycle, safety.ErrClosed, safety.ErrSplit,
		safety.ErrOwnerInJob, safety.ErrBorrowed, safety.ErrTwice, safety.ErrOverlap, safety.ErrPlainField,
	}
	texts := map[string]bool{}
	for i, k := range kinds {
		assert.False(t, texts[k.Error()], k)
		texts[k.Error()] = true
		for j, other := range kinds {
			assert.Equal(t, i == j, errors.Is(safety.NewViolation(k, "", ""), other))
		}
	}
}

// What no function of the package has made has a text all the same.
func TestTheZeroViolationHasAText(t *testing.T) {
	assert.Equal(t, "custody: a violation that was never made", new(safety.Violation).Error())
}
