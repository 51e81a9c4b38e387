package hashmap

import (
	"testing"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

func TestSizesThatThereCannotBe(t *testing.T) {
	x := safety.Named("x")
	ints, wides := New[int, int](x), New[[100]int, string](x)
	lawtest.Sizes(t, map[string]lawtest.Size{
		"Grow":       {Container: `hashmap.Map[int,int] "x"`, Most: mostKeys, Do: func(n int) { ints.Grow(n) }},
		"Grow, wide": {Container: `hashmap.Map[[100]int,string] "x"`, Most: mostKeys, Do: func(n int) { wides.Grow(n) }},
	})
}
