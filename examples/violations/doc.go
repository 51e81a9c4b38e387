// Violations commits every kind of misuse that the library knows, recovers, and prints what the
// library says, under the lines that did it.
//
//	go -C examples run ./violations
//
// The output is the same on every run, at any number of processors: a misuse is not a matter of
// luck. It exits with 1 when a misuse was not reported as what it is. With -doc docs it writes the
// list of all kinds into docs/violations.md, and a page for each kind below docs/violations.
package main
