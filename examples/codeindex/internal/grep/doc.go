// Package grep finds the lines of a source tree that match a pattern.
//
//	query.go       Query: what is searched for, and where
//	searcher.go    searcher: the lines of one file, which it gets block by block
//	finding.go     Finding: a matching line, or that a file could not be searched
//	pipeline.go    Parallel: a walker, a loop that searches batch by batch, and a printer, at the same time
//	job.go         the job that searches the files of a batch
//	stages.go      goroutines that end together
//	sequential.go  Sequential: the same without the library: the reference
//	printer.go     Printer: findings as lines of text, counted
//
// # The pipeline
//
//	walker --- Ring of files ---> search --- Ring of Queues ---> printer
//	                                 ^                              |
//	                                 +------ Ring of Queues --------+
//
// The rings are bounded: a stage that is ahead waits, and of a huge tree only so much is in memory. The
// search takes the files that are there and has a parallel loop append what it finds in them to a Queue,
// through a ParallelWriter: in file and line order, at any number of workers. Then the Queue goes to the
// printer, which empties it while the next batch goes into another one.
//
// When a stage fails, or the context ends, the others' waits end with the cause; all stages have ended when
// Parallel returns.
package grep
