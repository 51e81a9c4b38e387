package fuzz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
)

// script is the sequential contract of a container. Each operation is done to the container and to
// a model that is obviously right. M is both together, so the model is fresh with each container.
type script[M any] struct {
	// make returns a container and its model. size is any number, and chooses among capacities.
	make func(size int) M
	ops  []operation[M]
	// end checks everything after a program; it may be nil.
	end func(m M) string
}

// operation is a command of a script.
type operation[M any] struct {
	name     string
	operands int // the number of its operands: 0, x, or x and y
	// do returns what is wrong, or the empty string.
	do func(m M, x, y int) string
}

// add adds an operation, if the container has it. An operation of weight w is drawn w times as
// often as one of weight 1.
func (s *script[M]) add(has bool, weight int, name string, operands int, do func(m M, x, y int) string) {
	if !has {
		return
	}
	for range weight {
		s.ops = append(s.ops, operation[M]{name, operands, do})
	}
}

// command is an operation of a program. op is taken modulo the number of operations.
type command struct{ op, x, y uint8 }

// run runs a program on a fresh container, and returns what is wrong.
func (s *script[M]) run(size int, program []command) (wrong string) {
	at := 0
	defer func() {
		if v := recover(); v != nil {
			if e, ok := v.(runtime.Error); ok {
				v = fmt.Sprint("runtime error: ", errors.Unwrap(e), e)
			}
			wrong = fmt.Sprintf("panicked: %v", v)
		}
		if wrong != "" {
			wrong = s.text(size, program[:min(at+1, len(program))]) + wrong
		}
	}()
	m := s.make(size)
	for i, c := range program {
		at = i
		if wrong = s.op(c).do(m, int(c.x), int(c.y)); wrong != "" {
			return wrong
		}
	}
	at = len(program)
	if s.end != nil {
		return s.end(m)
	}
	return ""
}

func (s *script[M]) op(c command) *operation[M] { return &s.ops[int(c.op)%len(s.ops)] }

// text returns the text of a program.
func (s *script[M]) text(size int, program []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "size %d", size)
	for _, c := range program {
		switch op := s.op(c); op.operands {
		case 0:
			fmt.Fprintf(&b, "; %s", op.name)
		case 1:
			fmt.Fprintf(&b, "; %s(%d)", op.name, c.x)
		default:
			fmt.Fprintf(&b, "; %s(%d, %d)", op.name, c.x, c.y)
		}
	}
	return b.String() + ": "
}

// longest limits the number of commands in a random program.
const longest = 100

// programs draws programs. For a while one operation is drawn every other time, so that containers
// become full and become empty. It has no sieve, because a sieve would keep programs from
// shrinking.
func programs(p *gopter.GenParameters) *gopter.GenResult {
	program := make([]command, p.Rng.Intn(longest))
	often := p.Rng.Intn(256)
	for i := range program {
		if p.Rng.Intn(16) == 0 {
			often = p.Rng.Intn(256)
		}
		op := often
		if p.Rng.Intn(2) == 0 {
			op = p.Rng.Intn(256)
		}
		program[i] = command{uint8(op), uint8(p.Rng.Intn(256)), uint8(p.Rng.Intn(256))}
	}
	return &gopter.GenResult{
		Result:     program,
		ResultType: reflect.TypeFor[[]command](),
		Shrinker:   gen.SliceShrinker(simpler),
	}
}

// simpler shrinks the operands of a command.
func simpler(v any) gopter.Shrink {
	c := v.(command)
	var list []command
	for _, smaller := range []command{{c.op, 0, 0}, {c.op, c.x, 0}, {c.op, 0, c.y}, {c.op, c.x / 2, c.y}, {c.op, c.x, c.y / 2}} {
		if smaller != c {
			list = append(list, smaller)
		}
	}
	return func() (any, bool) {
		if len(list) == 0 {
			return nil, false
		}
		next := list[0]
		list = list[1:]
		return next, true
	}
}

// model tries random programs. A failure shows the smallest program that is wrong.
func (s *script[M]) model(set *settings) func(t testing.TB) {
	return func(t testing.TB) {
		t.Helper()
		set.property(t, 300, prop.ForAll(s.run, gen.IntRange(0, 255), programs))
	}
}

// commands is the largest number of commands in one input. It keeps every program short.
const commands = 256

// read reads an input as a program: a byte for the size, and then commands, each an operation with
// its operands. Missing bytes are 0, so no input is an error.
func (s *script[M]) read(input []byte) (size int, program []command) {
	next := func() (x uint8) {
		if len(input) > 0 {
			x, input = input[0], input[1:]
		}
		return x
	}
	size = int(next())
	for len(input) > 0 && len(program) < commands {
		c := command{op: next()}
		if n := s.op(c).operands; n > 0 {
			c.x = next()
			if n > 1 {
				c.y = next()
			}
		}
		program = append(program, c)
	}
	return size, program
}

// bytes runs the program that an input reads as.
func (s *script[M]) bytes(t testing.TB, input []byte) {
	t.Helper()
	if wrong := s.run(s.read(input)); wrong != "" {
		t.Fatal(wrong)
	}
}

// fuzz makes a fuzz target of the script. Its seeds use every operation, on containers of several
// sizes.
func (s *script[M]) fuzz(f *testing.F) {
	f.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	f.Add([]byte{})
	for size := range byte(6) {
		input := []byte{size}
		for op := range s.ops {
			input = append(input, byte(op), byte(r.UintN(8)), byte(r.UintN(4)))
		}
		f.Add(input)
		for range 40 {
			input = append(input, byte(r.UintN(256)))
		}
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input []byte) { s.bytes(t, input) })
}
