// Package origin tells the library's functions from a program's, and names functions by where they
// are declared.
//
//	library.go  Library: whether a frame of a stack is the library's
//	name.go     Name: what a loop over a function is called
package origin
