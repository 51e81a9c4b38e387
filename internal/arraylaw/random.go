package arraylaw

import (
	"testing"

	"github.com/leanovate/gopter"

	"example.com/custody/internal/lawtest"
)

// Property tries p on a number of cases, scaled by lawtest.Rounds. A failure prints the smallest
// case and the line that replays it.
func Property(t *testing.T, cases int, name string, p gopter.Prop) {
	t.Helper()
	lawtest.Check(t, lawtest.Parameters(t, cases), name, p)
}
