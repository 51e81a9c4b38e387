package arraylaw

import (
	"bytes"
	"testing"

	"github.com/leanovate/gopter"

	"example.com/custody/internal/lawtest"
)

// Property tries p on as many cases as lawtest.Rounds makes of that number. A failure prints the
// smallest case, and the line that replays it.
func Property(t *testing.T, cases int, name string, p gopter.Prop) {
	t.Helper()
	properties := gopter.NewProperties(lawtest.Parameters(t, cases))
	properties.Property(name, p)
	var out bytes.Buffer
	if !properties.Run(gopter.NewFormatedReporter(true, 100, &out)) {
		t.Error(out.String())
	}
}
