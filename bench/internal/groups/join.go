package groups

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

// joinRows are recursions whose halves may run at the same time.
func joinRows(r *rows.Run) {
	smallTree(r)
	longTree(r)
	quicksort(r)
	worstTree(r, 1)
	worstTree(r, 20)
}

// branch is a node of a tree. It has two halves, or none.
type branch struct {
	left, right *branch
	value       uint64
	steps       int // of spun
}

// sum returns the sum of the values.
func (n *branch) sum() uint64 {
	if n.left == nil {
		return n.value
	}
	return n.value + n.left.sum() + n.right.sum()
}

// sumForks is sum as the body of a Recurse.
func sumForks(f *parallelfor.Forks[*branch, uint64], n *branch) uint64 {
	if n.left == nil {
		return n.value
	}
	l, r := f.Join(n.left, n.right)
	return n.value + l + r
}

// work is sum, with steps for each node.
func (n *branch) work() uint64 {
	v := spun(n.value, n.steps)
	if n.left == nil {
		return v
	}
	return v + n.left.work() + n.right.work()
}

// workForks is work as the body of a Recurse.
func workForks(f *parallelfor.Forks[*branch, uint64], n *branch) uint64 {
	v := spun(n.value, n.steps)
	if n.left == nil {
		return v
	}
	l, r := f.Join(n.left, n.right)
	return v + l + r
}

// workByHand is work with a goroutine for each left half above the cut-off, which is in nodes'
// depths.
func (n *branch) workByHand(cutoff int) uint64 {
	if cutoff == 0 || n.left == nil {
		return n.work()
	}
	v := spun(n.value, n.steps)
	var l uint64
	var wg sync.WaitGroup
	wg.Go(func() { l = n.left.workByHand(cutoff - 1) })
	r := n.right.workByHand(cutoff - 1)
	wg.Wait()
	return v + l + r
}

// treeOf returns a tree of so many nodes, an odd number. left returns how many of the nodes below
// one the left half has, an odd number, and steps is called for each node.
func treeOf(nodes int, left func(below int) int, steps func() int) *branch {
	n := &branch{value: uint64(nodes), steps: steps()}
	if nodes > 1 {
		l := left(nodes - 1)
		n.left, n.right = treeOf(l, left, steps), treeOf(nodes-1-l, left, steps)
	}
	return n
}

// evenly halves the nodes below one.
func evenly(below int) int { return below/2 - 1 + below/2%2 }

const plainRecursion = "the plain recursion"

// sides are the two ways to work through a tree.
func (n *branch) sides(plain func(n *branch) uint64, forks func(f *parallelfor.Forks[*branch, uint64], n *branch) uint64) []measure.Side {
	want := plain(n)
	return []measure.Side{
		measure.Do(ours, func() { rows.MustBe(ours, parallelfor.Recurse(forks, n), want) }),
		measure.Do(plainRecursion, func() { rows.MustBe(plainRecursion, plain(n), want) }),
	}
}

// smallTree is too short to be shared, so what a Join costs is seen.
func smallTree(r *rows.Run) {
	const nodes = 1023
	n := treeOf(nodes, evenly, func() int { return 0 })
	r.Compare("a node of a tree of 1,023, which adds a number", nodes, []string{plainRecursion}, n.sides((*branch).sum, sumForks)...).LongerBy(2.5)
}

// longTree has 17 ms of work in the leaves.
func longTree(r *rows.Run) {
	const leaves = 4096
	steps := int(float64(17*time.Millisecond) / leaves / stepTime())
	n := treeOf(2*leaves-1, evenly, func() int { return 0 })
	n.inLeaves(steps)
	want := n.work()
	const hand = "goroutines by hand, 64 parts"
	c := r.Compare("a balanced tree with 17 ms of work", 1, []string{plainRecursion},
		append(n.sides((*branch).work, workForks), measure.Do(hand, func() { rows.MustBe(hand, n.workByHand(6), want) }))...)
	c.AtMostHalf(1.1)
	c.AtMostOf(1.05, hand)
}

// inLeaves gives the leaves so many steps.
func (n *branch) inLeaves(steps int) {
	if n.left == nil {
		n.steps = steps
		return
	}
	n.left.inLeaves(steps)
	n.right.inLeaves(steps)
}

// quicksort compares a quicksort by halves with the sort of Go.
func quicksort(r *rows.Run) {
	n := r.Sized(1_000_000, 1_000_000)
	from := make([]int, n)
	for i := range from {
		from[i] = int(scrambled(i) >> 1)
	}
	const ordered = "slices.Sort"
	s := newSorts(from, slices.Sorted(slices.Values(from)), cmp.Compare)
	c := r.Compare(fmt.Sprintf("%s random int sorted, a quicksort", rows.Thousands(n)), 1, []string{ordered},
		s.side(ours, func(s []int) { parallelfor.Recurse(quickForks, s) }),
		s.side("the same without Join", func(s []int) { quickPlain(s) }),
		s.side(ordered, slices.Sort),
		s.inHalves(slices.Sort))
	c.AtMost(0.6)
	c.AtMostOf(0, "the same without Join")
	c.AtMostOf(0, halves)
}

