package main

func Example() {
	main()
	// Output:
	// 5 cells live after 20 generations
	// .....
	// ..#..
	// ...#.
	// .###.
	// .....
}
