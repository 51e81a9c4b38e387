package main

func Example() {
	main()
	// Output:
	// minute 0: 5 added, 286 removed, 719 left
	// minute 1: 5 added, 144 removed, 580 left
	// minute 2: 5 added, 144 removed, 441 left
	// minute 3: 5 added, 144 removed, 302 left
	// user 70 has 4 hits
}
