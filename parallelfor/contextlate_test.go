package parallelfor_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Context returns a context that has ended once the loop's context has ended, even if the function
// that ends the contexts in the list has not run yet (X2).
func TestTheContextOfABatchHasEndedWhenTheLoopsHas(t *testing.T) {
	watchdog(t)
	for _, before := range []bool{false, true} {
		for range rounds(50) {
			cause := errors.New("enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			err := parallelfor.DoErr(ctx, parallelfor.Worker{}, func(w *parallelfor.Worker) error {
				if before {
					require.NoError(t, w.Context().Err())
				}
				cancel(cause)
				require.Equal(t, context.Canceled, w.Context().Err())
				return context.Cause(w.Context())
			})
			require.Equal(t, cause, err)
		}
	}
}

// A batch that asks for its context after a lower one has failed, or stopped the loop, gets a
// context that has ended.
func TestABatchThatAsksTooLateFindsItsContextEnded(t *testing.T) {
	watchdog(t)
	for _, boom := range []error{errors.New("boom"), nil} {
		all := newBarrier(3)
		told := make(chan struct{})
		at, err := parallelfor.FindErr(t.Context(), 3, parallelfor.Worker{}, func(w *parallelfor.Worker, i int) (bool, error) {
			var ctx context.Context
			if i == 1 {
				ctx = w.Context()
			}
			require.True(t, all.wait())
			switch i {
			case 0:
				return true, boom
			case 1:
				<-ctx.Done()
				close(told)
			default:
				<-told
				want := boom
				if boom == nil {
					want = context.Canceled
				}
				require.Equal(t, want, context.Cause(w.Context()))
			}
			return false, nil
		}, parallelfor.Batch(1), parallelfor.Workers(3))
		require.Equal(t, boom, err)
		if boom == nil {
			require.Zero(t, at)
		}
	}
}

// briefKind is a wrong kind: its loop asks for one batch and returns, and asks for none when it is
// called again.
type briefKind struct{}

type briefJob struct {
	Worker parallelfor.Worker
	Calls  *int                   `custody:"unguarded"`
	Kept   chan<- context.Context `custody:"unguarded"`
}

func (briefKind) PerIndex() bool { return false }
func (briefKind) Loop(j *briefJob, r *parallelfor.Batches) error {
	if *j.Calls++; *j.Calls == 1 && r.Next() {
		j.Kept <- j.Worker.Context()
	}
	return nil
}

// The context of a batch ends with its worker's job, also if the loop of a kind does not ask for
// another batch.
func TestTheContextOfABatchThatAKindLeavesEnds(t *testing.T) {
	kept := make(chan context.Context, 1)
	violation(t, safety.ErrArgument, func() {
		_ = parallelfor.RunKind(t.Context(), 4, briefJob{Calls: new(int), Kept: kept}, briefKind{}, parallelfor.Workers(1), parallelfor.Batch(1))
	})
	require.Equal(t, context.Canceled, (<-kept).Err())
}
