// Events has the bodies of a loop raise events in a queue.Queue, which the owner handles after the
// loop, in the order in which the sequential loop would have raised them.
package main

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

type ball struct{ x, speed float64 }

// bounce is the event that a ball has hit a wall.
type bounce struct {
	ball int
	wall string
}

// move moves the balls between two walls, at 0 and at 1.
type move struct {
	Balls   array.Writer[ball]
	Bounces queue.ParallelWriter[bounce]
	Seconds float64
}

func (m *move) Execute(i int) {
	b := m.Balls.Ptr(i)
	b.x += b.speed * m.Seconds
	switch {
	case b.x < 0:
		b.x, b.speed = -b.x, -b.speed
		m.Bounces.Enqueue(bounce{ball: i, wall: "left"})
	case b.x > 1:
		b.x, b.speed = 2-b.x, -b.speed
		m.Bounces.Enqueue(bounce{ball: i, wall: "right"})
	}
}

func main() {
	balls := array.New[ball](1000, safety.Named("balls"))
	for i := range balls.Len() {
		balls.Set(i, ball{x: 0.5, speed: float64(i-500) / 500})
	}
	bounces := queue.New[bounce](safety.Named("bounces"))
	for frame := range 3 {
		parallelfor.For(balls.Len(), move{
			Balls:   balls.Writer(),
			Bounces: bounces.ParallelWriter(),
			Seconds: 0.6,
		}, (*move).Execute)
		fmt.Printf("frame %d: %d bounces\n", frame, bounces.Len())
		if e, ok := bounces.TryDequeue(); ok {
			fmt.Println("the first is ball", e.ball, "at the", e.wall, "wall")
		}
		for events := range bounces.Drain() { // the rest, segment by segment
			for _, e := range events {
				balls.Slice()[e.ball].speed *= 0.9
			}
		}
	}
}
