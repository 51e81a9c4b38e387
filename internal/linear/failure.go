package linear

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
)

// ErrHistory is the kind of the errors that are no statement about the container. The history is
// not valid, or it is more than a [Checker] can judge.
var ErrHistory = errors.New("linear: not a history that can be judged")

// badHistory returns an error that describes what is wrong with a history.
func badHistory(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrHistory, fmt.Sprintf(format, args...))
}

// deepest is the configuration with the most operations that the search reached.
type deepest[S comparable] struct {
	config[S]
	depth int
	path  [maxOps]uint8
}

// failure returns the error for a history that does not fit. It tells how far the search came, and
// draws the history.
func (c *Checker[S, I, O]) failure(h []Op[I, O], part string) error {
	var b strings.Builder
	b.WriteString("linear: not linearizable")
	if c.spec.Part != nil {
		fmt.Fprintf(&b, " in part %q", part)
	}
	best := &c.best
	fmt.Fprintf(&b, ": no order of the %s of %s fits", counted(c.must, "answer"), counted(c.n, "operation"))
	fmt.Fprintf(&b, "\n\tfits:    %s", orNothing(c.texts(h, best.path[:best.depth]), "nothing"))
	fmt.Fprintf(&b, "\n\tstate:   %v", best.state)
	var stuck []uint8
	lowest := bits.TrailingZeros64(^best.done)
	for rest := c.start[lowest] &^ best.done; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros64(rest); i < c.must && c.after[i]&^best.done == 0 {
			stuck = append(stuck, uint8(i))
		}
	}
	fmt.Fprintf(&b, "\n\tnot now: %s", orNothing(c.texts(h, stuck), "nothing"))
	ops := make([]Op[I, O], 0, c.n)
	for _, i := range c.order[:c.n] {
		ops = append(ops, h[i])
	}
	b.WriteString(c.spec.draw(ops))
	return errors.New(b.String())
}

// texts returns the texts of the operations with the given numbers.
func (c *Checker[S, I, O]) texts(h []Op[I, O], numbers []uint8) string {
	var all []string
	for _, i := range numbers {
		all = append(all, c.spec.text(&h[c.order[i]]))
	}
	return strings.Join(all, ", ")
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func orNothing(s, nothing string) string {
	if s == "" {
		return nothing
	}
	return s
}
