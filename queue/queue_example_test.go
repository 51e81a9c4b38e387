package queue_test

import (
	"context"
	"fmt"
	"sync"

	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

func ExampleQueue() {
	q := queue.New[string]()
	q.Enqueue("a")
	q.EnqueueAll([]string{"b", "c"})
	q.Close()
	for {
		v, err := q.Dequeue(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v)
	}
	// Output:
	// a
	// b
	// c
	// custody: queue closed
}

func ExampleRing() {
	work, results := queue.NewRing[int](4), queue.NewRing[int](4)
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			for {
				v, err := work.Dequeue(context.Background())
				if err != nil {
					return // closed, and empty
				}
				_ = results.Enqueue(context.Background(), v*v)
			}
		})
	}
	go func() {
		for i := range 10 {
			_ = work.Enqueue(context.Background(), i) // waits while there are four
		}
		work.Close()
		workers.Wait()
		results.Close()
	}()
	sum := 0
	for v, err := results.Dequeue(context.Background()); err == nil; v, err = results.Dequeue(context.Background()) {
		sum += v
	}
	fmt.Println(sum)
	// Output: 285
}

func ExampleParallelWriter() {
	q := queue.New[int]()
	parallelfor.For(20, q.ParallelWriter(), func(w *queue.ParallelWriter[int], i int) {
		if i%3 == 0 {
			w.Enqueue(i)
		}
	})
	for v := range q.All() {
		fmt.Print(v, " ")
	}
	// Output: 0 3 6 9 12 15 18
}

func ExampleReader() {
	r := queue.NewRing[int](8)
	r.EnqueueAll([]int{3, 1, 4, 1, 5})
	sum := parallelfor.Reduce(r.Len(), r.Reader(), func(v *queue.Reader[int], begin, end int) int {
		n := 0
		for i := begin; i < end; i++ {
			n += v.At(i)
		}
		return n
	}, func(a, b int) int { return a + b })
	fmt.Println(sum, r.Len())
	// Output: 14 5
}

func ExampleWriter() {
	q := queue.New[int]()
	q.EnqueueAll([]int{1, 2, 3})
	parallelfor.For(q.Len(), q.Writer(), func(w *queue.Writer[int], i int) { w.Set(i, 10*w.At(i)) })
	v, _ := q.TryDequeue()
	fmt.Println(v)
	// Output: 10
}

func ExampleShared() {
	q := queue.New[int]()
	q.EnqueueAll([]int{1, 2, 3, 4})
	parallelfor.For(4, q.Shared(), func(s *queue.Shared[int], _ int) {
		if v, ok := s.TryDequeue(); ok && v > 2 {
			s.Enqueue(-v)
		}
	}, parallelfor.Workers(1))
	fmt.Println(q.Len())
	// Output: 2
}

func ExampleRingShared() {
	free := queue.NewRing[int](2)
	free.EnqueueAll([]int{7, 8})
	parallelfor.For(100, free.Shared(), func(s *queue.RingShared[int], _ int) {
		if v, ok := s.TryDequeue(); ok {
			s.TryEnqueue(v)
		}
	})
	fmt.Println(free.Len())
	// Output: 2
}

func ExampleSPSC() {
	q := queue.NewSPSC[int](4)
	go func() {
		p := q.Producer()
		for i := range 6 {
			_ = p.Enqueue(context.Background(), i)
		}
		q.Close()
	}()
	c := q.Consumer()
	for v, err := c.Dequeue(context.Background()); err == nil; v, err = c.Dequeue(context.Background()) {
		fmt.Print(v, " ")
	}
	// Output: 0 1 2 3 4 5
}

func ExampleWindow() {
	q := queue.NewSPSC[[8]int64](8)
	p, c := q.Producer(), q.Consumer()
	free := p.Reserve(2)
	for i := range free.Len() {
		free.Ptr(i)[7] = int64(i)
	}
	p.Commit(free.Len())
	items := c.Look(8)
	fmt.Println(items.Len(), items.Ptr(1)[7])
	c.Release(1)
	fmt.Println(q.Len())
	// Output:
	// 2 1
	// 1
}

func ExampleProducer() {
	q := queue.NewSPSC[int](2)
	p := q.Producer()
	fmt.Println(p.TryEnqueue(1), p.TryEnqueue(2), p.TryEnqueue(3))
	// Output: true true false
}

func ExampleConsumer() {
	q := queue.NewSPSC[int](2)
	c := q.Consumer()
	_, ok := c.TryDequeue()
	fmt.Println(ok)
	q.Producer().TryEnqueue(1)
	v, ok := c.TryDequeue()
	fmt.Println(v, ok)
	// Output:
	// false
	// 1 true
}

// What a job has added is used where it lies.
func ExampleQueue_Drain() {
	q := queue.New[int]()
	q.EnqueueAll([]int{1, 2, 3})
	sum := 0
	for s := range q.Drain() {
		for _, v := range s {
			sum += v
		}
	}
	fmt.Println(sum, q.Len())
	// Output: 6 0
}

// A range over a queue waits for its items until the queue is closed, as over a channel.
func ExampleReceive() {
	q := queue.NewRing[string](4)
	go func() {
		for _, s := range []string{"a", "b", "c"} {
			_ = q.Enqueue(context.Background(), s)
		}
		q.Close()
	}()
	for s := range queue.Receive(context.Background(), q) {
		fmt.Println(s)
	}
	// Output:
	// a
	// b
	// c
}
