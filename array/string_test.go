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
	a, l, v := array.New[int](3, named), array.ListOf([]int{1, 2}, named), array.NewValue(15, named)
	s := array.StreamOf([][]int{{1, 2}, {3}}, named)
	for _, c := range []lawtest.Says{
		{
			Of: a, Dispose: a.Dispose, Free: `array.Array[int] "heights": 3 elements`, Ended: `array.Array[int] "heights": disposed`,
			Held: map[string]safety.View{
				`array.Array[int] "heights": 3 elements; ` + reads: new(a.Reader()),
				`array.Array[int] "heights": ` + writes:            new(a.Writer()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.Array[int])(nil), "array.Array[int]: never made": new(array.Array[int])},
		},
		{
			Of: l, Dispose: l.Dispose, Free: `array.List[int] "heights": 2 elements`, Ended: `array.List[int] "heights": disposed`,
			Held: map[string]safety.View{
				`array.List[int] "heights": 2 elements; ` + reads: new(l.Reader()),
				`array.List[int] "heights": ` + appends:           new(l.ParallelWriter()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.List[int])(nil), "array.List[int]: never made": new(array.List[int])},
		},
		{
			Of: s, Dispose: s.Dispose, Free: `array.Stream[int] "heights": 2 rows of 3 items`, Ended: `array.Stream[int] "heights": disposed`,
			Held: map[string]safety.View{
				`array.Stream[int] "heights": 2 rows of 3 items; ` + reads: new(s.Reader()),
				`array.Stream[int] "heights": ` + writes:                   new(s.Writer()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.Stream[int])(nil), "array.Stream[int]: never made": new(array.Stream[int])},
		},
		{
			Of: v, Dispose: v.Dispose, Free: `array.Value[int] "heights"`, Ended: `array.Value[int] "heights": disposed`,
			Held: map[string]safety.View{`array.Value[int] "heights": ` + reads: new(v.Reader())},
			Zero: map[string]fmt.Stringer{"<nil>": (*array.Value[int])(nil), "array.Value[int]: never made": new(array.Value[int])},
		},
	} {
		c.Check(t)
	}
}

func TestAnArrayThatIsSplitSaysSo(t *testing.T) {
	a := array.New[int](10, safety.Named("a"))
	p := a.Split(3)
	if safety.Enabled {
		require.Regexp(t, `^array\.Array\[int\] "a": split into 3 parts at string_test\.go:\d+$`, a.String())
	}
	require.Equal(t, `array.Array[int] "a[4:7]": 3 elements`, p.Part(1).String())
	p.Join()
	require.Equal(t, `array.Array[int] "a": 10 elements`, a.String())
}

// Bodies may print what their job holds and what it does not, and so may goroutines that are
// ordered with no other, while elements are written and memory moves.
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
