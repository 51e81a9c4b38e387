// Countzeros counts the zeros of an array that nobody changes: with a local variable, with one atomic
// that all workers share, and with a counter of the library, index by index and batch by batch. It says
// how long each took compared with the local variable, and fails when they do not all count the same.
//
//	go -C examples run ./countzeros
//	go -C examples run ./countzeros -batch 0 -n 100000000
//
// The times are medians of repetitions that take turns. Compare the ratios, not the times: they are
// from one run on one machine.
package main
