package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// These misuse table.Changes, which names the changed rows to a loop.

var changes = []misuse{
	{"a loop over changes is given a Changes that was not made", changesOfNothing, safety.Violation{Kind: safety.ErrUnassigned,
		Container: ballsName, Made: somewhere}, always},
	{"a loop over the changes of a column has no view of it", changesUnseen, safety.Violation{Kind: safety.ErrArgument,
		Container: heightName, Job: "draw", Made: somewhere}, always},
	{"a loop runs over the changes of another table", changesOfAnother, safety.Violation{Kind: safety.ErrArgument,
		Container: ballsName, Made: somewhere}, always},
	{"changes are asked for of columns of two tables", changesOfTwo, safety.Violation{Kind: safety.ErrArgument,
		Container: `table.Column[int] "weight"`, Made: somewhere}, always},
	{"changes are asked for of no column", changesOfNone, safety.Violation{Kind: safety.ErrArgument}, always},
	{"two loops use one Changes at the same time", changesTwice, safety.Violation{Kind: safety.ErrArgument, Job: "draw", Container: ballsName, Made: somewhere}, always},
}

// A loop over changes is given the zero value of Changes.
func changesOfNothing() {
	balls, height := newBalls()
	table.For(balls.Rows().Changed(new(table.Changes)), draw{Height: height.Reader()}, (*draw).Execute)
}

// A loop over the changes of a column does not hold the column, so another job might write it
// meanwhile.
func changesUnseen() {
	balls, height := newBalls()
	moved := table.NewChanges(height)
	table.For(balls.Rows().Changed(moved), balls.IDs(), func(ids *array.Reader[table.ID], i int) { _ = ids.At(i) }, parallelfor.Name("draw"))
}

// A loop over the rows of one table is given the changes of another.
func changesOfAnother() {
	balls, height := newBalls()
	_, weight := newStones()
	table.For(balls.Rows().Changed(table.NewChanges(weight)), draw{Height: height.Reader()}, (*draw).Execute)
}

// One Changes is to remember the columns of two tables. They have different rows.
func changesOfTwo() {
	_, height := newBalls()
	_, weight := newStones()
	_ = table.NewChanges(height, weight)
}

// A Changes is made of a list of columns that turns out to be empty.
func changesOfNone() {
	var columns []table.AnyColumn
	_ = table.NewChanges(columns...)
}

// Two loops use one Changes, which holds the changes since the loop before. No loop is before the
// other.
func changesTwice() {
	balls, height := newBalls()
	moved := table.NewChanges(height)
	begun, end := make(chan bool), make(chan bool)
	first := table.Schedule(balls.Rows().Changed(moved), watching{Height: height.Reader(), Begun: begun, End: end}, (*watching).Execute)
	go first.Complete()
	<-begun
	defer first.Complete()
	defer close(end)
	table.For(balls.Rows().Changed(moved), draw{Height: height.Reader()}, (*draw).Execute)
}

type watching struct {
	Height     array.Reader[int]
	Begun, End chan bool `custody:"unguarded"`
}

func (j *watching) Execute(i int) {
	if i == 0 {
		close(j.Begun)
	}
	<-j.End
}
