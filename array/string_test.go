package array_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What a container says is true, and is said whatever jobs run.
func TestContainersSayWhatTheyAre(t *testing.T) {
	const reads, writes, appends = "job job reads it and has not finished", "job job writes it and has not finished", "job job appends to it and has not finished"
	named := safety.Named("heights")
	a, l, v := array.New[int32](3, named), array.ListOf([]int32{1, 2}, named), array.NewValue(1.5, named)
	d, dl, s := array.NewDouble[int32](1, named), array.NewDoubleList[int32](named), array.StreamOf([][]int32{{1, 2}, {3}}, named)
	for _, c := range []lawtest.Says{
		{
			Of: a, Dispose: a.Dispose, Free: `array.Array[int32] "heights": 3 elements`, Ended: `array.Array[int32] "heights": disposed`,
			Held: map[string]safety.View{
				`array.Array[int32] "heights": 3 elements; ` + reads: new(a.Reader()),
				`array.Array[int32] "heights": ` + writes:            new(a.Writer()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.Array[int32])(nil), "array.Array[int32]: never made": new(array.Array[int32])},
		},
		{
			Of: l, Dispose: l.Dispose, Free: `array.List[int32] "heights": 2 elements`, Ended: `array.List[int32] "heights": disposed`,
			Held: map[string]safety.View{
				`array.List[int32] "heights": 2 elements; ` + reads: new(l.Reader()),
				`array.List[int32] "heights": ` + appends:           new(l.ParallelWriter()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.List[int32])(nil), "array.List[int32]: never made": new(array.List[int32])},
		},
		{
			Of: d, Dispose: d.Dispose, Free: `array.Double[int32] "heights": 1 element`, Ended: `array.Double[int32] "heights": disposed`,
			Held: map[string]safety.View{
				`array.Double[int32] "heights": 1 element; ` + reads:  new(d.Reader()),
				`array.Double[int32] "heights": 1 element; ` + writes: new(d.Writer()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.Double[int32])(nil), "array.Double[int32]: never made": new(array.Double[int32])},
		},
		{
			Of: dl, Dispose: dl.Dispose, Free: `array.DoubleList[int32] "heights": 0 elements`, Ended: `array.DoubleList[int32] "heights": disposed`,
			Held: map[string]safety.View{`array.DoubleList[int32] "heights": 0 elements; ` + appends: new(dl.ParallelWriter())},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.DoubleList[int32])(nil), "array.DoubleList[int32]: never made": new(array.DoubleList[int32])},
		},
		{
			Of: s, Dispose: s.Dispose, Free: `array.Stream[int32] "heights": 2 rows of 3 items`, Ended: `array.Stream[int32] "heights": disposed`,
			Held: map[string]safety.View{
				`array.Stream[int32] "heights": 2 rows of 3 items; ` + reads: new(s.Reader()),
				`array.Stream[int32] "heights": ` + writes:                   new(s.Writer()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.Stream[int32])(nil), "array.Stream[int32]: never made": new(array.Stream[int32])},
		},
		{
			Of: v, Dispose: v.Dispose, Free: `array.Value[float64] "heights"`, Ended: `array.Value[float64] "heights": disposed`,
			Held: map[string]safety.View{`array.Value[float64] "heights": ` + reads: new(v.Reader())},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.Value[int32])(nil), "array.Value[int32]: never made": new(array.Value[int32])},
		},
	} {
		c.Check(t)
	}
}

func TestPartsSayWhatIsSplit(t *testing.T) {
	a := array.New[int](10, safety.Named("a"))
	p := a.Split(3)
	if safety.Enabled {
		require.Regexp(t, `^3 parts of array\.Array\[int\] "a": split into 3 parts at string_test\.go:\d+$`, p.String())
	}
	require.Equal(t, `array.Array[int] "a[4:7]": 3 elements`, p.Part(1).String())
	p.Join()
	require.Equal(t, `3 parts of array.Array[int] "a": 10 elements`, p.String())
	require.Equal(t, "<nil>", (*array.Parts[int])(nil).String())
	require.Equal(t, "0 parts of <nil>", new(array.Parts[int]).String())
}

// Bodies may print what their job holds and what it does not, and so may goroutines that are ordered with nobody, while elements are written and
// memory moves.
func TestContainersArePrintedWhileLoopsRun(t *testing.T) {
	a, l, s := array.New[int](100), array.NewList[int](), array.NewStream[int]()
	for _, c := range []fmt.Stringer{a, l, s} {
		lawtest.Printed(c, func() {
			for range lawtest.Rounds(50) {
				for i := range a.Len() {
					a.Set(i, i)
					l.Append(i)
					s.AppendRow(i, i)
				}
				parallelfor.For(100, views{a.Writer(), l.ParallelWriter(), s.ParallelWriter()}, func(w *views, i int) {
					w.A.Set(i, w.A.At(i)+1)
					w.L.Append(i)
					w.S.Append(i, i)
					if i%50 == 0 {
						_, _, _ = a.String(), l.String(), s.String()
					}
				}, parallelfor.Batch(7), parallelfor.Workers(3))
				l.Clear()
				s.Clear()
			}
		})
	}
}

type views struct {
	A array.Writer[int]
	L array.ParallelWriter[int]
	S array.StreamParallelWriter[int]
}
