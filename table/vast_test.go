package table_test

import (
	"testing"

	"example.com/custody/internal/lawtest"
	"example.com/custody/table"
)

// More rows than a table can have are refused when they are staged.
func TestNoLengthOverflows(t *testing.T) {
	lawtest.Vast(t, map[string]func(n int){
		"AddAll":         func(n int) { table.New[struct{}](table.Named("x")).AddAll(lawtest.Nothings(n), nil) },
		"AddAll, to ids": func(n int) { table.New[struct{}](table.Named("x")).AddAll(lawtest.Nothings(n), make([]table.ID, 5)) },
	})
}
