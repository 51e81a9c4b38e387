package main

func Example() {
	main()
	// Output:
	// 10000 lines, 6 different
	// 0 host-0
	// 1 host-1
	// 2 host-4
	// 3 host-9
	// 4 host-5
	// 5 host-3
}
