package fuzz_test

import (
	"math"
	"testing"
)

// commands is the largest number of commands in one input. It keeps every program short.
const commands = 256

// program is an input that is being read (R1).
type program struct {
	rest []byte
	at   int // the current command, counting from 1
	t    *testing.T
}

func newProgram(t *testing.T, input []byte) *program { return &program{rest: input, t: t} }

// More begins the next command, and reports whether there is one.
func (p *program) More() bool {
	p.at++
	return len(p.rest) > 0 && p.at <= commands
}

// Step returns the number of the current command, counting from 1.
func (p *program) Step() int { return p.at }

// Left returns the number of bytes that have not been read.
func (p *program) Left() int { return len(p.rest) }

// Next returns the next byte as a number, or 0 at the end of the input.
func (p *program) Next() int {
	if len(p.rest) == 0 {
		return 0
	}
	x := p.rest[0]
	p.rest = p.rest[1:]
	return int(x)
}

// Below returns a number in [0, n), made of one byte. n must be at least 1. If n is above 256, the
// number is below 256.
func (p *program) Below(n int) int { return p.Next() % n }

// Bit returns a bool, made of one byte.
func (p *program) Bit() bool { return p.Next()&1 != 0 }

// Around returns an index in or next to [0, n), or one far away.
func (p *program) Around(n int) int {
	x := p.Next()
	if x < 224 {
		return x%(n+2) - 1
	}
	far := [...]int{
		math.MaxInt, math.MinInt, math.MinInt + 1, math.MaxInt / 2, math.MinInt / 2, math.MaxInt/3 + 1, -n, 2 * n,
		math.MinInt / 4, math.MaxInt - n, 1 << 30, math.MaxInt/5*2 + 1,
	}
	return far[x%len(far)]
}

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
