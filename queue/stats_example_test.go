package queue_test

import (
	"fmt"

	"example.com/custody/queue"
)

// What is in a queue, and what a ring has room for.
func ExampleQueue_Stats() {
	q, r := queue.New[int](), queue.NewRing[int](8)
	q.EnqueueAll([]int{1, 2, 3})
	r.TryEnqueue(1)
	fmt.Println(q.Stats().Len, q.Stats().Segments, r.Stats().Len, r.Stats().Cap)
	fmt.Println(q, r)
	// Output:
	// 3 1 1 8
	// queue.Queue[int]: 3 items queue.Ring[int]: 1 item of 8
}

// What is between two goroutines, from anywhere.
func ExampleSPSC_Stats() {
	q := queue.NewSPSC[int](8)
	q.Producer().EnqueueAll([]int{1, 2, 3})
	q.Consumer().TryDequeue()
	fmt.Printf("%+v\n", q.Stats())
	// Output: {Len:2 Cap:8 Segments:1}
}
