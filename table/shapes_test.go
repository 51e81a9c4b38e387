package table_test

import "example.com/custody/table"

// The rows that several tests use. Each type costs the compiler another table, so a test has none
// of its own that differs from these in names only: body, thing, walker and held are others.

// anyKey is a row with a key of any kind, also of one that cannot be compared.
type anyKey struct{ Key any }

// keeper is a row that keeps something alive.
type keeper struct{ P *[64]int }

// removeAll stages the removal of the rows.
func removeAll[R any](t *table.Table[R], ids []table.ID) {
	for _, id := range ids {
		t.Remove(id)
	}
}
