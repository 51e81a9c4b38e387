package stats

import (
	"cmp"
	"slices"

	"example.com/custody/examples/codeindex/internal/grep"
	"example.com/custody/examples/codeindex/internal/index"
	"example.com/custody/examples/codeindex/internal/words"
)

// Result is all that is said of a tree.
type Result struct {
	Tree *index.Tree
	// Files has what is said of each file, and Errs why it could not be read, by its index in the tree.
	Files []Facts
	Errs  []error
	// Names has the different identifiers, in the order in which they first occur.
	Names []Name
	Total Total
	// Largest has the indices of the files with most bytes, most first, and Frequent the identifiers that occur most often: as many as
	// were asked for.
	Largest  []int
	Frequent []Name
}

// PrintUnread prints what could not be read.
func (r *Result) PrintUnread(out *grep.Printer) error { return words.PrintUnread(r.Tree, r.Errs, out) }

// larger orders files by falling bytes, and by index where these are equal.
func larger(files []Facts) func(a, b int) int {
	return func(a, b int) int { return cmp.Or(cmp.Compare(files[b].Bytes, files[a].Bytes), cmp.Compare(a, b)) }
}

// moreOften orders identifiers by falling number, and by text where these are equal.
func moreOften(a, b Name) int {
	return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Text, b.Text))
}

// first returns the first n of a list when it is sorted; all with n 0.
func first[T any](list []T, n int, order func(a, b T) int) []T {
	slices.SortFunc(list, order)
	if n > 0 && n < len(list) {
		return slices.Clone(list[:n])
	}
	return list
}
