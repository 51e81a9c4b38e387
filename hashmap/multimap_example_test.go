package hashmap_test

import (
	"fmt"
	"slices"
	"strings"

	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

func ExampleMultiMap() {
	m := hashmap.NewMulti[string, int]()
	m.Add("odd", 1)
	m.AddAll("even", []int{2, 4})
	m.Add("odd", 3)
	fmt.Println(m.Values("odd"), m.Count("even"), m.Len())
	m.DeleteValue("odd", 1)
	for k, vals := range m.Groups() {
		fmt.Println(k, vals)
	}
	// Output:
	// [1 3] 2 4
	// odd [3]
	// even [2 4]
}

// What is out of date is deleted.
func ExampleMultiMap_Replace() {
	m := hashmap.NewMulti[string, int]()
	m.AddAll("ann", []int{1998, 2024})
	m.AddAll("bob", []int{1971, 1987})
	m.AddAll("eve", []int{2025})
	for k, years := range m.Groups() {
		left := slices.DeleteFunc(years, func(year int) bool { return year < 2000 })
		if len(left) < len(years) {
			m.Replace(k, left) // by none: the key is deleted
		}
	}
	for k, years := range m.Groups() {
		fmt.Println(k, years)
	}
	// Output:
	// ann [2024]
	// eve [2025]
}

var text = []string{"the cat and the dog", "a dog", "the end"}

// index is a job that notes in which lines words stand.
type index struct {
	Lines hashmap.MultiParallelWriter[string, int]
}

func (j *index) Execute(i int) {
	for word := range strings.FieldsSeq(text[i]) {
		j.Lines.Add(word, i)
	}
}

func ExampleMultiParallelWriter() {
	m := hashmap.NewMulti[string, int]()
	parallelfor.For(len(text), index{Lines: m.ParallelWriter()}, (*index).Execute)
	for word, lines := range m.Groups() { // in the order of the sequential loop, at any number of workers
		fmt.Println(word, lines)
	}
	// Output:
	// the [0 0 2]
	// cat [0]
	// and [0]
	// dog [0 1]
	// a [1]
	// end [2]
}

func ExampleMultiReader() {
	m := hashmap.NewMulti[string, int]()
	parallelfor.For(20, m.ParallelWriter(), func(w *hashmap.MultiParallelWriter[string, int], i int) { w.Add("abc"[i%3:][:1], i) })
	sum := parallelfor.Reduce(m.LenKeys(), m.Reader(), func(r *hashmap.MultiReader[string, int], begin, end int) (n int) {
		for i := begin; i < end; i++ {
			_, vals := r.At(i)
			for _, v := range vals {
				n += v
			}
		}
		return n
	}, func(a, b int) int { return a + b })
	fmt.Println(sum)
	// Output: 190
}

func ExampleMultiWriter() {
	m := hashmap.NewMulti[string, int]()
	m.AddAll("a", []int{1, 3})
	m.AddAll("b", []int{2, 2, 4})
	parallelfor.For(m.LenKeys(), m.Writer(), func(w *hashmap.MultiWriter[string, int], i int) { // how much of a hundred each is
		_, vals := w.At(i)
		sum := 0
		for _, v := range vals {
			sum += v
		}
		for k := range vals {
			vals[k] = 100 * vals[k] / sum
		}
	})
	fmt.Println(m.Values("a"), m.Values("b"))
	// Output: [25 75] [25 25 50]
}

func ExampleMultiShared() {
	seen := hashmap.NewMulti[string, int]()
	parallelfor.For(4, seen.Shared(), func(s *hashmap.MultiShared[string, int], i int) {
		s.Add([]string{"even", "odd"}[i%2], i) // in no particular order
	})
	fmt.Println(seen.Count("even"), seen.Count("odd"))
	// Output: 2 2
}
