// Workers hands items from a producer to several consumers through a queue.Ring. The ring is
// bounded: the producer waits while the consumers are behind. A counter.Counter is shared by all.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"example.com/custody/counter"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// produce puts the numbers below n into the ring, then closes it.
func produce(ctx context.Context, ring *queue.Ring[int], n int) error {
	defer ring.Close()
	for i := range n {
		if err := ring.Enqueue(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// consume takes numbers until the ring is closed and empty, and counts the primes.
func consume(ctx context.Context, ring *queue.Ring[int], primes *counter.Counter) error {
	for {
		n, err := ring.Dequeue(ctx)
		switch {
		case errors.Is(err, queue.ErrClosed):
			return nil
		case err != nil:
			return err
		case prime(n):
			primes.Inc()
		}
	}
}

func prime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n >= 2
}

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	ring := queue.NewRing[int](64, safety.Named("numbers"))
	primes := counter.New(safety.Named("primes"))
	var all sync.WaitGroup
	start := func(stage func() error) {
		all.Go(func() {
			if err := stage(); err != nil {
				cancel(err) // ends the waits of the other goroutines
			}
		})
	}
	start(func() error { return produce(ctx, ring, 100_000) })
	for range 4 {
		start(func() error { return consume(ctx, ring, primes) })
	}
	all.Wait()
	fmt.Println(primes.Value(), "primes, error:", context.Cause(ctx))
}
