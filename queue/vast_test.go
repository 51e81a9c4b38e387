package queue_test

import (
	"testing"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// Items without a size are as many as memory can note to be there, and no more.
func TestNoLengthOverflows(t *testing.T) {
	type nothing = struct{}
	x := safety.Named("x")
	of := lawtest.Nothings
	filled := func() *queue.Queue[nothing] {
		q := queue.New[nothing](x)
		q.EnqueueAll(of(5))
		return q
	}
	lawtest.Vast(t, map[string]func(n int){
		"NewRing":              func(n int) { queue.NewRing[nothing](n, x) },
		"NewRing, bytes":       func(n int) { queue.NewRing[byte](n, x) },
		"NewSPSC":              func(n int) { queue.NewSPSC[nothing](n, x) },
		"Queue.EnqueueAll":     func(n int) { filled().EnqueueAll(of(n)) },
		"Queue.DequeueInto":    func(n int) { filled().DequeueInto(of(n)) },
		"Ring.EnqueueAll":      func(n int) { queue.NewRing[nothing](5, x).EnqueueAll(of(n)) },
		"Ring.DequeueInto":     func(n int) { queue.NewRing[nothing](5, x).DequeueInto(of(n)) },
		"Producer.EnqueueAll":  func(n int) { queue.NewSPSC[nothing](5, x).Producer().EnqueueAll(of(n)) },
		"Producer.Reserve":     func(n int) { queue.NewSPSC[nothing](5, x).Producer().Reserve(n) },
		"Consumer.DequeueInto": func(n int) { queue.NewSPSC[nothing](5, x).Consumer().DequeueInto(of(n)) },
		"ParallelWriter": func(n int) {
			parallelfor.For(2, filled().ParallelWriter(), func(w *queue.ParallelWriter[nothing], _ int) { w.EnqueueAll(of(n)) },
				parallelfor.Batch(1), parallelfor.Workers(2))
		},
	})
	all := of(lawtest.MostOf[nothing](0))
	lawtest.TooLong(t, map[string]func(){
		"ParallelWriter": func() {
			parallelfor.For(2, filled().ParallelWriter(), func(w *queue.ParallelWriter[nothing], _ int) { w.EnqueueAll(all) },
				parallelfor.Batch(1), parallelfor.Workers(2))
		},
		"EnqueueAll": func() { filled().EnqueueAll(all) },
	})
}
