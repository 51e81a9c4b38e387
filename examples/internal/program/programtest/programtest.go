package programtest

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
)

// Program is a program that is tested.
type Program struct {
	Name string
	// Run is all of it: it returns the exit status.
	Run func(args []string, stdout, stderr io.Writer) int
}

// Exits runs the program, which must end with that exit status, and returns what it writes.
func (p Program) Exits(t testing.TB, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := p.run(args)
	assert.Equal(t, want, code, "%q: %s", args, stderr)
	return stdout, stderr
}

// Ran runs the program, which must succeed and have nothing to say on standard error, and returns
// what it prints.
func (p Program) Ran(t testing.TB, args ...string) string {
	t.Helper()
	code, stdout, stderr := p.run(args)
	require.Zero(t, code, "%q: %s", args, stderr)
	assert.Empty(t, stderr, "%q", args)
	return stdout
}

// Says runs the program, which must end with that exit status, print nothing, and say that among
// other things on standard error; "" is nothing at all.
func (p Program) Says(t testing.TB, want int, says string, args ...string) {
	t.Helper()
	stdout, stderr := p.Exits(t, want, args...)
	assert.Contains(t, stderr, says, "%q", args)
	if says == "" && want != program.Usage {
		assert.Empty(t, stderr, "%q", args)
	}
	assert.Empty(t, stdout, "%q", args)
}

func (p Program) run(args []string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = p.Run(args, &out, &errs)
	return code, out.String(), errs.String()
}

// FailsWhenFull runs the program with an output that takes nothing: it must say that, and end with
// that exit status.
func (p Program) FailsWhenFull(t testing.TB, want int, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	assert.Equal(t, want, p.Run(args, Full{}, &stderr), "%q", args)
	assert.Equal(t, p.Name+": no space left\n", stderr.String(), "%q", args)
}

// Full is an output that takes nothing.
type Full struct{}

func (Full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Simulates runs a simulation with common arguments alone, then with each of the others too. The
// program must print says among other things, and the same verdict each time, and another one with
// another seed. It must refuse arguments that make no sense, and fail when its output does.
func (p Program) Simulates(t *testing.T, common []string, says string, others ...[]string) {
	t.Helper()
	verdict := regexp.MustCompile(`(?m)^verified: .* checksum [0-9a-f]{16}$`)
	want := verdict.FindString(p.Ran(t, common...))
	require.NotEmpty(t, want)
	for _, args := range others {
		out := p.Ran(t, append(args, common...)...)
		assert.Contains(t, out, says)
		assert.Regexp(t, `(?m) times as fast$`, out)
		assert.Equal(t, want, verdict.FindString(out), "%q", args)
	}
	assert.NotEqual(t, want, verdict.FindString(p.Ran(t, append(common, "-seed", "2")...)))
	p.Says(t, 0, "-steps", "-h")
	for _, args := range [][]string{{"-what"}, {"more"}, {"-n", "0"}, {"-n", "20000000"}, {"-steps", "0"}, {"-workers", "0"}, {"-chunk", "-1"}} {
		p.Says(t, program.Usage, "", args...)
	}
	p.FailsWhenFull(t, program.Failed, common...)
}
