package array_test

import (
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Of copies nothing, and leaves what lies beyond the slice's length to its owner.
func TestOfAdoptsTheSliceWithoutItsSpareCapacity(t *testing.T) {
	s := append(make([]int, 0, 10), 1, 2, 3)
	a := array.Of(s)
	require.Same(t, &s[0], &a.Slice()[0])
	require.Equal(t, 3, cap(a.Slice()))
	a.Set(0, 5)
	s[1] = 6
	require.Equal(t, []int{5, 6, 3}, s)
	require.Equal(t, 6, a.At(1))
	_ = append(a.Slice(), -1)
	parallelfor.For(3, a.Writer(), func(w *writer, _ int) { _ = append(w.Slice(), -1) })
	require.Zero(t, s[:4][3])
	require.Equal(t, []int{5, 6, 3}, s)
}

func TestOfNothingIsAnEmptyArray(t *testing.T) {
	for _, s := range [][]int{nil, {}} {
		a := array.Of(s)
		require.Zero(t, a.Len())
		require.Empty(t, a.Slice())
		a.CopyFrom(nil)
		a.Clear()
		require.Panics(t, func() { a.At(0) })
		parallelfor.For(0, a.Writer(), func(*writer, int) {})
	}
}

// Elements may have no size at all.
func TestElementsOfNoSize(t *testing.T) {
	a, d, x := array.New[struct{}](5), array.NewDouble[struct{}](5), array.NewValue(struct{}{})
	type views struct {
		A array.Writer[struct{}]
		D array.Writer[struct{}]
		R array.Reader[struct{}]
		X array.ValueReader[struct{}]
	}
	parallelfor.For(5, views{a.Writer(), d.Writer(), d.Reader(), x.Reader()}, func(v *views, i int) {
		v.A.Set(i, v.X.Load())
		v.D.Set(i, v.R.At(i))
	}, parallelfor.Batch(2))
	require.Equal(t, 5, a.Len())
	require.Equal(t, 5, d.Len())
}

// A violation says where the container was made: the line that called the constructor.
func TestViolationsSayWhereTheContainerWasMade(t *testing.T) {
	lawtest.CheckedOnly(t)
	_, file, line, _ := runtime.Caller(0)
	a := array.New[int](1)
	o := array.Of([]int{1})
	d := array.NewDouble[int](1)
	x := array.NewValue(1)
	for i, dispose := range []func(){a.Dispose, o.Dispose, d.Dispose, x.Dispose} {
		dispose()
		v := arraylaw.Breaks(t, safety.ErrDisposed, dispose)
		require.Equal(t, filepath.Base(file)+":"+strconv.Itoa(line+1+i), v.Made)
	}
}

// The last name counts, and without one the type is the name.
func TestViolationsNameTheContainer(t *testing.T) {
	lawtest.CheckedOnly(t)
	x := array.NewValue(15, safety.Named("first"), safety.Named("last"))
	x.Dispose()
	require.Equal(t, `array.Value[int] "last"`, arraylaw.Breaks(t, safety.ErrDisposed, x.Dispose).Container)
	y := array.NewValue(15)
	y.Dispose()
	require.Equal(t, `array.Value[int]`, arraylaw.Breaks(t, safety.ErrDisposed, y.Dispose).Container)
}

// Dispose leaves the elements to the garbage collector, though the container is still there.
func TestDisposeLetsGoOfTheElements(t *testing.T) {
	type block = [4]int
	a, d, x := array.New[*block](1), array.NewDouble[*block](1), array.NewValue(new(block))
	a.Set(0, new(block))
	d.Set(0, new(block))
	kept := []weak.Pointer[block]{weak.Make(a.At(0)), weak.Make(d.At(0)), weak.Make(x.Load())}
	a.Dispose()
	d.Dispose()
	x.Dispose()
	runtime.GC()
	for i, p := range kept {
		require.Nil(t, p.Value(), i)
	}
	runtime.KeepAlive([]any{a, d, x})
}
