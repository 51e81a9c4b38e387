package main

import "testing"

// The program ends the process when two ways differ.
func TestAllWaysCountTheSame(t *testing.T) { main() }
