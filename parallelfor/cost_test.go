package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// The costs of two functions over the same views are two: a cheap loop does not make a dear one run
// alone, whatever they capture.
func TestCostsOfFunctionsAreKeptApart(t *testing.T) {
	if parallelfor.Raced {
		t.Skip("this engine does not look at costs")
	}
	sum, more := 0, 0
	cheap := func(v *struct{}, begin, end int) {}
	dear := func(v *struct{}, begin, end int) { sum += begin }
	a, b := parallelfor.CostKey(cheap), parallelfor.CostKey(dear)
	require.NotEqual(t, a, b)
	require.Equal(t, a, parallelfor.CostKey(cheap))
	require.Equal(t, parallelfor.CostKey(adding(&sum)), parallelfor.CostKey(adding(&more)), "one function, two closures")
}

//go:noinline
func adding(sum *int) func(v *struct{}, begin, end int) {
	return func(v *struct{}, begin, end int) { *sum += begin }
}

// sampledA and sampledB are types of jobs that no other test has.
type (
	sampledA struct{}
	sampledB struct{}
)

func (*sampledA) Execute(int) {}
func (*sampledB) Execute(int) {}

// When a job is timed next is a matter of its type, also where jobs of several types have the same
// memory one after the other.
func TestEachTypeOfJobIsTimedInItsTurn(t *testing.T) {
	if parallelfor.Raced || safety.Strict {
		t.Skip("memory is not used again")
	}
	pool := parallelfor.NewPool(1)
	defer pool.Close()
	busy, release := held(pool)
	first := parallelfor.Schedule(4, sampledA{}, (*sampledA).Execute, parallelfor.After(busy), parallelfor.On(pool))
	other := parallelfor.Schedule(4, sampledB{}, (*sampledB).Execute, parallelfor.After(busy), parallelfor.On(pool))
	parallelfor.SetSampled(first, 40)
	parallelfor.SetSampled(other, 20)
	close(release)
	parallelfor.Combine(first, other).Complete()
	for want := 38; want > 30; want-- {
		busy, release := held(pool)
		again := parallelfor.Schedule(4, sampledA{}, (*sampledA).Execute, parallelfor.After(busy), parallelfor.On(pool))
		other := parallelfor.Schedule(4, sampledB{}, (*sampledB).Execute, parallelfor.After(busy), parallelfor.On(pool))
		found := []int{parallelfor.Sampled(again), parallelfor.Sampled(other)}
		close(release)
		parallelfor.Combine(again, other).Complete()
		require.Equal(t, []int{want + 1, want - 19}, found)
	}
}
