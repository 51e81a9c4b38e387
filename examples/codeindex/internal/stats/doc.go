// Package stats says what is in a source tree: how many files, bytes, lines and identifiers, which files are the largest, and which
// identifiers the most frequent.
//
//	facts.go       Facts of a file, and Total of all
//	gather.go      gatherer: what the files of a batch have, each identifier's text once
//	result.go      Result: all that is said of a tree; how its lists are ordered
//	parallel.go    the parallel loops: a job that writes facts and merges counts, and folds over what it has left
//	sequential.go  the loop without the library: the reference
//	verify.go      whether two results are the same
//	report.go      what is said of one
//
// A result is the same however many workers made it: facts lie in an array by index, the map has the identifiers in the order in which the
// sequential loop comes upon them, and the lists are folded in the order of the batches.
package stats
