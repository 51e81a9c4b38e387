// Scaling measures small programs with 1, 2, 4 … goroutines, up to the number of processors, and
// says what a simulated machine predicts for them, up to 64. See docs/scaling.md.
//
//	go -C bench run ./scaling
//
// A line of the table is a program with a number of goroutines. It has the time of an operation, of
// all goroutines together, as measured and as predicted, and how far the prediction is off. The
// last column is the transfers of cache lines that an operation takes in the simulation.
//
// The simulated machine has the transfers and the atomic additions of this one. What an operation
// computes besides is taken from one goroutine, so the prediction is one for two and more. On a
// machine with many processors the table tells which predictions hold.
package main
