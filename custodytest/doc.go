// Package custodytest has assertions for tests of programs that use custody.
//
//	Violation   a function breaks a rule
//	Equivalent  a loop leaves the same results with any number of workers
//	NoLeaks     a test leaves no handle and no container behind
//
// Package fuzz tests containers and drivers that a program implements. This package tests programs
// that use them, and needs only the standard library.
//
// Guarantees of the functions (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Violation   any time  as f             as f                    the violation
//	Equivalent  switch    as run           40 calls of run         as run
//	NoLeaks     switch    as safety.Leaks  as safety.Leaks, twice  as safety.Leaks
//
// Map: violation.go, equivalent.go and leaks.go have one assertion each; differ.go finds where two
// values differ.
package custodytest
