package programtest

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// Ran runs the program, which must succeed and have nothing to say on standard error, and returns what it prints.
func (p Program) Ran(t testing.TB, args ...string) string {
	t.Helper()
	code, stdout, stderr := p.run(args)
	require.Zero(t, code, "%q: %s", args, stderr)
	assert.Empty(t, stderr, "%q", args)
	return stdout
}

// Says runs the program, which must end with that exit status, print nothing, and say that among other things on standard error; "" is
// nothing at all.
func (p Program) Says(t testing.TB, want int, says string, args ...string) {
	t.Helper()
	stdout, stderr := p.Exits(t, want, args...)
	assert.Contains(t, stderr, says, "%q", args)
	if says == "" {
		assert.Empty(t, stderr, "%q", args)
	}
	assert.Empty(t, stdout, "%q", args)
}

func (p Program) run(args []string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = p.Run(args, &out, &errs)
	return code, out.String(), errs.String()
}

// FailsWhenFull runs the program with an output that takes nothing: it must say that, and end with that exit status.
func (p Program) FailsWhenFull(t testing.TB, want int, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	assert.Equal(t, want, p.Run(args, Full{}, &stderr), "%q", args)
	assert.Equal(t, p.Name+": no space left\n", stderr.String(), "%q", args)
}

// Full is an output that takes nothing.
type Full struct{}

func (Full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
