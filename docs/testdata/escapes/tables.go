package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// newTable returns a table of four rows, each a chunk.
func newTable() (*table.Table[int], *table.Column[int]) {
	t := table.New[int](table.Named("t"), table.ChunkRows(1))
	c := table.ColumnOf(t, func(row *int) *int { return row }, table.Named("c"))
	t.AddAll(make([]int, 4), nil)
	t.Apply()
	return t, c
}

// two are the options of a loop by two workers, except the batch, which is the table's.
func two() []parallelfor.Option { return each(2)[1:] }

func tableApplied() {
	t, c := newTable()
	table.For(t.Rows(), c.Writer(), func(w *array.Writer[int], i int) {
		if i == 1 {
			t.Apply()
		}
	}, two()...)
}

func tableRow() {
	t, c := newTable()
	id := t.ID(0)
	table.For(t.Rows(), c.Writer(), func(w *array.Writer[int], i int) {
		if i == 1 {
			sink, _ = t.RowOf(id)
		}
	}, two()...)
}

func tableStaged() {
	t, c := newTable()
	table.For(t.Rows(), c.Writer(), func(w *array.Writer[int], i int) {
		if i == 1 {
			t.Add(1)
		}
	}, two()...)
	t.Apply()
}

func lookupKept() {
	t, _ := newTable()
	id := t.ID(0)
	var kept table.Lookup
	parallelfor.For(1, t.Lookup(), func(l *table.Lookup, i int) { kept = *l }, each(1)...)
	sink, _ = kept.RowOf(id)
}

func columnSlice() {
	t, c := newTable()
	s := c.Slice()
	h := table.Schedule(t.Rows(), reading{c.Reader()}, (*reading).Execute, two()...)
	for !h.Finished() {
		nap()
	}
	s[0] = 1
	h.Complete()
}

func columnMoved() {
	t, c := newTable()
	s := c.Slice()
	t.Remove(t.ID(0))
	t.Apply()
	s[3] = 1 // which was the row that is the first one now
}
