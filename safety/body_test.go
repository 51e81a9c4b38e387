package safety_test

import (
	"testing"

	"example.com/custody/safety"
)

// body is a job in whose cell a test is.
type body struct {
	job   *safety.Ticket
	lease *safety.Lease
	views []*stackView
}

// enter opens a job with these views and a worker of it.
func enter(t testing.TB, job string, views ...stackView) *body {
	t.Helper()
	b := &body{lease: safety.NewLease()}
	var claims []safety.Claim
	for i := range views {
		b.views = append(b.views, &views[i])
		claims = append(claims, held(&views[i], "Outer"))
	}
	b.job = opened(t, job, nil, claims...)
	b.job.Start(safety.Phase{Workers: 1, N: 1, Cells: 1, Batch: 1})
	b.lease.Open(b.job, 0, true)
	for i, v := range b.views {
		v.Bind(safety.NewBinding(b.lease, i, v))
	}
	return b
}

// do runs f in the cell.
func (b *body) do(f func()) { b.lease.Do(runner(f)) }

// next moves on to the next cell.
func (b *body) next() {
	var accesses []*safety.Hold
	for _, v := range b.views {
		accesses = append(accesses, &v.Hold)
	}
	b.lease.Next(accesses, 0)
}

// leave ends the job and returns custody.
func (b *body) leave() {
	b.lease.Close()
	b.lease.Discard()
	b.job.Seal(1, false, inline)
	b.job.Return()
}
