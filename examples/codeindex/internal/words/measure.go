package words

import (
	"context"
	"sync/atomic"
	"time"

	"example.com/custody/examples/codeindex/internal/index"
	"example.com/custody/parallelfor"
)

// Measured is what the loops made and how long each pass took. Of a loop that did not run there is no index and no
// time.
type Measured struct {
	Sequential, Parallel           *Index // of the last passes
	SequentialTimes, ParallelTimes index.Times
}

// Measure runs the loops in turns, as [index.Measure] does.
func Measure(ctx context.Context, t *index.Tree, p index.Plan, done *atomic.Int64) (*Measured, error) {
	m := new(Measured)
	for range p.Repeat {
		var err error
		m.Sequential, m.Parallel = nil, nil // so that only one of each is in memory
		if !p.SequentialOnly {
			began := time.Now()
			if m.Parallel, err = Make(ctx, t, p, done); err != nil {
				return nil, err
			}
			m.ParallelTimes = append(m.ParallelTimes, time.Since(began))
		}
		began := time.Now()
		if m.Sequential, err = Sequential(ctx, t, done); err != nil {
			return nil, err
		}
		m.SequentialTimes = append(m.SequentialTimes, time.Since(began))
	}
	return m, nil
}

// Make runs the one loop that a plan asks for.
func Make(ctx context.Context, t *index.Tree, p index.Plan, done *atomic.Int64) (*Index, error) {
	if p.SequentialOnly {
		return Sequential(ctx, t, done)
	}
	return Parallel(ctx, t, done, parallelfor.Workers(p.Workers), parallelfor.Batch(p.Batch))
}

// Index returns the parallel loop's index, or the sequential one's if only that ran.
func (m *Measured) Index() *Index {
	if m.Parallel != nil {
		return m.Parallel
	}
	return m.Sequential
}
