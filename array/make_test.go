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

// ListOf copies nothing either: the list and the slice show each other's changes until the list has
// grown, by its owner or by a loop. What lies beyond the slice's length is left to its owner.
func TestListOfSharesTheSliceUntilItGrows(t *testing.T) {
	for name, grow := range map[string]func(l *array.List[int]){
		"its owner": func(l *array.List[int]) { l.Append(9) },
		"a loop": func(l *array.List[int]) {
			parallelfor.For(1, l.ParallelWriter(), func(w *array.ParallelWriter[int], _ int) { w.Append(9) })
		},
	} {
		s := append(make([]int, 0, 10), 1, 2, 3)
		l := array.ListOf(s)
		require.Same(t, &s[0], &l.Slice()[0], name)
		require.Equal(t, []int{3, 3}, []int{l.Len(), l.Cap()}, name)
		l.Set(0, 5)
		s[1] = 6
		parallelfor.For(3, l.Writer(), func(w *writer, i int) { w.Set(i, w.At(i)+1) })
		require.Equal(t, []int{6, 7, 4}, s, name)
		require.Equal(t, s, l.Slice(), name)
		l.Remove(0)
		require.Equal(t, []int{7, 4, 4}, s, "%s: a list that has become shorter has the same memory", name)
		l.Append(8)
		require.Equal(t, []int{7, 4, 8}, s, name)
		grow(l)
		require.Equal(t, []int{7, 4, 8, 9}, l.Slice(), name)
		require.Equal(t, []int{0, 0, 0, 0, 0, 0, 0}, s[3:10], name)
		l.Set(0, -1)
		s[1] = -2
		require.Equal(t, []int{7, -2, 8}, s, "%s: they are two now", name)
		require.Equal(t, []int{-1, 4, 8, 9}, l.Slice(), name)
	}
	require.Zero(t, array.ListOf[int](nil).Len())
}

// StreamOf copies the rows, also where there is one: neither shows what is done with the other.
func TestStreamOfCopiesTheRows(t *testing.T) {
	for _, rows := range [][][]int{{{1, 2}, nil, {3}}, {append(make([]int, 0, 10), 4, 5)}} {
		s := array.StreamOf(rows)
		require.Equal(t, len(rows), s.Len())
		for i, row := range s.All() {
			require.Equal(t, append([]int{}, rows[i]...), append([]int{}, row...))
		}
		first, got := rows[0][0], s.At(0)[0]
		rows[0][0] = -1
		require.Equal(t, first, got)
		require.Equal(t, first, s.At(0)[0])
		s.At(0)[1] = -2
		rows[len(rows)-1] = nil
		s.AppendRow(7)
		parallelfor.For(s.Len(), s.ParallelWriter(), func(w *array.StreamParallelWriter[int], i int) { w.Append(i, 8) })
		require.NotContains(t, rows[0][:cap(rows[0])], -2)
		require.NotContains(t, rows[0][:cap(rows[0])], 8)
		require.Equal(t, []int{first, -2, 8}, s.At(0))
	}
	require.Zero(t, array.StreamOf[int](nil).Len())
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
	parallelfor.For(5, views{a.Writer(), d.Back().Writer(), d.Front().Reader(), x.Reader()}, func(v *views, i int) {
		v.A.Set(i, v.X.Load())
		v.D.Set(i, v.R.At(i))
	}, parallelfor.Batch(2))
	require.Equal(t, 5, a.Len())
	require.Equal(t, 5, d.Back().Len())
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
	d.Front().Set(0, new(block))
	d.Back().Set(0, new(block))
	kept := []weak.Pointer[block]{weak.Make(a.At(0)), weak.Make(d.Front().At(0)), weak.Make(d.Back().At(0)), weak.Make(x.Load())}
	a.Dispose()
	d.Dispose()
	x.Dispose()
	runtime.GC()
	for i, p := range kept {
		require.Nil(t, p.Value(), i)
	}
	runtime.KeepAlive([]any{a, d, x})
}
