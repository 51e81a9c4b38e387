package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// masked writes where its mask says so, or everywhere.
type masked struct {
	Out  array.Writer[int]
	Mask safety.Optional[array.Reader[int]]
	More []safety.Optional[struct{ In array.Reader[int] }]
}

func (j *masked) Execute(i int) {
	if mask, ok := j.Mask.View(); ok && mask.At(i) == 0 {
		return
	}
	v := 1
	for k := range j.More {
		if m, ok := j.More[k].View(); ok {
			v += m.In.At(i)
		}
	}
	j.Out.Set(i, v)
}

func TestAnOptionalViewMayBeMissing(t *testing.T) {
	out, mask, in := array.New[int](100), array.New[int](100), array.New[int](100)
	mask.Set(3, 1)
	in.Set(3, 10)
	some := safety.Some(struct{ In array.Reader[int] }{in.Reader()})
	for range 3 { // one type of job, now with and now without
		out.Clear()
		parallelfor.For(100, masked{Out: out.Writer()}, (*masked).Execute, parallelfor.Workers(2))
		require.Equal(t, 1, out.At(0))
		require.Equal(t, 1, out.At(3))
		out.Clear()
		parallelfor.For(100, masked{Out: out.Writer(), Mask: safety.Some(mask.Reader()), More: []safety.Optional[struct{ In array.Reader[int] }]{{}, some}}, (*masked).Execute)
		require.Equal(t, 0, out.At(0))
		require.Equal(t, 11, out.At(3))
	}
	_, ok := new(safety.Optional[int]).View()
	require.False(t, ok)
}

func TestAnOptionalViewThatIsThereIsAView(t *testing.T) {
	checkedOnly(t)
	out, mask := array.New[int](100), array.New[int](100, safety.Named("mask"))
	h := parallelfor.Schedule(100, masked{Out: out.Writer(), Mask: safety.Some(mask.Reader())}, (*masked).Execute)
	v := violation(t, safety.ErrInFlight, func() { mask.Set(0, 1) })
	require.Equal(t, "Mask", v.OtherField)
	h.Complete()

	none := safety.Some(struct{ In array.Reader[int] }{})
	v = violation(t, safety.ErrUnassigned, func() {
		parallelfor.For(100, masked{Out: out.Writer(), More: []safety.Optional[struct{ In array.Reader[int] }]{{}, none}}, (*masked).Execute)
	})
	require.Equal(t, "More[1].In", v.Field, "a view that is carried must be assigned")
	v = violation(t, safety.ErrUnassigned, func() { parallelfor.For(100, masked{Mask: safety.Some(mask.Reader())}, (*masked).Execute) })
	require.Equal(t, "Out", v.Field)

	j := masked{Out: out.Writer(), Mask: safety.Some(mask.Reader())}
	view, ok := j.Mask.View()
	require.True(t, ok)
	violation(t, safety.ErrStaleView, func() { view.At(0) })
}

// unguardedMaybe carries what no job may.
type unguardedMaybe struct {
	Data safety.Optional[struct{ S []int }]
}

func (*unguardedMaybe) Execute(int) {}

func TestAnOptionalHidesNothing(t *testing.T) {
	v := violation(t, safety.ErrField, func() { parallelfor.For(1, unguardedMaybe{}, (*unguardedMaybe).Execute) })
	require.Equal(t, "Data.S", v.Field)
}

func TestAJobMayBeAnOptional(t *testing.T) {
	a := array.New[int](10)
	body := func(o *safety.Optional[array.Writer[int]], i int) {
		if w, ok := o.View(); ok {
			w.Set(i, i)
		}
	}
	parallelfor.For(10, safety.Some(a.Writer()), body)
	require.Equal(t, 9, a.At(9))
	parallelfor.For(10, safety.Optional[array.Writer[int]]{}, body)
}
