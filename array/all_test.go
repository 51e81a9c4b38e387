package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type appendingOne struct{ Out array.ParallelWriter[int] }

func (j *appendingOne) Execute(i int) { j.Out.Append(i) }

// A range ends at the length that the container had at its beginning, also when the loop, or a job
// that the loop runs, adds elements.
func TestARangeOverWhatItsLoopAddsToEnds(t *testing.T) {
	list := array.ListOf([]int{1, 2, 3})
	n := 0
	for range list.All() {
		require.Less(t, n, 3)
		list.Append(4)
		parallelfor.For(2, appendingOne{list.ParallelWriter()}, (*appendingOne).Execute)
		n++
	}
	require.Equal(t, 3, n)
	require.Equal(t, 3+3*3, list.Len())

	stream := array.StreamOf([][]int{{1}, {2, 3}})
	n = 0
	for range stream.All() {
		require.Less(t, n, 2)
		stream.AppendRow(4)
		n++
	}
	require.Equal(t, 2, n)
}

// A range ends earlier when the loop removes elements, and yields the others at their new indices.
func TestARangeOverWhatItsLoopTakesFromEnds(t *testing.T) {
	list := array.ListOf([]int{1, 2, 3, 4})
	var seen []int
	for i, v := range list.All() {
		seen = append(seen, v)
		list.Remove(i)
	}
	require.Equal(t, []int{1, 3}, seen)
	require.Equal(t, []int{2, 4}, list.Slice())
	stream := array.StreamOf([][]int{{1}, {2, 3}})
	for range stream.All() {
		stream.Clear()
	}
	require.Zero(t, stream.Len())
}

// The next step of a range is a violation when the loop schedules a job that writes the list.
func TestARangeBesideAJobThatAddsIsAViolation(t *testing.T) {
	lawtest.CheckedOnly(t)
	list := array.ListOf([]int{1, 2, 3})
	var h parallelfor.Handle
	n := 0
	arraylaw.Breaks(t, safety.ErrInFlight, func() {
		for range list.All() {
			n++
			h = parallelfor.Schedule(2, appendingOne{list.ParallelWriter()}, (*appendingOne).Execute)
		}
	})
	h.Complete()
	require.Equal(t, 1, n)
}
