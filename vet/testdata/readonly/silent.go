package readonly

import "example.com/custody/array"

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

func renew(s *[]int) { *s = append([]int(nil), *s...) }
