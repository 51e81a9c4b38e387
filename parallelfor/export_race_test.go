//go:build race && !custody_explore

package parallelfor

// MostParked is how many goroutines of batches that have ended may wait for the ends of their
// loops.
const MostParked = mostParked

// Parked returns how many do.
func Parked() int { return int(parked.Load()) }
