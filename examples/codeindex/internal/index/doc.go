// Package index counts what is in the files of a source tree: lines, words, bytes and zero bytes, for
// each file and each extension, and how often each byte occurs.
//
//	tree.go        Tree: the files to count, as package files finds them, each with the number of its extension
//	tally.go       Tally: the counts of one file; the scanner that makes them
//	read.go        one file, block by block through the scanner
//	result.go      Result: everything that was counted
//	parallel.go    the parallel loop: a job whose views say what it reads, writes and adds to
//	sequential.go  the loop without the library: the reference
//	verify.go      whether two results are the same
//	measure.go     both loops in turns; speed.go the times
//	report.go      the table
//
// A result is the same however many workers made it: per-file counts lie in arrays by index, counts by
// extension are sums of integers, and a file that could not be read is an error at its index.
package index
