package groups

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

// sortRows sort random numbers, and structs by keys. The copy of its input that each side sorts is
// not timed.
func sortRows(r *rows.Run) {
	n := r.Sized(1_000_000, 250_000)
	from := make([]int, n)
	for i := range from {
		from[i] = int(scrambled(i) >> 1)
	}
	const ordered, compared = "slices.Sort", "slices.SortFunc"
	s := newSorts(from, slices.Sorted(slices.Values(from)), cmp.Compare)
	c := r.Compare(fmt.Sprintf("%s random int sorted", rows.Thousands(n)), 1, []string{ordered, compared},
		s.side(ours, func(s []int) { parallelfor.SortSlice(s, cmp.Compare) }),
		s.side("by key", func(s []int) { parallelfor.SortSliceByKey(s, func(v int) int { return v }) }),
		s.side(ordered, slices.Sort),
		s.side(compared, func(s []int) { slices.SortFunc(s, cmp.Compare) }),
		s.inHalves(slices.Sort))
	row := c.Row()
	row.Ratio, row.Info = c.Ratio(ours, c.Limit), true
	r.Rows = append(r.Rows, row)
	c.AtMostOf(0.95, halves)
	c.As("by key", "by key", 0.5, halves)

	n = r.Sized(2_000_000, 250_000)
	for _, keys := range []struct {
		name string
		of   func(i int) uint64
	}{
		{"uniform keys", scrambled},
		{"32-bit keys", func(i int) uint64 { return scrambled(i) >> 32 }},
		{"keys of a narrow range", func(i int) uint64 { return 1<<31 + scrambled(i)>>44 }},
		{"skewed keys", func(i int) uint64 { return uint64(math.Exp2(float64(scrambled(i)>>32) / (1 << 27))) }},
		{"keys of 8 values", func(i int) uint64 { return scrambled(i) >> 61 << 50 }},
		{"keys in order", func(i int) uint64 { return uint64(i) }},
	} {
		sortStructs(r, n, keys.name, keys.of)
	}
}

// entry is what is sorted by its key. place says where it was.
type entry struct {
	key, place uint64
	_          [2]uint64
}

func byKey(x, y entry) int { return cmp.Compare(x.key, y.key) }

// sortStructs compares the sorts by comparisons and by key.
func sortStructs(r *rows.Run, n int, keys string, key func(i int) uint64) {
	from := make([]entry, n)
	for i := range from {
		from[i] = entry{key: key(i), place: uint64(i)}
	}
	want := slices.Clone(from)
	slices.SortStableFunc(want, byKey)
	const stable = "slices.SortStableFunc"
	s := newSorts(from, want, byKey)
	c := r.Compare(fmt.Sprintf("%s structs sorted by %s", rows.Thousands(n), keys), 1, []string{halves},
		s.stable(ours, func(s []entry) { parallelfor.SortSliceByKey(s, func(e entry) uint64 { return e.key }) }),
		s.inHalves(func(s []entry) { slices.SortFunc(s, byKey) }),
		s.side("SortSlice", func(s []entry) { parallelfor.SortSlice(s, byKey) }),
		s.stable(stable, func(s []entry) { slices.SortStableFunc(s, byKey) }))
	c.AtMostOf(0.5, halves)
	c.AtMostOf(0.5, stable)
	c.As("SortSlice", "by comparisons", 0.95, halves)
}

// halves is the side of inHalves.
const halves = "two halves by goroutines, merged"

// sorts are sides that sort copies of one slice.
type sorts[T comparable] struct {
	from, to, room, want []T
	compare              func(a, b T) int
}

func newSorts[T comparable](from, want []T, compare func(a, b T) int) *sorts[T] {
	return &sorts[T]{from, make([]T, len(from)), make([]T, len(from)), want, compare}
}

// stable is a side of a sort that leaves equal elements in their order, and side one of any sort.
func (x *sorts[T]) stable(name string, sort func(s []T)) measure.Side {
	return x.checked(name, sort, func(a, b T) bool { return a == b })
}

func (x *sorts[T]) side(name string, sort func(s []T)) measure.Side {
	return x.checked(name, sort, func(a, b T) bool { return x.compare(a, b) == 0 })
}

func (x *sorts[T]) checked(name string, sort func(s []T), same func(a, b T) bool) measure.Side {
	return between(name, func() { copy(x.to, x.from) }, func() { sort(x.to) },
		func() { rows.MustBe(name, slices.EqualFunc(x.to, x.want, same), true) })
}

// inHalves is the side that sorts each half on a goroutine and merges them.
func (x *sorts[T]) inHalves(sort func(s []T)) measure.Side {
	return x.side(halves, func(s []T) {
		copy(x.room, s)
		a, b := x.room[:len(s)/2], x.room[len(s)/2:]
		var wg sync.WaitGroup
		wg.Go(func() { sort(a) })
		sort(b)
		wg.Wait()
		for i := range s {
			if len(b) == 0 || len(a) > 0 && x.compare(a[0], b[0]) <= 0 {
				s[i], a = a[0], a[1:]
			} else {
				s[i], b = b[0], b[1:]
			}
		}
	})
}
