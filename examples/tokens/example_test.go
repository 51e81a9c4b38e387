package main

func Example() {
	main()
	// Output:
	// 24 tokens in 5 lines
	// 0 of 6: "times"
	// 1 of 6: "worst"
	// 2 of 0: ""
	// 3 of 6: "wisdom"
	// 4 of 6: "foolishness"
}
