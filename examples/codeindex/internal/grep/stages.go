package grep

import (
	"context"
	"sync"
)

// stages are goroutines that work on one thing: when one fails, the context of all ends.
type stages struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	all    sync.WaitGroup
	once   sync.Once
	err    error
}

// newStages returns stages that end with ctx at the latest.
func newStages(ctx context.Context) *stages {
	s := new(stages)
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	return s
}

// start runs a stage. Its error, if it is the first, is that of all, and the cause of their context's end.
func (s *stages) start(stage func(ctx context.Context) error) {
	s.all.Go(func() {
		if err := stage(s.ctx); err != nil {
			s.once.Do(func() { s.err = err })
			s.cancel(err)
		}
	})
}

// wait returns the first error when all stages have ended.
func (s *stages) wait() error {
	s.all.Wait()
	s.cancel(nil)
	return s.err
}
