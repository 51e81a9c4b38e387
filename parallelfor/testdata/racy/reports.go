//go:build race

package main

import "runtime"

// reports returns how many races the detector has reported.
func reports() int { return runtime.RaceErrors() }
