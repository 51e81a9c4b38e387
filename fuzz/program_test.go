package fuzz_test

import (
	"math"
	"testing"
)

// program is an input that is being read (R1).
type program struct {
	t    *testing.T
	rest []byte
	step int
}

// commands bounds the commands of one input, so that none takes long.
const commands = 256

// more says whether another command follows.
func (p *program) more() bool {
	p.step++
	return len(p.rest) > 0 && p.step <= commands
}

// next returns the next byte as a number, 0 at the end of the input.
func (p *program) next() int {
	if len(p.rest) == 0 {
		return 0
	}
	b := p.rest[0]
	p.rest = p.rest[1:]
	return int(b)
}

// below returns a number of [0, n).
func (p *program) below(n int) int { return p.next() % n }

// bit says yes or no.
func (p *program) bit() bool { return p.next()&1 != 0 }

// around returns an index at or beside one of [0, n), or one far away.
func (p *program) around(n int) int {
	b := p.next()
	if b < 224 {
		return b%(n+2) - 1
	}
	far := [...]int{
		math.MaxInt, math.MinInt, math.MinInt + 1, math.MaxInt / 2, math.MinInt / 2, math.MaxInt/3 + 1, -n, 2 * n,
		math.MinInt / 4, math.MaxInt - n, 1 << 30, math.MaxInt/5*2 + 1,
	}
	return far[b%len(far)]
}

// logf prints a command when seeds are run with -v.
func (p *program) logf(format string, args ...any) {
	if testing.Verbose() {
		p.t.Logf("%3d: "+format, append([]any{p.step}, args...)...)
	}
}

// fatalf ends the test at the current command.
func (p *program) fatalf(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("command %d: "+format, append([]any{p.step}, args...)...)
}
