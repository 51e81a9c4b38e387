package parallelfor_test

import (
	"fmt"
	"slices"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// The depth of a tree is that of its deeper half, and one more.
func ExampleRecurse() {
	type node struct{ left, right *node }
	depth := func(f *parallelfor.Forks[*node, int], n *node) int {
		if n == nil {
			return 0
		}
		left, right := f.Join(n.left, n.right)
		return 1 + max(left, right)
	}
	root := &node{left: &node{}, right: &node{right: &node{left: &node{}}}}
	fmt.Println(parallelfor.Recurse(depth, root))
	// Output: 4
}

// A merge sort splits the view of its job. A half that touches an element of the other half is a
// violation on every run.
func ExampleForks() {
	type view = array.Writer[int]
	sort := func(f *parallelfor.Forks[view, struct{}], v view) (none struct{}) {
		s := v.Slice()
		if len(s) <= 4 {
			slices.Sort(s)
			return
		}
		f.Join(array.SplitAt(&v, v.Begin()+len(s)/2))
		merge(s, len(s)/2)
		return
	}
	numbers := array.Of([]int{7, 3, 9, 1, 8, 2, 6, 0, 5, 4})
	parallelfor.Do(numbers.Writer(), func(w *view) { parallelfor.Recurse(sort, *w) })
	fmt.Println(numbers.Slice())
	// Output: [0 1 2 3 4 5 6 7 8 9]
}

// merge merges the sorted halves s[:k] and s[k:].
func merge(s []int, k int) {
	a, b := slices.Clone(s[:k]), s[k:]
	for i := range s {
		if len(a) == 0 {
			break
		}
		if len(b) > 0 && b[0] < a[0] {
			s[i], b = b[0], b[1:]
		} else {
			s[i], a = a[0], a[1:]
		}
	}
}
