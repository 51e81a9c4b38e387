package readonly

import (
	"slices"

	"example.com/custody/array"
	"example.com/custody/hashmap"
)

func param(dst []int, r *array.Reader[int]) int {
	dst[0] = 1 // memory of the caller
	dst = r.Slice()
	return dst[0]
}

func swaps(r *array.Reader[int], mine []int) {
	src, dst := r.Slice(), mine
	_, _ = src, dst
	dst[0] = 1
}

func viaPointer(r *array.Reader[int]) {
	s := r.Slice()
	renew(&s)
	s[0] = 1 // memory that renew allocated
}

func pairs(r *hashmap.MultiReader[int, int], mine func(i int) (int, []int)) {
	_, own := mine(0)
	own[0] = 1 // memory of mine
	_, own = r.At(0)
	_ = own
	var n, s = mine(0)
	s[n] = 1 // memory of mine
	s = r.Values(0)
	_ = s
}

func renew(s *[]int) { *s = append([]int(nil), *s...) }

var kept []int

func keeps(r *array.Reader[int]) int {
	kept[0] = 1
	kept = r.Slice()
	return kept[0]
}

func chunks(r *array.Reader[int], mine []int) {
	s := r.Slice()
	_ = s
	for s = range slices.Chunk(mine, 2) {
		s[0] = 1
	}
}

func turns(r *array.Reader[int], mine []int) {
	a, b := r.Slice(), r.Slice()
	for i := range 3 {
		c := b
		if i == 2 {
			c[0] = 1
		}
		b = a
		a = mine
	}
}

// SnapshotReader is a view of a container of the program that returns copies.
type SnapshotReader struct {
	array.Reader[int]
}

func (r *SnapshotReader) Slice() []int { return slices.Clone(r.Reader.Slice()) }

func copies(r *SnapshotReader) { r.Slice()[0] = 1 }
