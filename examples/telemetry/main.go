// Telemetry hands samples from the one goroutine that takes them to the one that averages them,
// through a queue.SPSC. Its two ends are values of their own: each goroutine has one.
package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"example.com/custody/queue"
	"example.com/custody/safety"
)

// sample takes n samples. Enqueue waits while the queue is full.
func sample(to *queue.Producer[float64], n int) error {
	for i := range n {
		if err := to.Enqueue(context.Background(), 20+5*math.Sin(float64(i)/100)); err != nil {
			return err
		}
	}
	return nil
}

// average prints the mean of each 1000 samples until the queue is closed and empty.
func average(from *queue.Consumer[float64]) error {
	batch := make([]float64, 0, 1000)
	for {
		v, err := from.Dequeue(context.Background()) // waits for a sample
		if errors.Is(err, queue.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		batch = append(batch, v)
		room := batch[len(batch):cap(batch)]
		batch = batch[:len(batch)+from.DequeueInto(room)] // those that are there, at once
		if len(batch) < cap(batch) {
			continue
		}
		sum := 0.0
		for _, v := range batch {
			sum += v
		}
		fmt.Printf("mean %.3f\n", sum/float64(len(batch)))
		batch = batch[:0]
	}
}

func main() {
	samples := queue.NewSPSC[float64](256, safety.Named("samples"))
	failed := make(chan error, 1)
	go func() {
		defer samples.Close()
		failed <- sample(samples.Producer(), 5000)
	}()
	fmt.Println("errors:", average(samples.Consumer()), <-failed)
}
