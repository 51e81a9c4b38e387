// Package builds compares the checked build of the library with the unchecked one: the same work in
// processes of either.
package builds
