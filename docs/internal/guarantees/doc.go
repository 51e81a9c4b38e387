// Package guarantees reads the rows of guarantees in doc comments, which docs/consistency.md shows,
// and counts the allocations of what never allocates by them.
//
//	rows.go              the rows of comments, and the tables of the page
//	allocations_test.go  what the rows promise, and how it is counted
//	driven_test.go       a driver of jobs of one batch, for what only drivers call
//	array_test.go ...    the calls, by package
package guarantees
