// Maze finds the length of the shortest way through a maze by breadth-first search. Each round
// reads one frontier and appends the next one: the two lists of an array.DoubleList change places.
package main

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

const size = 201 // cells along each edge

// look appends the neighbours of the frontier that have no distance yet.
type look struct {
	Frontier array.Reader[int]
	Distance array.Reader[int] // -1: unknown, -2: a wall
	Next     array.ParallelWriter[int]
}

func (l *look) Execute(i int) {
	at := l.Frontier.At(i)
	for _, to := range [4]int{at - size, at - 1, at + 1, at + size} {
		if l.Distance.At(to) == -1 {
			l.Next.Append(to)
		}
	}
}

// search returns the number of steps from start to goal, or -1, and the number of rounds.
func search(distance *array.Array[int], start, goal int) (steps, rounds int) {
	frontier := array.NewDoubleList[int](safety.Named("frontier"))
	frontier.Front().Append(start)
	distance.Set(start, 0)
	for ; distance.At(goal) == -1 && frontier.Front().Len() > 0; rounds++ {
		frontier.Back().Clear()
		parallelfor.For(frontier.Front().Len(), look{
			Frontier: frontier.Front().Reader(),
			Distance: distance.Reader(),
			Next:     frontier.Back().ParallelWriter(),
		}, (*look).Execute)
		frontier.Swap()
		kept := 0
		for _, at := range frontier.Front().All() { // a cell with two neighbours was appended twice
			if distance.At(at) == -1 {
				distance.Set(at, rounds+1)
				frontier.Front().Slice()[kept] = at
				kept++
			}
		}
		frontier.Front().Resize(kept)
	}
	return distance.At(goal), rounds
}

func main() {
	distance := array.New[int](size*size, safety.Named("distance"))
	for i := range distance.Len() {
		x, y := i%size, i/size
		distance.Set(i, -1)
		if x%(size-1) == 0 || y%(size-1) == 0 || x%4 == 0 && (x+y)%32 != 1 {
			distance.Set(i, -2)
		}
	}
	steps, rounds := search(distance, size+1, size*size-size-2)
	fmt.Println(steps, "steps,", rounds, "rounds")
}
