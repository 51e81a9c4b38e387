package counter_test

import (
	"fmt"
	"testing"

	"example.com/custody/counter"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// What a container says is true, and is said whatever jobs run.
func TestContainersSayWhatTheyAre(t *testing.T) {
	const reads, appends = "job job reads it and has not finished", "job job appends to it and has not finished"
	named := safety.Named("hits")
	c, s, h := counter.New(named), counter.NewSum[float64](named), counter.NewHistogram(3, named)
	low, high := counter.NewMin[int](named), counter.NewMax[int](named)
	c.Add(7)
	s.Add(1.5)
	h.Add(1, 4)
	high.Observe(9)
	for _, c := range []lawtest.Says{
		{
			Of: c, Dispose: c.Dispose, Free: `counter.Counter "hits": 7`, Ended: `counter.Counter "hits": disposed`,
			Held: map[string]safety.View{
				`counter.Counter "hits": 7; ` + reads: new(c.Reader()),
				`counter.Counter "hits": ` + appends:  new(c.ParallelWriter()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*counter.Counter)(nil), "counter.Counter: never made": new(counter.Counter)},
		},
		{
			Of: s, Dispose: s.Dispose, Free: `counter.Sum[float64] "hits": 1.5`, Ended: `counter.Sum[float64] "hits": disposed`,
			Held: map[string]safety.View{
				`counter.Sum[float64] "hits": 1.5; ` + reads: new(s.Reader()),
				`counter.Sum[float64] "hits": ` + appends:    new(s.ParallelWriter()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*counter.Sum[int])(nil), "counter.Sum[int]: never made": new(counter.Sum[int])},
		},
		{
			Of: h, Dispose: h.Dispose, Free: `counter.Histogram "hits": 3 bins, total 4`, Ended: `counter.Histogram "hits": disposed`,
			Held: map[string]safety.View{`counter.Histogram "hits": ` + appends: new(h.ParallelWriter())},
			Zero: map[string]fmt.Stringer{"<nil>": (*counter.Histogram)(nil), "counter.Histogram: never made": new(counter.Histogram)},
		},
		{
			Of: low, Dispose: low.Dispose, Free: `counter.Min[int] "hits": nothing observed`, Ended: `counter.Min[int] "hits": disposed`,
			Held: map[string]safety.View{`counter.Min[int] "hits": ` + appends: new(low.ParallelWriter())},
			Zero: map[string]fmt.Stringer{"<nil>": (*counter.Min[int])(nil), "counter.Min[int]: never made": new(counter.Min[int])},
		},
		{
			Of: high, Dispose: high.Dispose, Free: `counter.Max[int] "hits": 9`, Ended: `counter.Max[int] "hits": disposed`,
			Held: map[string]safety.View{`counter.Max[int] "hits": ` + appends: new(high.ParallelWriter())},
			Zero: map[string]fmt.Stringer{"<nil>": (*counter.Max[int])(nil), "counter.Max[int]: never made": new(counter.Max[int])},
		},
	} {
		c.Check(t)
	}
}
