package main

func Example() {
	main()
	// Output:
	// 9592 primes, error: <nil>
}
