package program_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
)

func TestSimulate(t *testing.T) {
	programtest.Program{Name: "dogs", Run: func(args []string, stdout, stderr io.Writer) int {
		return program.Simulate("dogs", "dogs", program.Options{N: 3, Steps: 2, Chunk: 1}, args, stdout, stderr, func(o program.Options, w io.Writer) error {
			made := 0
			step := func() { made++ }
			if err := program.Race(w, o.Steps, program.Way{Name: "one", Step: step}, program.Way{Name: "other", Step: step}); err != nil {
				return err
			}
			fmt.Fprintf(w, "%d dogs made %d steps\n", o.N, made)
			return program.Verified(w, o.Seed, o.Seed)
		})
	}}.Simulates(t, []string{"-n", "5"}, "5 dogs made 4 steps\n", []string{"-workers", "3"}, []string{"-chunk", "7"})
}

func TestVerified(t *testing.T) {
	var out bytes.Buffer
	assert.ErrorContains(t, program.Verified(&out, []int{1}, []int{1}, []int{2}), "way 3 leaves another state")
	assert.Empty(t, out.String())
}
