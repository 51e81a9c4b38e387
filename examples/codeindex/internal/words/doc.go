// Package words indexes a source tree: which lines of which files an identifier stands in.
//
//	posting.go     Posting: a line of a file
//	scan.go        what an identifier is
//	collect.go     collector: what the files of a batch have, each identifier's text once
//	parallel.go    the parallel loops: a job that adds the lines of identifiers to a multimap
//	sequential.go  the loop without the library: the reference
//	index.go       Index: what both make, and what can be asked of it
//	lookup.go      questions that look at all identifiers: the most frequent ones, and those that begin with something
//	query.go       Query: which lines are wanted; answer.go finds and prints them
//	measure.go     both loops in turns; verify.go whether two indexes are the same; report.go what is said of one
//
// An index is the same however many workers made it: the multimap has the identifiers in the order in which the
// sequential loop comes upon them, and the lines of each in the order of files and lines.
//
// # Memory
//
// A posting is 8 bytes, and there is one for each identifier of each line. An identifier's text is a string of its own,
// never a part of a file's text, which that would keep in memory as a whole. While the loop runs, each batch of files has
// its own copy of every identifier that it has come upon; the index keeps the first, and the others are garbage when
// it is made. A posting that a loop adds takes some 60 bytes more until the multimap has grouped it, so the files are
// indexed in several loops, of which only one's postings take that at a time. What stands in the lines is not kept: it is
// read again for an answer.
package words
