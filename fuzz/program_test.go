package fuzz_test

import (
	"testing"

	"example.com/custody/fuzz"
)

// program is an input that is being read (R1).
type program struct {
	*fuzz.Bytes
	t *testing.T
}

func newProgram(t *testing.T, input []byte) *program { return &program{fuzz.Read(input), t} }

// logf prints a command when seeds are run with -v.
func (p *program) logf(format string, args ...any) {
	if testing.Verbose() {
		p.t.Logf("%3d: "+format, append([]any{p.Step()}, args...)...)
	}
}

// fatalf ends the test at the current command.
func (p *program) fatalf(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("command %d: "+format, append([]any{p.Step()}, args...)...)
}
