// Command ratios compares the library with the fastest programs in plain Go and with other
// libraries. It prints for each comparison a ratio measured in this run and the bar that it should
// not exceed. It also writes the rows as JSON, and makes BENCHMARKS.md, its table of all rows and
// its charts, of this run or of the JSON of another one.
//
//	go -C bench run ./ratios [-only GROUP] [-peers] [-full] [-reps N] [-sample D] [-fail]
//		[-json FILE] [-pages DIR] [-note TEXT]
//	go -C bench run ./ratios -from FILE -pages DIR
package main
