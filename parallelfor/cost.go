package parallelfor

import (
	"time"

	"example.com/custody/internal/atom"
)

// cost remembers what an index of a type of job has cost.
type cost struct {
	perIndex atom.HiddenInt64 // in 1/1024 ns; 0 when it is not known
}

// sample says when a job is timed next. Timing costs as much as some hundred cheap indices, so a type whose
// cost stays about the same is timed seldom.
type sample struct {
	wait, every int
}

const sampleSeldom = 64

// begin returns when the job began, when it is to be timed.
func (s *sample) begin() (t time.Time) {
	if atom.Explored { // a decision by the clock could not be repeated
		return t
	}
	if s.wait > 0 {
		s.wait--
		return t
	}
	return time.Now()
}

// end notes what n indices have cost that workers executed since then.
func (s *sample) end(c *cost, began time.Time, n, workers int) {
	if began.IsZero() || n == 0 {
		return
	}
	now := time.Since(began).Nanoseconds() * 1024 * int64(workers) / int64(n)
	before := c.perIndex.Load()
	if now/2 <= before && before <= 2*now {
		s.every = min(2*s.every+1, sampleSeldom)
	} else {
		s.every = 0
	}
	s.wait = s.every
	if now < before {
		now = (3*before + now) / 4 // a loop that was dear once may be so again
	}
	c.perIndex.Store(max(now, 1))
}

// of returns what n indices will probably cost, and whether that is known.
func (c *cost) of(n int) (d time.Duration, known bool) {
	p := c.perIndex.Load()
	return time.Duration(p * int64(n) / 1024), p != 0
}
