//go:build race

package parallelfor_test

// raceFactor makes cells longer where each is a goroutine.
const raceFactor = 1
