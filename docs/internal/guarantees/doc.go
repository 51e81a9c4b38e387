// Package guarantees reads the tables of docs/consistency.md, and counts the allocations of what never allocates by them.
//
//	rows.go              the tables, row by row
//	allocations_test.go  what the page promises, and how it is counted
//	driven_test.go       a driver of jobs of one cell, for what only drivers call
//	array_test.go ...    the calls, by package
package guarantees
