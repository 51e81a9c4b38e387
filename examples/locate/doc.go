// Locate finds motifs in the records of a FASTA file, on both strands, while the file is read. It
// writes the table that seqkit locate (github.com/shenwei356/seqkit) writes for DNA. Motifs keep
// their order within a record; seqkit ranges over a map of them, so with several motifs only its
// lines are the same. The program does the same record by record, and with goroutines that a map of
// late results puts in order, and fails unless every byte is equal. The loop prevents rows out of
// order, results that pile up behind a slow record, and rows behind the first bad one.
package main
