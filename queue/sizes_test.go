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
		_ uint64
		_ [100]int
	}
	lawtest.Sizes(t, map[string]lawtest.Size{
		"NewRing":  {Container: `queue.Ring[[100]int] "x"`, Least: 1, Most: lawtest.MostOf[slot](0), Do: func(n int) { queue.NewRing[[100]int](n, x) }},
		"NewSPSC":  {Container: `queue.SPSC[int] "x"`, Least: 1, Most: lawtest.MostOf[int](0), Do: func(n int) { queue.NewSPSC[int](n, x) }},
		"nothings": {Container: `queue.SPSC[struct {}] "x"`, Least: 1, Most: lawtest.MostOf[byte](0), Do: func(n int) { queue.NewSPSC[struct{}](n, x) }},
		"Reserve":  {Container: `queue.SPSC[int] "x"`, Most: math.MaxInt, Do: func(n int) { q.Producer().Reserve(n) }},
		"Look":     {Container: `queue.SPSC[int] "x"`, Most: math.MaxInt, Do: func(n int) { q.Consumer().Look(n) }},
	})
	require.Equal(t, 4, new(q.Producer().Reserve(math.MaxInt)).Len())
}
