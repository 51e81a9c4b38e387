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
	fmt.Println(q.Stats().Len, q.Stats().Segments, r.Len(), r.Cap())
	fmt.Println(q, r)
	// Output:
	// 3 1 1 8
	// queue.Queue[int]: 3 items queue.Ring[int]: 1 item of 8
}
