package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/custody/parallelfor"
)

// Index i of both slices belongs to the call of the body for i.
func ExampleIndices() {
	words := strings.Fields("no container has these")
	lengths := make([]int, len(words))
	parallelfor.Indices(len(words), func(i int) { lengths[i] = len(words[i]) })
	fmt.Println(lengths)
	// Output: [2 9 3 5]
}

// The inner loop is a plain loop over a part of the slices.
func ExampleRanges() {
	in, out := []float64{1, 2, 3, 4}, make([]float64, 4)
	parallelfor.Ranges(len(in), func(begin, end int) {
		for i := begin; i < end; i++ {
			out[i] = 10 * in[i]
		}
	})
	fmt.Println(out)
	// Output: [10 20 30 40]
}

// The error is that of the sequential loop: of the lowest index that fails.
func ExampleIndicesErr() {
	words := strings.Fields("1 2 three 4 five")
	numbers := make([]int, len(words))
	err := parallelfor.IndicesErr(context.Background(), len(words), func(i int) (err error) {
		numbers[i], err = strconv.Atoi(words[i])
		return err
	})
	fmt.Println(err)
	// Output: strconv.Atoi: parsing "three": invalid syntax
}

func ExampleMapSlice() {
	fmt.Println(parallelfor.MapSlice([]string{"7", "-2"}, func(s string) string { return "<" + s + ">" }))
	// Output: [<7> <-2>]
}

// With JoinErrors, one failure does not keep the others from being tried.
func ExampleJoinErrors() {
	parse := func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		return n, errors.Unwrap(err)
	}
	words := strings.Fields("1 two 99999999999999999999 4")
	numbers, err := parallelfor.MapSliceErr(context.Background(), words, parse, parallelfor.JoinErrors())
	fmt.Println(numbers[0], numbers[3])
	fmt.Println(err)
	// Output:
	// 1 4
	// invalid syntax
	// value out of range
}

func ExampleSortSlice() {
	words := strings.Fields("a slice of the program's own")
	parallelfor.SortSlice(words, strings.Compare)
	fmt.Println(words)
	// Output: [a of own program's slice the]
}

func ExampleSortSliceByKey() {
	type event struct {
		at   int64
		what string
	}
	events := []event{{30, "end"}, {10, "begin"}, {10, "work"}}
	parallelfor.SortSliceByKey(events, func(e event) int64 { return e.at })
	fmt.Println(events)
	// Output: [{10 begin} {10 work} {30 end}]
}
