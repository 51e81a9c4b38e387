package lawtest

import "example.com/custody/safety"

// ClaimOf returns what the view claims.
func ClaimOf(v safety.View) safety.Claim {
	var t safety.Ticket
	t.Reset("job", 0)
	t.ClaimOf(safety.FieldOf(v, ""))
	return *t.Claimed(0)
}

// Held runs a job that holds a view while meanwhile runs. The job has two batches and the given
// number of workers. Held returns the violation that refuses the job, or nil. It starts no
// goroutine, so the explorer can drive it.
func Held(view safety.View, workers int, meanwhile func()) error {
	t := new(safety.Ticket)
	t.Reset("job", 0)
	t.ClaimOf(safety.FieldOf(view, ""))
	if v := t.Open(safety.CurrentScope(), 0, true); v != nil {
		return v
	}
	t.Start(safety.Phase{Workers: workers, N: 2, Batches: 2, BatchSize: 1})
	meanwhile()
	t.Seal(2, false, func(n int, f func(int)) {
		for i := range n {
			f(i)
		}
	})
	t.Return()
	return nil
}