// leafLen is the length up to which slices are left to slices.Sort.
const leafLen = 2048

// quickForks is the body of a quicksort. Its result says nothing.
func quickForks(f *parallelfor.Forks[[]int, struct{}], s []int) struct{} {
	if len(s) <= leafLen {
		slices.Sort(s)
		return struct{}{}
	}
	less, more := parted(s)
	f.Join(less, more)
	return struct{}{}
}

// quickPlain is quickForks by one goroutine.
func quickPlain(s []int) {
	if len(s) <= leafLen {
		slices.Sort(s)
		return
	}
	less, more := parted(s)
	quickPlain(less)
	quickPlain(more)
}

// parted moves the numbers that are less than a pivot to the front of s, and returns them and the
// rest. If no number is less, the numbers that are equal to the pivot are in neither.
func parted(s []int) (less, rest []int) {
	var sample [9]int
	for i := range sample {
		sample[i] = s[i*(len(s)/len(sample))]
	}
	slices.Sort(sample[:])
	pivot := sample[len(sample)/2]
	k := lessFirst(s, pivot)
	if k > 0 {
		return s[:k], s[k:]
	}
	for i, v := range s { // pivot is the least of all
		s[i], s[k] = s[k], v
		if v == pivot {
			k++
		}
	}
	return nil, s[k:]
}

// lessFirst moves what is less than pivot to the front, without a branch that depends on numbers,
// and returns how much that is (Lomuto's partition).
func lessFirst(s []int, pivot int) int {
	k := 0
	for i, v := range s {
		s[i] = s[k]
		s[k] = v
		if v < pivot {
			k++
		}
	}
	return k
}

// drawn is a tree that was drawn, and what it is.
type drawn struct {
	tree *branch
	is   string
	row  report.Row
}

// drawTree draws the shape, the number of nodes, and what these cost.
func drawTree(random *rand.Rand, cheapest, step float64) drawn {
	logarithmic := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, random.Float64()) }
	work := logarithmic(1e4, 3e6)
	cost := logarithmic(cheapest, min(100e3, work))
	nodes := min(int(work/cost), 1<<16) | 1
	odd := func(n, below int) int { return min(max(n-1+n%2, 1), below-1) }
	shapes := []struct {
		is   string
		left func(below int) int
	}{
		{"balanced", evenly},
		{"random", func(below int) int { return odd(1+random.IntN(below), below) }},
		{"list to the left", func(below int) int { return below - 1 }},
		{"list to the right", func(int) int { return 1 }},
		{"skewed", func(below int) int { return odd(below/8, below) }},
	}
	shape := shapes[random.IntN(len(shapes))]
	uneven := random.IntN(2) == 0
	steps := func() int {
		ns := cost
		if uneven {
			ns = min(cost*random.ExpFloat64(), 100e3)
		}
		return int(ns / step)
	}
	return drawn{tree: treeOf(nodes, shape.left, steps), is: fmt.Sprintf("%s of %d nodes of %.3g ns", shape.is, nodes, cost)}
}

// worstTree is the drawn tree with the highest ratio to the plain recursion. Those that seem the
// worst are measured again, because the highest of many ratios is so by chance.
func worstTree(r *rows.Run, cheapest float64) {
	const bar = 1.3
	const again = 4
	random, step := rand.New(rand.NewPCG(31, 32)), stepTime()
	all := make([]drawn, r.Sized(160, 40))
	ratio := func(d *drawn) {
		c := r.Compare(fmt.Sprintf("worst of %d drawn trees of 10 us to 3 ms, nodes from %g ns to 100 us", len(all), cheapest), 1, []string{plainRecursion}, d.tree.sides((*branch).work, workForks)...)
		d.row = c.Row()
		d.row.Ratio, d.row.Bar = c.Ratio(ours, plainRecursion), bar
		d.row.Peer, d.row.PeerTime = d.is, d.row.Limit
	}
	worstFirst := func(a, b drawn) int { return cmp.Compare(b.row.Ratio.Median, a.row.Ratio.Median) }
	for i := range all {
		all[i] = drawTree(random, cheapest, step)
		ratio(&all[i])
	}
	slices.SortFunc(all, worstFirst)
	for i := range all[:again] {
		ratio(&all[i])
	}
	r.Rows = append(r.Rows, slices.MinFunc(all[:again], worstFirst).row)
}
