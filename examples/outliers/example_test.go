package main

func Example() {
	main()
	// Output:
	// mean 20.0007, outliers [0.007 25.007 50.007 75.007]
}
