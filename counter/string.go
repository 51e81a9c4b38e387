package counter

import (
	"fmt"
	"strconv"

	"example.com/custody/internal/phrase"
)

// This file is what %v prints of a container: the number too, which is read atomically, while no job changes it.

// String says what the counter is now: its type and name, the count as [Counter.Value] gives it, unless a job changes it, and who holds it;
// see safety.Guard.Text. It may be called by any goroutine at any time and is never a violation.
func (c *Counter) String() string {
	if c == nil {
		return "<nil>"
	}
	return c.guard.Text(c, func() string { return strconv.FormatInt(c.sum(), 10) })
}

// String says what the sum is now, and who holds it. In all else it is as [Counter.String].
func (s *Sum[T]) String() string {
	if s == nil {
		return "<nil>"
	}
	return s.guard.Text(s, func() string { return fmt.Sprint(decode[T](s.word.Load())) })
}

// String says what the smallest number is now, or that none was observed, and who holds the container. In all else it is as [Counter.String].
func (m *Min[T]) String() string {
	if m == nil {
		return "<nil>"
	}
	return m.guard.Text(m, m.text)
}

// String says what the largest number is now. In all else it is as [Min.String].
func (m *Max[T]) String() string {
	if m == nil {
		return "<nil>"
	}
	return m.guard.Text(m, m.text)
}

func (e *extremum[T]) text() string {
	if v, ok := e.value(); ok {
		return fmt.Sprint(v)
	}
	return "nothing observed"
}

// String says how many bins the histogram has and what their sum is, as [Histogram.Total] gives it, and who holds it. In all else it is as
// [Counter.String].
//
// Cost: a load for each bin.
func (h *Histogram) String() string {
	if h == nil {
		return "<nil>"
	}
	return h.guard.Text(h, func() string {
		return phrase.Amount(len(h.bins), "bin") + ", total " + strconv.FormatInt(sumOf(h.bins), 10)
	})
}
