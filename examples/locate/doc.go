// Locate finds motifs in the records of a FASTA file, on both strands, and writes a row for each
// place in the order of the file, while the file is read. The program does the same record by
// record, and with goroutines that a map of late results puts in order, and fails unless every byte
// is equal.
package main
