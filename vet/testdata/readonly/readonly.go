package readonly

import (
	"slices"
	"sort"

	"example.com/custody/array"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

type point struct {
	x    int
	many [2]int
	to   *point
}

type job struct {
	R array.Reader[int]
	P array.Reader[point]
	W array.Writer[int]
	S array.StreamReader[int]
	L array.Reader[[]int]
}

func (j *job) Execute(i int) {
	j.R.Slice()[i] = 1         // want `the assignment writes the elements that j.R.Slice returned`
	j.R.Slice()[i]++           // want `the assignment writes the elements that j.R.Slice returned`
	j.P.Slice()[i].x = 1       // want `the assignment writes the elements that j.P.Slice returned`
	j.P.Slice()[i].many[1] = 1 // want `the assignment writes the elements that j.P.Slice returned`
	j.P.Slice()[i].to.x = 1    // not the container's memory: an element points to it
	j.W.Slice()[0] = 1         // a Writer's
	j.S.At(i)[0] = 1           // want `the assignment writes the elements that j.S.At returned`
	j.S.Offsets()[0] = 1       // want `the assignment writes the elements that j.S.Offsets returned`
	j.L.At(0)[0] = 1           // the element is a slice of other memory
	for _, row := range j.S.All() {
		row[0] = 1 // want `the assignment writes the elements that j.S.All returned`
	}
	for _, l := range j.L.All() {
		l[0] = 1 // the element is a slice of other memory
	}
	copy(j.R.Slice(), []int{1})             // want `copy writes the elements that j.R.Slice returned`
	clear(j.R.Slice()[1:])                  // want `clear writes the elements that j.R.Slice returned`
	slices.Sort(j.R.Slice())                // want `slices.Sort writes the elements that j.R.Slice returned`
	sort.Ints(j.R.Slice())                  // want `sort.Ints writes the elements that j.R.Slice returned`
	sort.Sort(rising(j.R.Slice()))          // want `sort.Sort writes the elements that j.R.Slice returned`
	sort.Stable(sort.IntSlice(j.R.Slice())) // want `sort.Stable writes the elements that j.R.Slice returned`
	sort.IntSlice(j.R.Slice())[0] = 1       // want `the assignment writes the elements that j.R.Slice returned`
	copy(j.W.Slice(), j.R.Slice())
	_ = slices.Sorted(slices.Values(j.R.Slice()))
	s := j.R.Slice()
	t := s[1:]
	s[0] = 1               // want `the assignment writes the elements that j.R.Slice returned`
	t[0], _ = 1, 2         // want `the assignment writes the elements that j.R.Slice returned`
	_ = append(s[:1], 1)   // want `append writes the elements that j.R.Slice returned`
	_ = append(s[:1:1], 1) // a copy
	_ = append(s, 1)       // a copy: there is no spare capacity
	for range s {
	}
	own := j.R.Slice()
	own = slices.Clone(own)
	own[0] = 1
	var v = j.R.Slice()
	v[0] = 1 // want `the assignment writes the elements that j.R.Slice returned`
}

func others(q *queue.Queue[int], m *hashmap.MultiMap[int, int]) {
	parallelfor.For(1, q.Reader(), func(r *queue.Reader[int], i int) {
		for _, s := range r.Slices() {
			s[0] = 1 // want `the assignment writes the elements that r.Slices returned`
		}
	})
	parallelfor.For(1, m.Reader(), func(r *hashmap.MultiReader[int, int], i int) {
		r.Values(0)[0] = 1 // want `the assignment writes the elements that r.Values returned`
		_, vs := r.At(i)
		vs[0] = 1 // want `the assignment writes the elements that r.At returned`
		var k, ws = r.At(i)
		ws[k]++ // want `the assignment writes the elements that r.At returned`
		_, vs = r.At(0)
		slices.Sort(vs) // want `slices.Sort writes the elements that r.At returned`
		for _, g := range r.Groups() {
			g[0] = 2 // want `the assignment writes the elements that r.Groups returned`
		}
		for _, v := range r.All() {
			v++
			_ = v
		}
	})
}

// rising sorts a slice.
type rising []int

func (r rising) Len() int           { return len(r) }
func (r rising) Less(i, j int) bool { return r[i] < r[j] }
func (r rising) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
