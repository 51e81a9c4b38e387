package groups

import (
	"fmt"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/queue"
)

// endless compares queues without a bound. The bar is for many goroutines at both ends.
func endless[T any](r *rows.Run, kind string, bar float64, item func(int) T, key func(T) int64) {
	q := queue.New[T]()
	all, end := unbound[T]()
	defer end()
	for _, c := range []struct {
		producers, consumers int
		who                  string
	}{{4, 4, "goroutines"}, {1, 1, "goroutine"}, {4, 1, "goroutines"}} {
		sides := []measure.Side{pass(ours, c.producers, c.consumers, item, key, func() pipe[T] { return tried(q.Enqueue, q.TryDequeue) })}
		var peers []string
		for _, p := range all {
			if !p.one || c.consumers == 1 {
				sides = append(sides, pass(p.name, c.producers, c.consumers, item, key, func() pipe[T] { return p.pipe }))
				peers = append(peers, p.name)
			}
		}
		s := r.Compare(fmt.Sprintf("%d to %d %s, %s, no bound", c.producers, c.consumers, c.who, kind), passed, nil, sides...)
		if c.consumers == 1 {
			bar = 0
		}
		s.AtMostOf(bar, s.Best(peers...))
	}
}
