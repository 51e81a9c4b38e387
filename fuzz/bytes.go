package fuzz

import "math"

// commands is the largest number of commands in one input. It keeps every program short.
const commands = 256

// Bytes reads the input of a fuzz target as a program. A byte chooses a command, modulo the number
// of commands, and the next bytes are its operands. If the input is too short, the missing operands
// are 0 and the program ends. So no input is an error, and every prefix of a program is a program.
type Bytes struct {
	rest []byte
	step int
}

// Read returns a reader of the input.
func Read(input []byte) *Bytes { return &Bytes{rest: input} }

// More begins the next command, and reports whether there is one. A program has at most 256
// commands.
func (b *Bytes) More() bool {
	b.step++
	return len(b.rest) > 0 && b.step <= commands
}

// Step returns the number of the current command, counting from 1.
func (b *Bytes) Step() int { return b.step }

// Left returns the number of bytes that have not been read.
func (b *Bytes) Left() int { return len(b.rest) }

// Next returns the next byte as a number, or 0 at the end of the input.
func (b *Bytes) Next() int {
	if len(b.rest) == 0 {
		return 0
	}
	x := b.rest[0]
	b.rest = b.rest[1:]
	return int(x)
}

// Below returns a number in [0, n), made of one byte. n must be at least 1. If n is above 256, the
// number is below 256.
func (b *Bytes) Below(n int) int { return b.Next() % n }

// Bit returns a bool, made of one byte.
func (b *Bytes) Bit() bool { return b.Next()&1 != 0 }

// Around returns an index in or next to [0, n), or one far away.
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
