// Package custodytest has assertions for the tests of programs that use custody: that a rule is broken ([Violation]), that a loop leaves the same at any
// number of workers ([Equivalent]), that a test leaves no handle and no container behind ([NoLeaks]).
//
// Package fuzz tests containers and drivers of one's own; this one tests what is made of them, and needs nothing but the standard library.
//
//	violation.go   Violation
//	equivalent.go  Equivalent; differ.go where two values differ
//	leaks.go       NoLeaks
package custodytest
