package main

import (
	"errors"
	"fmt"
	"io"

	"example.com/custody/examples/projectiles/internal/sim"
	"example.com/custody/safety"
)

// missing leaves out that a job runs after the one that it needs, again and again, and writes what the library says.
func missing(o options, w io.Writer) error {
	c := o.Config
	c.Guns, c.Targets = min(c.Guns, 10), min(c.Targets, 10)
	var first *safety.Violation
	if !errors.As(sim.Careless(c), &first) {
		return errors.New("this build does not check who may touch what")
	}
	same := 1
	for range o.repeat - 1 {
		if v := new(safety.Violation); errors.As(sim.Careless(c), &v) && *v == *first {
			same++
		}
	}
	fmt.Fprintf(w, "%v\n\n", first)
	for _, f := range []struct{ name, is string }{
		{"Kind", first.Kind.Error()}, {"Container", first.Container}, {"Job", first.Job}, {"Field", first.Field},
		{"OtherJob", first.OtherJob}, {"OtherField", first.OtherField}, {"Made", first.Made}, {"Scheduled", first.Scheduled},
	} {
		fmt.Fprintf(w, "%-10s  %s\n", f.name, f.is)
	}
	_, err := fmt.Fprintf(w, "\n%d times of %d with these fields and this text\n", same, o.repeat)
	if err == nil && same < o.repeat {
		err = fmt.Errorf("%d violations were other ones", o.repeat-same)
	}
	return err
}
