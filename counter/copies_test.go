package counter_test

import (
	"testing"

	"example.com/custody/counter"
	"example.com/custody/internal/lawtest"
)

func TestEveryMethodOfACopyReportsIt(t *testing.T) {
	silent := map[string]string{
		"Disposed":  "it uses nothing of the container's contents",
		"String":    "its text tells that it is a copy",
		"OpenPhase": "a driver calls it", "SealPhase": "a driver calls it",
	}
	c := counter.New()
	lawtest.Copies(t, c, nil, silent)
	lawtest.Copies(t, counter.NewSum[float64](), nil, silent)
	lawtest.Copies(t, counter.NewMin[int](), nil, silent)
	lawtest.Copies(t, counter.NewMax[int](), nil, silent)
	lawtest.Copies(t, counter.NewHistogram(3), nil, silent)
	lawtest.Copies(t, c.Local(), nil, nil)
}
