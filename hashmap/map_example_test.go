package hashmap_test

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"

	"example.com/custody/hashmap"
)

// Goroutines count words in one map.
func ExampleMap() {
	text := "the cat and the dog and the bird"
	counts := hashmap.New[string, int]()
	var all sync.WaitGroup
	for word := range strings.FieldsSeq(text) {
		all.Go(func() {
			counts.Compute(word, func(n int, _ bool) (int, hashmap.Op) { return n + 1, hashmap.Update })
		})
	}
	all.Wait()
	n, _ := counts.Load("the")
	_, ok := counts.Load("cow")
	fmt.Println(n, ok, counts.Len())
	// Output: 3 false 5
}

// A function that computes a value says what becomes of the key.
func ExampleOp() {
	stock := hashmap.New[string, int]()
	stock.Store("apple", 2)
	take := func(what string) bool {
		_, ok := stock.Compute(what, func(n int, there bool) (int, hashmap.Op) {
			switch {
			case !there:
				return 0, hashmap.Keep
			case n == 1:
				return 0, hashmap.Delete
			}
			return n - 1, hashmap.Update
		})
		return ok
	}
	fmt.Println(take("apple"), take("apple"), take("apple"), stock.Len())
	// Output: true false false 0
}

// folding takes keys for equal that differ in upper and lower case only.
type folding struct{}

func (folding) Hash(h *maphash.Hash, k string) { h.WriteString(strings.ToLower(k)) }
func (folding) Equal(a, b string) bool         { return strings.EqualFold(a, b) }

func ExampleHasher() {
	headers := hashmap.NewWith[string, int](folding{})
	headers.Store("Content-Length", 512)
	v, ok := headers.Load("content-length")
	fmt.Println(v, ok)
	// Output: 512 true
}
