package table_test

import (
	"fmt"

	"example.com/custody/table"
)

// Stats counts what a table has, and what its next Apply has to do.
func ExampleTable_Stats() {
	balls := table.New[Ball](table.Named("balls"))
	table.ColumnOf(balls, func(b *Ball) *float64 { return &b.Height })
	red := balls.Add(Ball{Name: "red"})
	balls.Apply()
	balls.Remove(red)
	balls.Add(Ball{Name: "blue"})
	s := balls.Stats()
	fmt.Println(s.Rows, "row,", s.Additions, "to be added,", s.Removals, "to be removed")
	// Output: 1 row, 1 to be added, 1 to be removed
}
