package main

func Example() {
	main()
	// Output:
	// minute 0 added 5 removed 286 left 719
	// minute 1 added 5 removed 144 left 580
	// minute 2 added 5 removed 144 left 441
	// minute 3 added 5 removed 144 left 302
	// user 70 has 4 hits
}
