package groups

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

// sortRows sort a slice of random numbers. Every side copies the numbers first. There are no bars.
func sortRows(r *rows.Run) {
	n := r.Sized(1_000_000, 250_000)
	from, to, room := make([]int, n), make([]int, n), make([]int, n)
	for i := range from {
		from[i] = int(scrambled(i) >> 1)
	}
	want := slices.Sorted(slices.Values(from))
	side := func(name string, sort func(s []int)) measure.Side {
		return measure.Do(name, func() {
			copy(to, from)
			sort(to)
			rows.MustBe(name, slices.Equal(to, want), true)
		})
	}
	const ordered, compared, halves = "slices.Sort", "slices.SortFunc", "two halves by goroutines, merged"
	c := r.Compare(fmt.Sprintf("%s random int sorted", rows.Thousands(n)), 1, []string{ordered, compared},
		side(ours, func(s []int) { parallelfor.SortSlice(s, cmp.Compare) }),
		side(ordered, slices.Sort),
		side(compared, func(s []int) { slices.SortFunc(s, cmp.Compare) }),
		side(halves, func(s []int) {
			copy(room, s)
			a, b := room[:n/2], room[n/2:]
			var wg sync.WaitGroup
			wg.Go(func() { slices.Sort(a) })
			slices.Sort(b)
			wg.Wait()
			for i := range s {
				if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
					s[i], a = a[0], a[1:]
				} else {
					s[i], b = b[0], b[1:]
				}
			}
		}))
	row := c.Row()
	row.Ratio, row.Info = c.Ratio(ours, c.Limit), true
	r.Rows = append(r.Rows, row)
	c.AtMostOf(0, halves)
}
