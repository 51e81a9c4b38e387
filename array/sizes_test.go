package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// Every function that takes a size refuses a size that is negative or beyond what memory can hold,
// for elements of several sizes.
func TestSizesThatThereCannotBe(t *testing.T) {
	x := safety.Named("x")
	a := array.New[int](3, x)
	list, wides := array.NewList[int](x), array.NewList[[1000]int](x)
	list.AppendAll([]int{1, 2, 3})
	stream := array.StreamOf([][]int{{1}, {2, 3}}, x)
	lawtest.Sizes(t, map[string]lawtest.Size{
		"New":                {Container: `array.Array[int] "x"`, Most: lawtest.MostOf[int](0), Do: func(n int) { array.New[int](n, x) }},
		"New, wide":          {Container: `array.Array[[1000]int] "x"`, Most: lawtest.MostOf[[1000]int](0), Do: func(n int) { array.New[[1000]int](n, x) }},
		"New, nothings":      {Container: `array.Array[struct {}] "x"`, Most: lawtest.MostOf[byte](0), Do: func(n int) { array.New[struct{}](n, x) }},
		"NewDouble":          {Container: `array.Array[string] "x"`, Most: lawtest.MostOf[string](0), Do: func(n int) { array.NewDouble[string](n, x) }},
		"Split":              {Container: `array.Array[int] "x"`, Least: 1, Most: lawtest.MostOf[array.Array[int]](0), Do: func(n int) { a.Split(n) }},
		"List.Resize":        {Container: `array.List[int] "x"`, Most: lawtest.MostOf[int](0), Do: func(n int) { list.Resize(n) }},
		"List.Reserve":       {Container: `array.List[int] "x"`, Most: lawtest.MostOf[int](0), Do: func(n int) { list.Reserve(n) }},
		"List.Grow":          {Container: `array.List[int] "x"`, Most: lawtest.MostOf[int](3), Do: func(n int) { list.Grow(n) }},
		"List.Grow, wide":    {Container: `array.List[[1000]int] "x"`, Most: lawtest.MostOf[[1000]int](0), Do: func(n int) { wides.Grow(n) }},
		"Stream.Grow, rows":  {Container: `array.Stream[int] "x"`, Most: lawtest.MostOf[int](3), Do: func(n int) { stream.Grow(n, 0) }},
		"Stream.Grow, items": {Container: `array.Stream[int] "x"`, Most: lawtest.MostOf[int](3), Do: func(n int) { stream.Grow(0, n) }},
		"Stream.Resize":      {Container: `array.Stream[int] "x"`, Most: lawtest.MostOf[int](1), Do: func(n int) { stream.Resize(n) }},
		"Stream.SetCounts":   {Container: `array.Stream[int] "x"`, Most: lawtest.MostOf[int](0), Do: func(n int) { stream.SetCounts([]int{0, n}) }},
		"SetCounts, nothing": {Container: `array.Stream[struct {}] "x"`, Most: lawtest.MostOf[struct{}](0), Do: func(n int) { rowsFor[struct{}](2, x).SetCounts([]int{n, 0}) }},
	})
	require.Equal(t, []int{1, 2, 3}, list.Slice())
	require.Equal(t, [][]int{{1}, {2, 3}}, rowsOf(t, stream))
	a.Split(2).Join()
}
