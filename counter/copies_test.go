package counter_test

import (
	"testing"

	"example.com/custody/counter"
	"example.com/custody/internal/lawtest"
)

func TestEveryMethodOfACopyReportsIt(t *testing.T) {
	c := counter.New()
	lawtest.Copies(t, c, nil, nil)
	lawtest.Copies(t, counter.NewSum[float64](), nil, nil)
	lawtest.Copies(t, counter.NewMin[int](), nil, nil)
	lawtest.Copies(t, counter.NewMax[int](), nil, nil)
	lawtest.Copies(t, counter.NewHistogram(3), nil, nil)
	lawtest.Copies(t, c.Local(), nil, nil)
}
