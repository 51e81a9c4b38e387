package main

func Example() {
	main()
	// Output:
	// Ann  143 orders   85371 cents
	// Bob  571 orders  342386 cents
	// Cy   286 orders  171743 cents
	// total 599500 cents
}
