package counter

import (
	"fmt"
	"strconv"

	"example.com/custody/internal/phrase"
)

// This file has the texts that %v prints of the containers. They have the number, which is read
// atomically, unless a job changes it.

// String returns the type and name of the counter, its count as [Counter.Value] gives it unless a
// job changes it, and the jobs that hold it; see safety.Guard.Text. Any goroutine may call it at
// any time, and it is never a violation.
func (c *Counter) String() string {
	if c == nil {
		return "<nil>"
	}
	return c.guard.Text(c, func() string { return strconv.FormatInt(c.sum(), 10) })
}

// String returns the sum and the jobs that hold it, in all else as [Counter.String].
func (s *Sum[T]) String() string {
	if s == nil {
		return "<nil>"
	}
	return s.guard.Text(s, func() string { return fmt.Sprint(decode[T](s.word.Load())) })
}

// String returns the smallest number, or that none was observed, and the jobs that hold the Min. In
// all else it is as [Counter.String].
func (m *Min[T]) String() string { return m.of().text(m) }

// String returns the largest number, in all else as [Min.String].
func (m *Max[T]) String() string { return m.of().text(m) }

// text returns the text of owner, the Min or Max of e.
func (e *extremum[T]) text(owner any) string {
	if e == nil {
		return "<nil>"
	}
	return e.guard.Text(owner, func() string {
		if v, ok := e.value(); ok {
			return fmt.Sprint(v)
		}
		return "nothing observed"
	})
}

// String returns the number of bins, their [Histogram.Total], and the jobs that hold the histogram.
// In all else it is as [Counter.String].
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
