package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/route"
)

// missing has two jobs share the costs that do not say that they only read them, again and again, and writes what the library says.
func missing(o options, t grid.Task, w io.Writer) error {
	first := route.Careless(t)
	if first == nil {
		return errors.New("this build does not check who may touch what")
	}
	times, same := cmp.Or(o.repeat, 1000), 1
	for range times - 1 {
		if v := route.Careless(t); v != nil && *v == *first {
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
	_, err := fmt.Fprintf(w, "\n%d times of %d with these fields and this text\n", same, times)
	if err == nil && same < times {
		err = fmt.Errorf("%d violations were other ones", times-same)
	}
	return err
}
