package main

import (
	"testing"

	"example.com/custody/examples/internal/program/programtest"
)

func TestFixedupdate(t *testing.T) {
	programtest.Program{Name: "fixedupdate", Run: run}.Simulates(t,
		[]string{"-n", "500", "-steps", "30"}, "1700 objects were made in 30 steps\n",
		[]string{"-workers", "1"}, []string{"-workers", "7"}, []string{"-chunk", "3"})
}
