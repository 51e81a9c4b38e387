package lawtest

import (
	"bytes"
	"testing"

	"github.com/leanovate/gopter"
)

// Check tries a property, which is the only one of its run: two in one would share their randomness. A
// failure is reported with the smallest case.
func Check(t testing.TB, parameters *gopter.TestParameters, name string, p gopter.Prop) {
	t.Helper()
	properties := gopter.NewProperties(parameters)
	properties.Property(name, p)
	var out bytes.Buffer
	if !properties.Run(gopter.NewFormatedReporter(true, 100, &out)) {
		t.Error(out.String())
	}
}
