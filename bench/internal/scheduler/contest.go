package scheduler

import (
	"fmt"
	"slices"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
)

// plain is the name of the side that is the sequential loop.
const plain = "the loop"

// contest is one loop done by the library, by the plain loop and by the drivers. All of them leave
// the same results; that is tested in whole before and after they are timed, and not meanwhile,
// because to look at results that another core wrote takes as long as the shortest of these loops.
type contest struct {
	work string
	// loop is the plain loop, ours the library's. by returns how a driver does it; nil is not at
	// all.
	loop, ours func()
	by         func(d *driver) func()
	nested     bool // a driver's body runs loops with the driver
	results    results
	variants   []measure.Side // further ways of the library
	units      int            // that doing it once is; 0 is 1
	// time makes sides; nil is measure.Do.
	time func(name string, do func()) measure.Side
}

// results are what a loop leaves.
type results interface {
	// reset brings them to where a loop starts.
	reset()
	// wrong says which result is not as it must be, or is "".
	wrong() string
}

// cells are results in a slice.
type cells[T comparable] struct{ got, start, want []T }

// newCells returns the results in got, which are what it has now before the loop and after it what
// loop leaves there.
func newCells[T comparable](got []T, loop func()) *cells[T] {
	c := &cells[T]{got: got, start: slices.Clone(got)}
	loop()
	c.want = slices.Clone(got)
	c.reset()
	return c
}

func (c *cells[T]) reset() { copy(c.got, c.start) }

func (c *cells[T]) wrong() string {
	for i, v := range c.got {
		if v != c.want[i] {
			return fmt.Sprintf("result %d is %v, and %v is right", i, v, c.want[i])
		}
	}
	return ""
}

// contest measures all sides. The limit is the loop.
func (r *run) contest(c contest) *rows.Comparison {
	if c.time == nil {
		c.time = measure.Do
	}
	sides := []measure.Side{c.time(ours, c.ours), c.time(plain, c.loop)}
	sides = append(sides, c.variants...)
	var peers []string
	if c.by != nil {
		for i := range r.drivers.all {
			if d := &r.drivers.all[i]; d.nests || !c.nested {
				sides = append(sides, c.time(d.name, c.by(d)))
				peers = append(peers, d.name)
			}
		}
	}
	r.judge(&c, sides)
	s := r.Compare(c.work, max(c.units, 1), []string{plain}, sides...)
	s.Peers = peers
	r.judge(&c, sides)
	return s
}

// judge does every side's work once and stops everything when one leaves something else.
func (r *run) judge(c *contest, sides []measure.Side) {
	if c.results == nil {
		return
	}
	for _, s := range sides {
		c.results.reset()
		s.Time(1)
		if text := c.results.wrong(); text != "" {
			panic(fmt.Sprintf("groups: %s, %s: %s", c.work, s.Name, text))
		}
	}
	c.results.reset()
}

// loops returns how a driver does some loops over n indices, one after the other.
func loops(n, batch int, bodies ...func(begin, end int)) func(d *driver) func() {
	return func(d *driver) func() {
		return func() {
			for _, body := range bodies {
				d.loop(n, batch, body)
			}
		}
	}
}
