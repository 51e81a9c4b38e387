package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
)

// ranBatches is a job that notes which worker ran which index.
type ranCells struct {
	Who parallelfor.Worker
	Ran array.Writer[int]
}

func (r *ranCells) Execute(i int) { r.Ran.Set(i, r.Who.Index()) }

// workersOf returns how many workers ran batches of a short loop.
func workersOf() int {
	ran := array.New[int](8)
	parallelfor.For(8, ranCells{Ran: ran.Writer()}, (*ranCells).Execute, parallelfor.Batch(1), parallelfor.Workers(4))
	seen := map[int]bool{}
	for _, w := range ran.All() {
		seen[w] = true
	}
	return len(seen)
}

func TestHandOutGivesEveryWorkerCells(t *testing.T) {
	for seed := range uint64(20) {
		stop := fuzz.HandOut(seed)
		n := workersOf()
		stop()
		require.GreaterOrEqual(t, n, 2, "seed %d", seed)
	}
}

// A loop so short that the caller would run it alone.
func ExampleHandOut() {
	stop := fuzz.HandOut(1)
	defer stop()
	fmt.Println(workersOf() > 1)
	// Output: true
}
