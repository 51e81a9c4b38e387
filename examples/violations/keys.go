package main

import (
	"image"

	"example.com/custody/safety"
	"example.com/custody/table"
)

// These misuse keys of tables, and ranges over rows.

var keys = []misuse{
	{"a Key is made after rows were staged", lateKey, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a table is to have two Keys", secondKey, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a Key is made of a nil function", nilKey, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a Key is made of a field that a column has", keyOfAColumn, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"a column of the field of the Key is to be written", writesKeys, safety.Violation{Kind: safety.ErrArgument, Container: heightName, Made: somewhere}, always},
	{"a row is set to one with another key", setsKey, safety.Violation{Kind: safety.ErrArgument, Container: ballsName, Made: somewhere}, always},
	{"rows are removed while the owner ranges over a table", appliesInRange, safety.Violation{Kind: safety.ErrBorrowed, Container: ballsName, Made: somewhere}, checked},
}

// A Key is made of a table that has rows already.
func lateKey() {
	balls, _ := newBalls()
	_ = table.KeyOf(balls, func(p *image.Point) *int { return &p.Y })
}

// A table gets a second Key.
func secondKey() {
	balls := table.New[image.Point](table.Named("balls"))
	_ = table.KeyOf(balls, func(p *image.Point) *int { return &p.Y })
	_ = table.KeyOf(balls, func(p *image.Point) *int { return &p.Y })
}

// A Key is made of no field of the rows.
func nilKey() {
	balls := table.New[image.Point](table.Named("balls"))
	_ = table.KeyOf[int](balls, nil)
}

// A Key is made of a field that a loop could write through a column.
func keyOfAColumn() {
	balls := table.New[image.Point](table.Named("balls"))
	_ = table.ColumnOf(balls, func(p *image.Point) *int { return &p.Y }, table.Named("height"))
	_ = table.KeyOf(balls, func(p *image.Point) *int { return &p.Y })
}

// A job is to write the keys of the rows. The Key would go on to find the rows by the old ones.
func writesKeys() {
	balls := table.New[image.Point](table.Named("balls"))
	_ = table.KeyOf(balls, func(p *image.Point) *int { return &p.Y })
	height := table.ColumnOf(balls, func(p *image.Point) *int { return &p.Y }, table.Named("height"))
	_ = height.Writer()
}

// A row is set to one with another key. The row keeps its key.
func setsKey() {
	balls := table.New[image.Point](table.Named("balls"))
	_ = table.KeyOf(balls, func(p *image.Point) *int { return &p.Y })
	id := balls.Add(image.Point{Y: 1})
	balls.Apply()
	balls.Set(id, image.Point{Y: 2})
}

// The owner ranges over the rows and removes each at once. The last row takes the place of the
// removed one, and the range would leave it out.
func appliesInRange() {
	balls, _ := newBalls()
	for id := range balls.All() {
		balls.Remove(id)
		balls.Apply()
	}
}
