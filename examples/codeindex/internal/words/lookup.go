package words

import (
	"cmp"
	"slices"
	"strings"

	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// grouped is what the parallel loop makes. What looks at all identifiers is a parallel loop, too.
type grouped struct {
	*hashmap.MultiMap[string, Posting]
}

// begins finds the identifiers that begin with something. A queue has them in the order of the sequential loop.
type begins struct {
	Lines  hashmap.MultiReader[string, Posting]
	Found  queue.ParallelWriter[string]
	Prefix string
}

// Execute looks at an identifier.
func (j *begins) Execute(i int) {
	if name, _ := j.Lines.At(i); strings.HasPrefix(name, j.Prefix) {
		j.Found.Enqueue(name)
	}
}

func (g grouped) beginning(prefix string) (names []string) {
	found := queue.New[string](safety.Named("found"))
	parallelfor.For(-1, begins{Lines: g.Reader(), Found: found.ParallelWriter(), Prefix: prefix}, (*begins).Execute, parallelfor.LengthOf(g.Reader()))
	for some := range found.Drain() {
		names = append(names, some...)
	}
	return names
}

// frequent has each batch find its most frequent identifiers, and those of neighbouring stretches put together.
func (g grouped) frequent(n int) []Frequent {
	return parallelfor.Reduce(g.LenKeys(), g.Reader(),
		func(r *hashmap.MultiReader[string, Posting], begin, end int) []Frequent {
			top := make([]Frequent, 0, end-begin)
			for i := begin; i < end; i++ {
				name, lines := r.At(i)
				top = append(top, Frequent{name, len(lines)})
			}
			return first(top, n)
		},
		func(a, b []Frequent) []Frequent { return first(append(a, b...), n) })
}

// first returns the first n of a list when it is sorted: by falling lines, and by name where these are equal.
func first(list []Frequent, n int) []Frequent {
	slices.SortFunc(list, func(a, b Frequent) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Name, b.Name))
	})
	return slices.Clone(list[:min(n, len(list))])
}
