// Customcontainer counts the zeros of an array by the views of a counter that was made from scratch: one for single jobs, one that adds atomically,
// and one that adds plainly for each worker. It says how long each took compared with a plain loop, and with the library's
// own counter, and fails when they do not all count the same. The counter is in internal/tally.
//
//	go -C examples run ./customcontainer
//	go -C examples run ./customcontainer -batch 0 -n 100000000
//	go -C examples run ./customcontainer -misuses   break each of its rules once, and print what is said about it
//
// The times are medians of repetitions that take turns. Compare the ratios, not the times: they are from one run on one machine.
package main
