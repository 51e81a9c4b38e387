package main

import "fmt"

func Example() {
	main()
	fmt.Println(words.FindAllString("don't 'quote' 2nd größe a''b", -1))
	// Output:
	// 271 words, 124 different
	// 29  the
	// 10  and
	// 8  a
	// 7  book
	// 7  of
	// 7  to
	// 6  it
	// 6  they
	// 4  each
	// 4  first
	// [don't quote 2nd größe a b]
}
