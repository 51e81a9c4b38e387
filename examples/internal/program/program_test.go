package program_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/custody/examples/internal/program"
)

func TestRun(t *testing.T) {
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{nil, 0, "0 dogs\n", ""},
		{[]string{"-n", "3"}, 0, "3 dogs\n", ""},
		{[]string{"-n", "-1"}, program.Failed, "", "dogs: fewer than none\n"},
		{[]string{"-n", "-2"}, program.Failed, "", "dogs: fewer than none\ndogs: a pair of them\n"},
		{[]string{"-n", "x"}, program.Usage, "", "invalid value"},
		{[]string{"-h"}, 0, "", "how many"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, c.code, program.Run("dogs", c.args, &stdout, &stderr, parse, work), c.args)
		assert.Equal(t, c.stdout, stdout.String(), c.args)
		if c.code == program.Failed || c.stderr == "" {
			assert.Equal(t, c.stderr, stderr.String(), c.args)
		} else {
			assert.Contains(t, stderr.String(), c.stderr, c.args)
		}
	}
}

func parse(args []string, stderr io.Writer) (n int, err error) {
	fs := flag.NewFlagSet("dogs", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&n, "n", 0, "how many")
	return n, fs.Parse(args)
}

func work(n int, stdout io.Writer) error {
	few := errors.New("fewer than none")
	switch {
	case n == -2:
		return errors.Join(few, errors.New("a pair of them"))
	case n < 0:
		return few
	}
	_, err := fmt.Fprintln(stdout, n, "dogs")
	return err
}
