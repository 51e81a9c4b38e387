// Scaling measures small programs and loops with 1, 2, 4 … goroutines, up to the number of
// processors. It prints what a simulated machine predicts for them, up to 64. See docs/scaling.md.
//
//	go -C bench run ./scaling [-pages DIR]
//
// A line of the table is a program with a number of goroutines. It has the time of an operation, of
// all goroutines together, as measured and as predicted, and how far the prediction is off. The
// measured time is the median of rounds that have every program once. A tenth of the rounds are
// below "from", and a tenth above "to". The last column is the transfers of cache lines that an
// operation takes in the simulation.
//
// The simulated machine is fitted to the programs that are marked "fitted": an operation that does
// nothing, additions to one number by one and by two goroutines, and additions to one number of 16
// by two. What another operation computes besides is taken from one goroutine, so the prediction is
// one for two and more.
//
// A line of the second table is a parallel loop with a number of workers, and how many times as
// fast as a plain loop it is. A tenth of the rounds are faster than "measured": other processes
// make loops slower, and none makes them faster.
package main
