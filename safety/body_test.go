package safety_test

import (
	"testing"

	"example.com/custody/safety"
)

// body is a job in whose batch a test is.
type body struct {
	job   *safety.Ticket
	scope *safety.Scope
	views []*stackView
}

// enter opens a job with these views and a worker of it.
func enter(t testing.TB, job string, views ...stackView) *body {
	t.Helper()
	b := &body{scope: safety.NewScope()}
	var claims []safety.Claim
	for i := range views {
		b.views = append(b.views, &views[i])
		claims = append(claims, held(&views[i], "Outer"))
	}
	b.job = opened(t, job, nil, claims...)
	b.job.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})
	b.scope.Open(b.job, 0, true)
	for i, v := range b.views {
		v.Bind(safety.NewBinding(b.scope, i, v))
	}
	return b
}

// do runs f in the batch.
func (b *body) do(f func()) { b.scope.Do(runner(f)) }

// next moves on to the next batch.
func (b *body) next() {
	var accesses []*safety.Hold
	for _, v := range b.views {
		accesses = append(accesses, &v.Hold)
	}
	b.scope.Next(accesses, 0)
}

// leave ends the job and returns custody.
func (b *body) leave() {
	b.scope.Close()
	b.scope.Discard()
	b.job.Seal(1, false, inline)
	b.job.Return()
}
