package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// The costs of two functions over the same views are two: a cheap loop does not make a dear one run alone, whatever
// they capture.
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
