package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// Hits are added to the row of their target, in the order of the sequential loop.
func ExampleStreamKeyedWriter() {
	hits := array.NewStream[string]()
	shots := []struct {
		by     string
		target int
	}{{"Ann", 2}, {"Bob", 0}, {"Cid", 2}, {"Dan", 2}}
	for range 2 { // frames
		hits.Clear()
		hits.Resize(3) // rows for the targets of this frame
		parallelfor.For(len(shots), hits.KeyedWriter(), func(w *array.StreamKeyedWriter[string], i int) {
			w.Add(shots[i].target, shots[i].by)
		})
	}
	for target, by := range hits.All() {
		fmt.Println(target, by)
	}
	// Output:
	// 0 [Bob]
	// 1 []
	// 2 [Ann Cid Dan]
}

// ByCell groups the numbers of particles by their cells.
type ByCell struct {
	Cells     array.Reader[uint16]
	Particles array.StreamKeyedWriter[int32]
}

func (j *ByCell) ExecuteBatch(begin, end int) {
	array.GroupIndices(&j.Particles, &j.Cells, begin, end)
}

// Where keys lie in an array, nothing is copied before the items are put into their rows.
func ExampleGroupIndices() {
	cells := array.Of([]uint16{2, 0, 1, 2, 0, 2})
	particles := array.NewStream[int32]()
	particles.Resize(3)
	parallelfor.ForBatch(cells.Len(), ByCell{cells.Reader(), particles.KeyedWriter()}, (*ByCell).ExecuteBatch)
	fmt.Println(particles.At(0), particles.At(1), particles.At(2))
	// Output: [1 4] [2] [0 3 5]
}

// Rows of known lengths are set in place, without another copy.
func ExampleStream_SetCounts() {
	steps := array.NewStream[int]()
	steps.SetCounts([]int{1, 3, 2})
	parallelfor.For(steps.Len(), steps.Writer(), func(w *array.StreamWriter[int], i int) {
		for k := range w.At(i) {
			w.At(i)[k] = 10*i + k
		}
	})
	fmt.Println(steps.At(0), steps.At(1), steps.At(2))
	// Output: [0] [10 11 12] [20 21]
}
