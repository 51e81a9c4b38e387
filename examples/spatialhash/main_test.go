package main

import (
	"testing"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
)

func TestSpatialhash(t *testing.T) {
	programtest.Program{Name: "spatialhash", Run: run}.Simulates(t,
		[]string{"-n", "3000", "-steps", "4"}, "3000 particles in 11 x 11 x 11 cells, 4 steps\n",
		[]string{"-workers", "1"}, []string{"-workers", "7"}, []string{"-chunk", "3"})
}

func TestNeighboursAreAllThatAreNear(t *testing.T) {
	places, velocities, edge := begin(program.Options{N: 1000, Seed: 3})
	near := int64(0)
	all := make([]int32, len(places))
	for i := range all {
		all[i] = int32(i)
	}
	for i := range places {
		near += new(vec).add(i, places, all)
	}
	w := newWorld(places, velocities, edge)
	w.step()
	if w.near.Value() != near || near == 0 {
		t.Error(w.near.Value(), "neighbours, and not", near)
	}
}
