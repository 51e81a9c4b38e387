package queue_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

func TestSizesThatThereCannotBe(t *testing.T) {
	x := safety.Named("x")
	q := queue.NewSPSC[int](4, x)
	type slot struct { // a ring's
		stamp uint64
		item  [100]int
	}
	lawtest.Sizes(t, map[string]lawtest.Size{
		"NewRing":  {`queue.Ring[[100]int] "x"`, 1, lawtest.MostOf[slot](0), func(n int) { queue.NewRing[[100]int](n, x) }},
		"NewSPSC":  {`queue.SPSC[int] "x"`, 1, lawtest.MostOf[int](0), func(n int) { queue.NewSPSC[int](n, x) }},
		"nothings": {`queue.SPSC[struct {}] "x"`, 1, lawtest.MostOf[byte](0), func(n int) { queue.NewSPSC[struct{}](n, x) }},
		"Reserve":  {`queue.SPSC[int] "x"`, 0, math.MaxInt, func(n int) { q.Producer().Reserve(n) }},
		"Look":     {`queue.SPSC[int] "x"`, 0, math.MaxInt, func(n int) { q.Consumer().Look(n) }},
	})
	require.Equal(t, 4, ptr(q.Producer().Reserve(math.MaxInt)).Len())
}

func ptr[T any](v T) *T { return &v }
