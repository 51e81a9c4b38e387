package hashmap_test

import (
	"fmt"
	"strconv"

	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// All batches put keys in; the map and its order are those of the sequential loop.
func ExampleParallelWriter() {
	first := hashmap.New[string, int]()
	parallelfor.For(20, first.ParallelWriter(), func(w *hashmap.ParallelWriter[string, int], i int) {
		w.Add(strconv.Itoa(i*i%7), i) // keeps the value that the key has
	})
	for k, i := range first.All() {
		fmt.Print(k, " first at ", i, "; ")
	}
	// Output: 0 first at 0; 1 first at 1; 4 first at 2; 2 first at 3;
}

// A loop counts words.
func ExampleParallelMerger() {
	words := []string{"the", "cat", "and", "the", "dog", "and", "the", "bird"}
	counts := hashmap.New[string, int]()
	type views struct {
		Counts hashmap.ParallelMerger[string, int]
		Words  []string `custody:"unguarded"`
	}
	parallelfor.For(len(words), views{Counts: counts.ParallelMerger(hashmap.Add), Words: words}, func(v *views, i int) {
		v.Counts.Merge(v.Words[i], 1)
	})
	for word, n := range counts.All() {
		fmt.Print(word, " ", n, "; ")
	}
	// Output: the 3; cat 1; and 2; dog 1; bird 1;
}

// A fold that is declared associative is called where values are merged.
func ExampleMergerOption() {
	last := hashmap.New[string, int]()
	most := func(old, v int) int { return max(old, v) }
	parallelfor.For(1000, last.ParallelMerger(most, hashmap.Associative()), func(w *hashmap.ParallelMerger[string, int], i int) {
		w.Merge("abc"[i%3:][:1], i)
	})
	fmt.Println(last.Load("a"))
	fmt.Println(last.Load("b"))
	// Output:
	// 999 true
	// 997 true
}

// Any number of batches look keys up.
func ExampleReader() {
	prices := hashmap.New[string, int]()
	prices.Store("pear", 3)
	prices.Store("apple", 2)
	sum := parallelfor.Reduce(10, prices.Reader(), func(r *hashmap.Reader[string, int], begin, end int) int {
		p, _ := r.Load("apple")
		return p * (end - begin)
	}, func(a, b int) int { return a + b })
	parallelfor.Do(prices.Reader(), func(r *hashmap.Reader[string, int]) {
		k, v := r.At(1)
		fmt.Println(sum, r.Len(), k, v)
	})
	// Output: 20 2 pear 3
}

// Each batch changes the values of its own keys.
func ExampleWriter() {
	prices := hashmap.New[string, int]()
	prices.Store("apple", 2)
	prices.Store("pear", 3)
	parallelfor.For(prices.Len(), prices.Writer(), func(w *hashmap.Writer[string, int], i int) {
		_, p := w.At(i)
		w.Set(i, 2*p)
	})
	for k, v := range prices.All() {
		fmt.Println(k, v)
	}
	// Output:
	// apple 4
	// pear 6
}

// Bodies use a map as any goroutines do.
func ExampleShared() {
	seen := hashmap.New[string, int]()
	parallelfor.For(100, seen.Shared(), func(s *hashmap.Shared[string, int], i int) {
		s.LoadOrStore(strconv.Itoa(i%10), i)
	})
	fmt.Println(seen.Len())
	// Output: 10
}
