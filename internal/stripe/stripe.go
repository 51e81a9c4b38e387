package stripe

import "math/bits"

// Count returns how many cells suit procs processors: the power of two at or above four for each, so
// that two goroutines that run at the same time seldom get the same one, at most 128.
func Count(procs int) int {
	n := 4 * min(max(procs, 1), 32)
	return 1 << bits.Len(uint(n-1))
}
