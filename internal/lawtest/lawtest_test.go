package lawtest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/safety"
)

func TestRoundsFollowTheBuildAndTheEnvironment(t *testing.T) {
	assert.Equal(t, 80, rounds(80, false, 0, false, false))
	assert.Equal(t, 20, rounds(80, false, 0, false, true))
	assert.Equal(t, 10, rounds(80, false, 0, true, true))
	assert.Equal(t, 800, rounds(80, true, 10, true, true))
	assert.Equal(t, 1, rounds(3, false, 0, true, false), "once at least")
	t.Setenv(soakVariable, "7")
	assert.Equal(t, 21, Rounds(3))
}

func TestReplayLineRunsOneTestWithItsSeed(t *testing.T) {
	assert.Regexp(t, `^CUSTODY_SEED=5 go test -count=1 -run '\^TestA\$/\^b\$'.* \./safety$`, replay("TestA/b", 5, "safety"))
	assert.Equal(t, "internal/lawtest", folder())
	t.Setenv(seedVariable, "12345")
	require.Equal(t, uint64(12345), Seed(t))
	require.Equal(t, int64(12345), Parameters(t, 8).Seed())
	require.Equal(t, Rand(t).Uint64(), Rand(t).Uint64())
}

// spy is a testing.TB that notes failures.
type spy struct {
	testing.TB
	failed bool
}

func (s *spy) Helper()               {}
func (s *spy) Errorf(string, ...any) { s.failed = true }
func (s *spy) FailNow()              { s.failed = true; panic(errors.New("stop")) }

func TestRunnerFindsEveryDifference(t *testing.T) {
	fails := func(m Misuse) bool {
		s := &spy{TB: t}
		func() {
			defer func() { _ = recover() }()
			m.check(s)
		}()
		return s.failed
	}
	broken := func() error {
		v := safety.NewViolation(safety.ErrIndex, "it broke", "Mend it.")
		v.Index, v.Job, v.Made = 3, "J", "a.go:7"
		panic(v)
	}
	good := safety.Violation{Kind: safety.ErrIndex, Index: 3, Job: "J", Made: "a.go"}
	require.False(t, fails(Misuse{Do: broken, Want: good, Says: []string{"broke", "Mend"}}))
	require.True(t, fails(Misuse{Do: broken, Want: good, Says: []string{"bent"}}))
	require.True(t, fails(Misuse{Do: func() error { return nil }, Want: good}))
	require.True(t, fails(Misuse{Do: func() error { return errors.New("other") }, Want: good}))
	for _, change := range []func(*safety.Violation){
		func(v *safety.Violation) { v.Kind = safety.ErrLength },
		func(v *safety.Violation) { v.Index = 4 },
		func(v *safety.Violation) { v.Job = "" },
		func(v *safety.Violation) { v.Made = "b.go" },
		func(v *safety.Violation) { v.OtherJob = "K" },
	} {
		bad := good
		change(&bad)
		require.True(t, fails(Misuse{Do: broken, Want: bad}))
	}
	require.Panics(t, func() { _ = Failure(func() error { panic("no error") }) })
	is, other := Refused(safety.ErrIndex, func() { _ = broken() })
	require.True(t, is)
	require.NoError(t, other)
	is, other = Refused(safety.ErrLength, func() { _ = broken() })
	require.True(t, is)
	require.Error(t, other)
}
