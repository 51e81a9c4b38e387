package main

func Example() {
	main()
	// Output:
	// frame 0: 167 bounces
	// the first is ball 0 at the left wall
	// frame 1: 416 bounces
	// the first is ball 84 at the left wall
	// frame 2: 247 bounces
	// the first is ball 0 at the right wall
}
