// Dedupe removes the lines of a list that occurred before. A loop adds each line to a hashmap.Map
// with its index, of which the first stays; the map keeps its keys in the order of the sequential
// loop.
package main

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// note adds a line.
type note struct {
	Lines array.Reader[string]
	First hashmap.ParallelWriter[string, int]
}

func (n *note) Execute(i int) { n.First.Add(n.Lines.At(i), i) }

// unique returns the lines without repetitions, each with the index where it occurs first.
func unique(lines []string) *hashmap.Map[string, int] {
	first := hashmap.New[string, int](safety.Named("first"))
	parallelfor.For(len(lines), note{
		Lines: array.Of(lines, safety.Named("lines")).Reader(),
		First: first.ParallelWriter(),
	}, (*note).Execute)
	return first
}

func main() {
	var lines []string
	for i := range 10_000 {
		lines = append(lines, fmt.Sprintf("host-%d", i*i%11))
	}
	first := unique(lines)
	fmt.Println(len(lines), "lines,", first.Len(), "different")
	for line, index := range first.All() {
		fmt.Println(index, line)
	}
}
