// Router searches the cheapest ways over a grid, from one start to several goals, in parallel: by a job for each goal, by one loop
// over the goals, and by rounds in which many owners work on one search. It does the same one after the other and says how many times
// as fast the parallel searches were.
//
//	go -C examples run ./router
//	go -C examples run ./router -size 1000 -verify -workers 7   prove all searches right, and equal to the sequential ones
//	go -C examples run ./router -png ways.png -timeline jobs.svg
//	go -C examples run ./router -missing-mark                   what the library says when jobs do not say that they only read
//
// It exits with 1 when with -verify something is wrong or a file cannot be written, and with 2 when its arguments make no sense.
// Compare the ratios of one run, not the times of two.
package main
