package index

import (
	"context"
	"sync/atomic"
	"time"

	"example.com/custody/parallelfor"
)

// Plan says which loops run, how, and how often.
type Plan struct {
	Workers int // of the parallel loop, above the number of processors too
	Batch   int // files that are handed out together; 0 is automatic
	Repeat  int // how often each loop runs
	// SequentialOnly leaves the parallel loop away.
	SequentialOnly bool
}

// Measured is what the loops counted and how long each pass took. Of a loop that did not run there is
// no result and no time.
type Measured struct {
	Sequential, Parallel           *Result // of the last passes
	SequentialTimes, ParallelTimes Times
}

// Measure runs the loops in turns, so that what slows the machine down for a while slows both down. It
// adds each file that was read to done, and ends early only when ctx does.
func Measure(ctx context.Context, t *Tree, p Plan, done *atomic.Int64) (*Measured, error) {
	m := new(Measured)
	for range p.Repeat {
		if !p.SequentialOnly {
			began := time.Now()
			r, err := Parallel(ctx, t, done, parallelfor.Workers(p.Workers), parallelfor.Batch(p.Batch))
			if err != nil {
				return nil, err
			}
			m.ParallelTimes = append(m.ParallelTimes, time.Since(began))
			m.Parallel = r
		}
		began := time.Now()
		r, err := Sequential(ctx, t, done)
		if err != nil {
			return nil, err
		}
		m.SequentialTimes = append(m.SequentialTimes, time.Since(began))
		m.Sequential = r
	}
	return m, nil
}

// Result returns the parallel loop's result, or the sequential one's if only that ran.
func (m *Measured) Result() *Result {
	if m.Parallel != nil {
		return m.Parallel
	}
	return m.Sequential
}

// Verify returns nil if both loops counted the same and their sums are those of their files.
func (m *Measured) Verify(t *Tree) error {
	if err := Same(t, m.Sequential, m.Parallel); err != nil {
		return err
	}
	return Consistent(t, m.Parallel)
}
