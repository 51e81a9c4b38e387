package main

func Example() {
	main()
	// Output:
	// mean 20.921
	// mean 19.373
	// mean 20.132
	// mean 20.406
	// mean 19.187
	// errors: <nil> <nil>
}
