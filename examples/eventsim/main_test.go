package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestEventsim(t *testing.T) {
	programtest.Program{Name: "eventsim", Run: run}.Simulates(t,
		[]string{"-n", "100", "-steps", "40"}, "100 nodes handled ",
		[]string{"-workers", "1"}, []string{"-workers", "2"}, []string{"-workers", "3"}, []string{"-workers", "8"},
		[]string{"-chunk", "1"}, []string{"-chunk", "7"}, []string{"-chunk", "1000"})
}

// The state of a node is out of reach for the batches of other nodes, on every run.
func TestANodeChangesNoOtherNode(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	w := newWorld(draw(10, 1))
	defer func() {
		v, _ := recover().(*safety.Violation)
		require.NotNil(t, v)
		require.ErrorIs(t, v, safety.ErrWriteRange)
	}()
	parallelfor.For(w.nodes.Len(), w.nodes.Writer(), func(nodes *array.Writer[node], k int) {
		nodes.Ptr((k+1)%10).handled++
	}, parallelfor.Batch(1), parallelfor.Sequential())
}
