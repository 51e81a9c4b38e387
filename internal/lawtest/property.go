package lawtest

import (
	"bytes"
	"testing"

	"github.com/leanovate/gopter"
)

// Check tries a property and reports a failure with the smallest case. The property is the only one
// of its run, because several properties of a run would share their random numbers.
func Check(t testing.TB, parameters *gopter.TestParameters, name string, p gopter.Prop) {
	t.Helper()
	properties := gopter.NewProperties(parameters)
	properties.Property(name, p)
	var out bytes.Buffer
	if !properties.Run(gopter.NewFormatedReporter(true, 100, &out)) {
		t.Error(out.String())
	}
}
