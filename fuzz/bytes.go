package fuzz

import "math"

// commands bounds the commands of one input, so that none takes long.
const commands = 256

// Bytes reads the input of a fuzz target as a program: a byte chooses a command, modulo the number of
// commands, and the next bytes are its operands. Where the input is too short the operands are 0 and the
// program ends. So no input is an error, and every prefix of a program is one.
type Bytes struct {
	rest []byte
	step int
}

// Read returns a reader of the input.
func Read(input []byte) *Bytes { return &Bytes{rest: input} }

// More begins the next command, and says whether there is one. A program has 256 commands at most.
func (b *Bytes) More() bool {
	b.step++
	return len(b.rest) > 0 && b.step <= commands
}

// Step returns the number of the command, the first one's is 1.
func (b *Bytes) Step() int { return b.step }

// Left returns how many bytes are left.
func (b *Bytes) Left() int { return len(b.rest) }

// Next returns the next byte as a number, 0 at the end of the input.
func (b *Bytes) Next() int {
	if len(b.rest) == 0 {
		return 0
	}
	x := b.rest[0]
	b.rest = b.rest[1:]
	return int(x)
}

// Below returns a number of [0, n) made of one byte; n is at least 1.
func (b *Bytes) Below(n int) int { return b.Next() % n }

// Bit says yes or no.
func (b *Bytes) Bit() bool { return b.Next()&1 != 0 }

// Around returns an index at or beside one of [0, n), or one far away.
func (b *Bytes) Around(n int) int {
	x := b.Next()
	if x < 224 {
		return x%(n+2) - 1
	}
	far := [...]int{
		math.MaxInt, math.MinInt, math.MinInt + 1, math.MaxInt / 2, math.MinInt / 2, math.MaxInt/3 + 1, -n, 2 * n,
		math.MinInt / 4, math.MaxInt - n, 1 << 30, math.MaxInt/5*2 + 1,
	}
	return far[x%len(far)]
}
