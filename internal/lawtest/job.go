package lawtest

import "example.com/custody/safety"

// Held has a job of so many workers and of two batches hold a view, and does something meanwhile; then the job gives it
// back. It returns the violation that refuses the job, or nil. It starts no goroutine, so the explorer can drive it.
func Held(view safety.View, workers int, meanwhile func()) error {
	t := new(safety.Ticket)
	t.Reset("job", 0)
	t.ClaimOf(view, "")
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
