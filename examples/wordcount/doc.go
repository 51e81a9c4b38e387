// Wordcount counts the words of files in a parallel loop, whose batches merge their counts into one map, and in a plain loop
// over Go's map, in turns. It prints the most frequent words, and how many times as fast the parallel loop was. Without files
// it counts the words of a short text of its own.
//
//	go -C examples run ./wordcount
//	go -C examples run ./wordcount -top 5 -verify ~/texts/*.txt
//
// It exits with 1 when a file cannot be read, the others being counted all the same, or when with -verify the loops differ;
// with 2 when its arguments make no sense.
package main
