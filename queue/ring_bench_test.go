package queue_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"example.com/custody/queue"
)

// item64 is an item of a cache line.
type item64 = [8]int64

func flow[T any](b *testing.B, producers, consumers int, put func(T), take func() T) {
	const n = 1 << 18
	var v T
	for b.Loop() {
		var wg sync.WaitGroup
		for range producers {
			wg.Go(func() {
				for range n / producers {
					put(v)
				}
			})
		}
		for range consumers {
			wg.Go(func() {
				for range n / consumers {
					take()
				}
			})
		}
		wg.Wait()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/item")
	b.ReportMetric(0, "ns/op")
}

func both[T any](b *testing.B, name string) {
	ctx := context.Background()
	for _, s := range [][2]int{{4, 4}, {4, 1}, {1, 1}} {
		b.Run(fmt.Sprintf("%s/%dto%d/chan", name, s[0], s[1]), func(b *testing.B) {
			c := make(chan T, 1024)
			flow(b, s[0], s[1], func(v T) { c <- v }, func() T { return <-c })
		})
		b.Run(fmt.Sprintf("%s/%dto%d/ring", name, s[0], s[1]), func(b *testing.B) {
			r := queue.NewRing[T](1024)
			flow(b, s[0], s[1], func(v T) { r.Enqueue(ctx, v) }, func() T { v, _ := r.Dequeue(ctx); return v })
		})
	}
}

func BenchmarkRing(b *testing.B) {
	both[int](b, "int")
	both[item64](b, "64B")
}

func BenchmarkBatch(b *testing.B) {
	b.Run("chan", func(b *testing.B) {
		c := make(chan []int, 16)
		free := make(chan []int, 32)
		for range 32 {
			free <- make([]int, 64)
		}
		const n = 1 << 18 / 64
		for b.Loop() {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					for range n / 4 {
						s := <-free
						for i := range s {
							s[i] = i
						}
						c <- s
					}
				})
				wg.Go(func() {
					for range n / 4 {
						s := <-c
						free <- s
					}
				})
			}
			wg.Wait()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<18), "ns/item")
	})
	b.Run("ring", func(b *testing.B) {
		r := queue.NewRing[int](1024)
		const n = 1 << 18 / 64
		for b.Loop() {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					s := make([]int, 64)
					for range n / 4 {
						for i := range s {
							s[i] = i
						}
						for q := s; len(q) > 0; {
							k := r.EnqueueAll(q)
							q = q[k:]
							if k == 0 {
								r.Enqueue(context.Background(), q[0])
								q = q[1:]
							}
						}
					}
				})
				wg.Go(func() {
					s := make([]int, 64)
					for left := 64 * n / 4; left > 0; {
						k := r.DequeueInto(s[:min(64, left)])
						left -= k
						if k == 0 {
							r.Dequeue(context.Background())
							left--
						}
					}
				})
			}
			wg.Wait()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<18), "ns/item")
	})
}

func BenchmarkPingPong(b *testing.B) {
	ctx := context.Background()
	b.Run("chan", func(b *testing.B) {
		x, y := make(chan int, 1), make(chan int, 1)
		go func() {
			for v := range x {
				y <- v
			}
			close(y)
		}()
		for b.Loop() {
			x <- 1
			<-y
		}
		close(x)
	})
	b.Run("ring", func(b *testing.B) {
		x, y := queue.NewRing[int](1), queue.NewRing[int](1)
		stop, cancel := context.WithCancel(ctx)
		_ = stop
		go func() {
			for {
				v, err := x.Dequeue(ctx)
				if err != nil || v < 0 {
					return
				}
				y.Enqueue(ctx, v)
			}
		}()
		for b.Loop() {
			x.Enqueue(ctx, 1)
			y.Dequeue(ctx)
		}
		x.Enqueue(ctx, -1)
		cancel()
	})
	b.Run("pair", func(b *testing.B) {
		x := queue.NewRing[int](1024)
		for b.Loop() {
			x.TryEnqueue(1)
			x.TryDequeue()
		}
	})
}
