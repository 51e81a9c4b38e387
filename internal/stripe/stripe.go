package stripe

import "math/bits"

// Count returns the number of cells for procs processors: the power of two at or above 4 for each
// processor, at most 128. With so many, two goroutines that run at the same time seldom get the
// same cell.
func Count(procs int) int {
	n := 4 * min(max(procs, 1), 32)
	return 1 << bits.Len(uint(n-1))
}
