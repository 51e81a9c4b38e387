package counter_test

import (
	"testing"

	"example.com/custody/counter"
	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// The largest histogram leaves room for the cache line of counts on either side of a block.
func TestSizesThatThereCannotBe(t *testing.T) {
	lawtest.Sizes(t, map[string]lawtest.Size{
		"NewHistogram": {Container: `counter.Histogram "x"`, Least: 1, Most: lawtest.MostOf[int64](2 * pad.Line / 8), Do: func(n int) { counter.NewHistogram(n, safety.Named("x")) }},
	})
}
