//go:build !race

package main

// reports returns how many races a detector that is not there has reported.
func reports() int { return 0 }
