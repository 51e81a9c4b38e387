// Spatialhash moves particles that push each other away. At each step one parallel loop puts every particle into the
// group of its cell of space, a second one finds out who is near whom, and a third moves them. It does the same
// in plain loops, step by step in turns, and says how many times as fast the parallel ones were.
//
//	go -C examples run ./spatialhash
//	go -C examples run ./spatialhash -n 1000000 -crowd 5 -steps 5
//	go -C examples run ./spatialhash -verify -workers 7   prove both runs equal, bit for bit
//
// It exits with 1 when with -verify the runs differ, and with 2 when its arguments make no sense. Compare the ratios of
// one run, not the times of two.
package main
