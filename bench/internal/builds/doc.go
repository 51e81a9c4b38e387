// Package builds compares builds of the library: the same work in processes of the checked build
// and of the unchecked one, and loops beside goroutines in processes of the build with the race
// detector.
package builds
