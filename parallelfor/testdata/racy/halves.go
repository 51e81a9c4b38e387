package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// part is what a half of a recursion does.
type part func(f *parallelfor.Forks[part, int]) int

// recurse runs a recursion that begins with p.
func recurse(o parallelfor.Option, p part) {
	sink = parallelfor.Recurse(func(f *parallelfor.Forks[part, int], p part) int { return p(f) }, p, o)
}

// join is a part that joins two.
func join(left, right part) part {
	return func(f *parallelfor.Forks[part, int]) int {
		l, r := f.Join(left, right)
		return l + r
	}
}

// calls is a part that calls f.
func calls(f func()) part {
	return func(*parallelfor.Forks[part, int]) int { f(); return 1 }
}

// below is a part that joins as deep as depth, and there calls f once, in the first place or in the
// last.
func below(depth int, last bool, f func()) part {
	switch {
	case depth == 0:
		return calls(f)
	case last:
		return join(calls(func() {}), below(depth-1, last, f))
	}
	return join(below(depth-1, last, f), calls(func() {}))
}

// ends is a part with two halves down to a depth. It calls first in the first place, and last in
// the last one.
func ends(depth int, first, last func()) part {
	nothing := func() {}
	if depth == 1 {
		return join(calls(first), calls(last))
	}
	return join(ends(depth-1, first, nothing), ends(depth-1, nothing, last))
}

// halves are recursions whose halves share plain memory.
var halves = map[string]program{
	"halves, both write a variable": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(calls(func() { x = 1 }), calls(func() { x = 2 })))
		sink = x
	},
	"halves, the left one writes what the right one reads": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(calls(func() { x = 1 }), calls(func() { sink = x })))
	},
	"halves, the right one writes what the left one reads": func(o parallelfor.Option) {
		x, y := 0, 0
		recurse(o, join(calls(func() { y = x }), calls(func() { x = 1 })))
		sink = x + y
	},
	"halves, deep in the left one": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(below(10, false, func() { x = 1 }), calls(func() { sink = x })))
	},
	"halves, deep in both": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(below(10, true, func() { x = 1 }), below(10, false, func() { sink = x })))
	},
	"halves, the ends of 2,047": func(o parallelfor.Option) {
		x := 0
		recurse(o, ends(11, func() { x = 1 }, func() { sink = x }))
	},
	"halves, right ones of the halves": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(join(calls(func() {}), calls(func() { x = 1 })), join(calls(func() {}), calls(func() { x = 2 }))))
		sink = x
	},
	"halves, a body writes after a Join what a half beside it reads": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(func(f *parallelfor.Forks[part, int]) int {
			l, r := f.Join(calls(func() {}), calls(func() {}))
			x = l + r
			return x
		}, calls(func() { sink = x })))
	},
	"halves, after a panic that the body recovers from": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(func(f *parallelfor.Forks[part, int]) int {
			defer func() { _ = recover() }()
			l, r := f.Join(calls(func() { x = 1 }), calls(func() { panic("right") }))
			return l + r
		}, calls(func() { sink = x })))
	},
	"halves, in a loop inside of one": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(calls(func() {
			parallelfor.Indices(1, func(int) { x = 1 }, o)
		}), calls(func() { sink = x })))
	},
	"halves, a half and a half of a recursion inside the other": func(o parallelfor.Option) {
		x := 0
		recurse(o, join(calls(func() {
			recurse(o, join(calls(func() {}), calls(func() { x = 1 })))
		}), calls(func() { x = 2 })))
		sink = x
	},
	"halves, in recursions of two batches": func(o parallelfor.Option) {
		x := 0
		parallelfor.Indices(2, func(i int) {
			parallelfor.Recurse(func(_ *parallelfor.Forks[int, int], i int) int { x = i; return x }, i, o)
		}, o, each)
		sink = x
	},
}

// rightHalves are recursions in which nothing is wrong.
var rightHalves = map[string]program{
	"right, a recursion of 1000 nodes": func(o parallelfor.Option) {
		slots := make([]int, 1024)
		sum := func(f *parallelfor.Forks[int, int], n int) int {
			slots[n] = n
			if 2*n < len(slots) {
				l, r := f.Join(2*n, 2*n+1)
				slots[n] += l + r + slots[2*n] - slots[2*n+1]
			}
			return slots[n]
		}
		for range 3 {
			sink = parallelfor.Recurse(sum, 1, o)
			slots[7] = slots[1000]
		}
	},
	"right, halves that fail": func(o parallelfor.Option) {
		slots := [4]int{}
		half := func(i int, fails bool) part {
			return calls(func() {
				slots[i] = i
				if fails {
					panic(i)
				}
			})
		}
		recurse(o, func(f *parallelfor.Forks[part, int]) int {
			for i := range 2 {
				func() {
					defer func() { sink = slots[0] + slots[1] + recover().(int) }()
					_, _ = f.Join(half(0, i == 0), half(1, i == 1))
				}()
				slots[0], slots[1] = 1, 1
			}
			l, r := f.Join(half(2, false), half(3, false))
			return l + r + slots[2] + slots[3]
		})
		slots[3] = 1
	},
	"right, halves that write parts of a slice": func(o parallelfor.Option) {
		a := array.New[int](64)
		parallelfor.ForBatch(64, a.Writer(), func(w *writer, begin, end int) {
			all, offset := w.Slice(), begin
			fill := func(f *parallelfor.Forks[[2]int, int], p [2]int) int {
				if p[1]-p[0] == 1 {
					all[p[0]] = p[0] + offset
					return all[p[0]]
				}
				middle := (p[0] + p[1]) / 2
				l, r := f.Join([2]int{p[0], middle}, [2]int{middle, p[1]})
				return l + r
			}
			all[0] = parallelfor.Recurse(fill, [2]int{0, end - begin}, o)
		}, o, parallelfor.Batch(16))
		sink = a.At(3)
	},
}
