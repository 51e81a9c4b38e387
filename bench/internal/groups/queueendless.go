package groups

import (
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/queue"
)

// listed is a slice under a lock, as one writes it by hand. It says false when it has no item.
type listed[T any] struct {
	mu   sync.Mutex
	list []T
}

func (l *listed[T]) put(v T) bool {
	l.mu.Lock()
	l.list = append(l.list, v)
	l.mu.Unlock()
	return true
}

func (l *listed[T]) take() (v T, ok bool) {
	l.mu.Lock()
	if ok = len(l.list) > 0; ok {
		v, l.list = l.list[0], l.list[1:]
	}
	l.mu.Unlock()
	return v, ok
}

// unbound are the peers without a bound for any number of goroutines, by name: pipes that do not wait.
func unbound[T any]() (names []string, pipes []pipe[T]) {
	l := &listed[T]{}
	names, pipes = []string{"slice under a lock"}, []pipe[T]{tried(l.put, l.take)}
	if p, ok := any(numbers()).(pipe[T]); ok {
		names, pipes = append(names, "lscq.Uint64Queue"), append(pipes, p)
	}
	return names, pipes
}

// endless compares queues without a bound.
func endless[T any](r *rows.Run, kind string, bar float64, item func(int) T, key func(T) int64) {
	q := queue.New[T]()
	own := func() pipe[T] { return tried(q.Enqueue, q.TryDequeue) }
	sides := []measure.Side{pass(ours, 4, 4, item, key, own)}
	peers, pipes := unbound[T]()
	for k, name := range peers {
		sides = append(sides, pass(name, 4, 4, item, key, func() pipe[T] { return pipes[k] }))
	}
	c := r.Compare("4 to 4 goroutines, "+kind+", no bound", passed, nil, sides...)
	c.AtMostOf(bar, c.Best(peers...))
	sides = []measure.Side{pass(ours, 1, 1, item, key, own)}
	for k, name := range peers {
		sides = append(sides, pass(name, 1, 1, item, key, func() pipe[T] { return pipes[k] }))
	}
	u := xsync.NewUMPSCQueue[T]()
	single := func(producers int) measure.Side {
		return pass("xsync.UMPSCQueue", producers, 1, item, key, func() pipe[T] { return pipe[T]{u.Enqueue, u.Dequeue} })
	}
	c = r.Compare("1 to 1 goroutine, "+kind+", no bound", passed, nil, append(sides, single(1))...)
	c.AtMostOf(0, c.Best(append(peers, "xsync.UMPSCQueue")...))
	c = r.Compare("4 to 1 goroutines, "+kind+", no bound", passed, nil, pass(ours, 4, 1, item, key, own), single(4))
	c.AtMostOf(0, "xsync.UMPSCQueue")
}
