// Package programtest is what the tests of the example programs have in common: they run a program
// as a shell does, and look at its exit status and at what it writes.
package programtest
