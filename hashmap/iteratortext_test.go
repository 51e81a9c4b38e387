package hashmap_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/hashmap"
	"example.com/custody/internal/lawtest"
)

// A violation in an iterator names the method that returned it, also where that is not inlined.
func TestViolationsNameTheIterator(t *testing.T) {
	lawtest.CheckedOnly(t)
	m := hashmap.New[string, int]()
	var reader hashmap.Reader[string, int] // never assigned, as is writer
	var writer hashmap.Writer[string, int]
	all := m.All()
	m.Dispose()
	for want, use := range map[string]func(){
		"Map.All":    func() { _ = maps.Collect(all) },
		"Reader.All": func() { _ = maps.Collect(reader.All()) },
		"Writer.All": func() { _ = maps.Collect(writer.All()) },
	} {
		v := lawtest.Violation(t, func() error { use(); return nil })
		require.Contains(t, v.Error(), want+" was called on ", want)
	}
}
