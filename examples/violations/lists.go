package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse lists and streams, to which loops append.

const (
	listName   = `array.List[int] "l"`
	streamName = `array.Stream[int] "s"`
)

var listsAndStreams = []misuse{
	{"two jobs append to a list and were not ordered", appendsTwice, safety.Violation{Kind: safety.ErrConflict,
		Container: listName, Job: "more", Field: "Out", OtherJob: "gather", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner appends to a list that a job appends to", ownerAppends, safety.Violation{Kind: safety.ErrInFlight,
		Container: listName, OtherJob: "gather", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner asks how many rows a stream has that a job fills", ownerCounts, safety.Violation{Kind: safety.ErrInFlight,
		Container: streamName, OtherJob: "find", Made: somewhere, Scheduled: somewhere}, checked},
	{"a loop appends to the row of another batch", rowOfAnother, safety.Violation{Kind: safety.ErrWriteRange,
		Container: streamName, Job: "find", Index: 1, Min: 0, Max: 1, Made: somewhere}, always},
	{"a batch goes back to an earlier row", rowsBack, safety.Violation{Kind: safety.ErrArgument,
		Container: streamName, Job: "find", Index: 2, Min: 0, Max: 4, Made: somewhere}, always},
	{"a nested job appends to two rows", twoRows, safety.Violation{Kind: safety.ErrArgument,
		Container: streamName, Job: "pair", Made: somewhere}, always},
	{"a body appends to the next row before it uses the row that it took", rowGone, safety.Violation{Kind: safety.ErrArgument,
		Container: streamName, Job: "late", Made: somewhere}, always},
	{"a loop over a list is longer than the list turns out to be", longerThanItTurnsOut, safety.Violation{Kind: safety.ErrLength,
		Container: listName, Job: "number", Field: "Out", N: 8, Length: 5, Made: somewhere}, always},
	{"elements are taken out that a list does not have", removesTooMuch, safety.Violation{Kind: safety.ErrIndex,
		Container: listName, Index: 2, Min: 2, Max: 6, Length: 5, Made: somewhere}, always},
}

func newList() *array.List[int] { return array.ListOf([]int{1, 2, 3, 4, 5}, safety.Named("l")) }

func newStream() *array.Stream[int] { return array.NewStream[int](safety.Named("s")) }

type gather struct{ Out array.ParallelWriter[int] }

func (j *gather) Execute(i int) { j.Out.Append(i) }

type number struct{ Out array.Writer[int] }

func (j *number) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.Out.Set(i, i)
	}
}

type pair struct{ A, B array.StreamRow[int] }

func (j *pair) Execute() {
	j.A.Append(1)
	j.B.Append(2)
}

// Two jobs append to a list. Only After says whose items come first.
func appendsTwice() {
	l := newList()
	first := parallelfor.Schedule(10, gather{Out: l.ParallelWriter()}, (*gather).Execute, parallelfor.Inline())
	defer first.Complete()
	parallelfor.For(10, gather{Out: l.ParallelWriter()}, (*gather).Execute, parallelfor.Name("more")) // no parallelfor.After(first)
}

// The owner adds an element behind those that a job appends, which has not been completed.
func ownerAppends() {
	l := newList()
	h := parallelfor.Schedule(10, gather{Out: l.ParallelWriter()}, (*gather).Execute, parallelfor.Inline())
	defer h.Complete()
	l.Append(6)
}

// The owner asks how many rows a stream has that a job fills. A loop over the rows is scheduled
// with -1 and parallelfor.LengthOf.
func ownerCounts() {
	s := newStream()
	h := parallelfor.Go(s.ParallelWriter(), func(w *array.StreamParallelWriter[int]) { w.Append(3, 1) }, parallelfor.Name("find"), parallelfor.Inline())
	defer h.Complete()
	_ = s.Len()
}

// A loop also appends to the row of its neighbour. A hashmap.MultiMap has groups to which every
// index may add.
func rowOfAnother() {
	s := newStream()
	parallelfor.ForBatch(4, s.ParallelWriter(), func(w *array.StreamParallelWriter[int], begin, end int) {
		w.Append(begin, begin)
		w.Append(end, begin)
	}, parallelfor.Name("find"), parallelfor.Batch(1), parallelfor.Sequential())
}

// A batch passes over its rows from the last to the first.
func rowsBack() {
	s := newStream()
	parallelfor.ForBatch(4, s.ParallelWriter(), func(w *array.StreamParallelWriter[int], begin, end int) {
		for i := end - 1; i >= begin; i-- {
			w.Append(i, i)
		}
	}, parallelfor.Name("find"), parallelfor.Batch(4))
}

// A body passes two of its rows on to one job, which could append to both in any order.
func twoRows() {
	s := newStream()
	parallelfor.ForBatch(2, s.ParallelWriter(), func(w *array.StreamParallelWriter[int], begin, end int) {
		parallelfor.Do(pair{w.Row(begin), w.Row(begin + 1)}, (*pair).Execute)
	}, parallelfor.Batch(2))
}

// A body takes a row, appends to the next one, and then passes on the first.
func rowGone() {
	s := newStream()
	parallelfor.ForBatch(2, s.ParallelWriter(), func(w *array.StreamParallelWriter[int], begin, end int) {
		row := w.Row(begin)
		w.Append(begin+1, 1)
		parallelfor.Do(row, func(r *array.StreamRow[int]) { r.Append(2) }, parallelfor.Name("late"))
	}, parallelfor.Batch(2))
}

// A loop over the elements of a list is given a number of indices before the number of elements is
// known.
func longerThanItTurnsOut() {
	l := array.NewList[int](safety.Named("l"))
	first := parallelfor.Schedule(5, gather{Out: l.ParallelWriter()}, (*gather).Execute)
	parallelfor.ForBatch(8, number{Out: l.Writer()}, (*number).ExecuteBatch, parallelfor.After(first), parallelfor.Batch(8))
}

// Four elements are removed from index 2, of five.
func removesTooMuch() {
	l := newList()
	l.RemoveRange(2, 6)
}
