//go:build !race

package main

// detector says that the build has the race detector.
const detector = false
