package program

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// The exit status of a program whose work has failed, and of one whose arguments make no sense.
const (
	Failed = 1
	Usage  = 2
)

// Run parses the arguments of the program of that name and calls work. It returns the exit status:
// 0, also for help; [Usage] when parse returns an error; [Failed] when work does. stderr gets a
// line for each error that work has joined ([errors.Join]).
func Run[O any](name string, args []string, stdout, stderr io.Writer, parse func(args []string, stderr io.Writer) (O, error), work func(o O, stdout io.Writer) error) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, name+":", err)
		return Usage
	}
	if err = work(o, stdout); err == nil {
		return 0
	}
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for _, err := range all {
		fmt.Fprintln(stderr, name+":", err)
	}
	return Failed
}
