// Package elem lets code that is compiled once work on memory of any type of elements: generic
// types are thin faces over such code, because each package that uses a generic type compiles it
// anew.
package elem
