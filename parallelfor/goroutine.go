package parallelfor

import (
	"context"

	"example.com/custody/internal/callsite"
	"example.com/custody/internal/origin"
)

// goers is the pool of jobs that may block. It starts a worker goroutine for each, without a bound,
// and keeps them for later jobs. So it has as many as there ever were such jobs at a time.
var goers = NewPool(1 << 30)

// Go runs body(v) on a goroutine of its own and returns at once, where v points to a copy of views.
// It is a go statement whose goroutine holds custody of the claims of views until the handle is
// completed. The body may block, on channels, locks and the network: it takes no worker from other
// jobs. For work that only computes, [Do] and [ScheduleDo] are cheaper.
//
// [After], [Name] and contexts are as for any job; [On], [Workers] and [Batch] have no effect.
// Completing the handle early may run a body that has not begun on the goroutine that completes.
// [Handle.Complete] reports a panic and a violation of the body. A nil body is a violation. Cost:
// as a scheduled job, and a wake-up or a new goroutine.
func Go[V any](views V, body func(v *V), opts ...Option) Handle {
	return build(context.Background(), 1, &views, once[V](body), about{origin.Code(body), "do", jobUnit}, ownGoroutine(opts), scheduled, siteOf(opts, callsite.Return())).handOut()
}

// GoErr is [Go] for bodies that can fail; [Handle.Err] returns the error. If ctx ends before the
// body has begun, the body does not run. A body that has begun must look at ctx, or at
// [Worker.Context], itself.
func GoErr[V any](ctx context.Context, views V, body func(v *V) error, opts ...Option) Handle {
	return build(ctx, 1, &views, onceErr[V](body), about{origin.Code(body), "do", jobUnit}, ownGoroutine(opts), scheduled, siteOf(opts, callsite.Return())).handOut()
}

// ownGoroutine adds to the options that the job runs on goers.
func ownGoroutine(opts []Option) []Option {
	return append(opts[:len(opts):len(opts)], On(goers))
}
