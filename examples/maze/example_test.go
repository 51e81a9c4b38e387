package main

func Example() {
	main()
	// Output:
	// 692 steps, 692 rounds
}
