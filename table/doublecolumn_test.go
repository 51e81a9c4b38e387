package table_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// walker is a row that takes the mean of its neighbours' places.
type walker struct{ At, Name int }

type walkers struct {
	t    *table.Table[walker]
	at   *table.DoubleColumn[int]
	name *table.Column[int]
}

func newWalkers(n int, opts ...table.Option) *walkers {
	w := &walkers{t: table.New[walker](append(opts, table.Named("walkers"), table.ChunkRows(4))...)}
	w.at = table.DoubleOf(w.t, func(r *walker) *int { return &r.At }, table.Named("at"))
	w.name = table.ColumnOf(w.t, func(r *walker) *int { return &r.Name })
	for i := range n {
		w.t.Add(walker{i, i})
	}
	w.t.Apply()
	return w
}

// stepping adds to what a row's neighbour had.
type stepping struct {
	Now  array.Reader[int]
	Next array.Writer[int]
}

func (j *stepping) Execute(i int) { j.Next.Set(i, j.Now.At((i+1)%j.Now.Len())+100) }

func (w *walkers) stepping() stepping { return stepping{w.at.Reader(), w.at.Writer()} }

// While a loop writes the next buffer everybody reads this one, whatever rows come and go between.
func TestADoubleColumn(t *testing.T) {
	for workers := range 4 {
		w := newWalkers(10)
		want := w.at.Slice()[:10:10]
		want = append([]int(nil), want...)
		for frame := range 6 {
			h := table.Schedule(w.t.Rows(), w.stepping(), (*stepping).Execute, parallelfor.Workers(workers+1))
			for i, v := range want {
				require.Equal(t, v, w.at.At(i), "while the next is written")
			}
			h.Complete()
			next := make([]int, len(want))
			for i := range want {
				next[i] = want[(i+1)%len(want)] + 100
			}
			want = next
			require.Equal(t, want, w.at.Slice())
			w.t.Remove(w.t.ID(frame)) // the last row takes its place, in both buffers
			w.t.Add(walker{frame, 1000 + frame})
			w.t.Apply()
			want[frame] = want[len(want)-1]
			want[len(want)-1] = frame
			require.Equal(t, want, w.at.Slice())
			require.Equal(t, len(want), w.at.Len())
			w.at.Set(1, 5)
			want[1] = 5
			got, ok := w.t.Get(w.t.ID(1))
			require.True(t, ok)
			require.Equal(t, 5, got.At)
			require.Equal(t, 5, w.at.At(1))
		}
	}
}

// Rows that come have what they bring in both buffers, and those that move too; where rows keep their places also.
func TestBothBuffersOfADoubleColumn(t *testing.T) {
	for _, opts := range [][]table.Option{nil, {table.Fixed(5)}} {
		w := newWalkers(5, opts...)
		touch := func(_ *array.Writer[int], _ int) {}
		both := func() (front, back []int) {
			front = append(front, w.at.Slice()...)
			table.For(w.t.Rows(), w.at.Writer(), touch) // they change places
			back = append(back, w.at.Slice()...)
			table.For(w.t.Rows(), w.at.Writer(), touch)
			return front, back
		}
		front, back := both()
		require.Equal(t, []int{0, 1, 2, 3, 4}, front)
		require.Equal(t, front, back)
		table.For(w.t.Rows(), w.at.Writer(), func(v *array.Writer[int], i int) { v.Set(i, 10*v.At(i)) })
		w.t.Remove(w.t.ID(1))
		w.t.Add(walker{At: 7})
		w.t.Apply()
		front, back = both()
		if opts == nil {
			require.Equal(t, []int{0, 40, 20, 30, 7}, front)
			require.Equal(t, []int{0, 4, 2, 3, 7}, back)
		} else {
			require.Equal(t, []int{0, 7, 20, 30, 40}, front)
			require.Equal(t, []int{0, 7, 2, 3, 4}, back)
		}
		require.True(t, w.t.Set(w.t.ID(0), walker{At: 9}))
		require.Equal(t, 9, w.at.At(0))
	}
}

func TestADoubleColumnThatDiscards(t *testing.T) {
	tab := table.New[walker]()
	at := table.DoubleOf(tab, func(r *walker) *int { return &r.At }, table.Discard())
	tab.Add(walker{At: 3})
	tab.Apply()
	require.Equal(t, []int{0}, at.Slice())
	back := func() (got []int) { // which is the front one then
		table.For(tab.Rows(), at.Writer(), func(v *array.Writer[int], i int) {})
		return slices.Clone(at.Slice())
	}
	require.Equal(t, []int{0}, back())
	for range 2 {
		at.Set(0, 4)
		back()
	}
	require.Equal(t, 4, at.At(0), "both have it")
	tab.Add(walker{At: 3})
	tab.Apply()
	require.Equal(t, []int{0, 0}, at.Slice())
	require.Equal(t, []int{0, 0}, back())
}

// A loop that fails leaves the front buffer as it is.
func TestADoubleColumnOfALoopThatFails(t *testing.T) {
	w := newWalkers(5)
	require.Panics(t, func() {
		table.For(w.t.Rows(), w.at.Writer(), func(v *array.Writer[int], i int) {
			v.Set(i, -1)
			if i == 3 {
				panic(errors.New("no"))
			}
		})
	})
	require.Equal(t, []int{0, 1, 2, 3, 4}, w.at.Slice())
}

func TestMisuseOfDoubleColumns(t *testing.T) {
	lawtest.CheckedOnly(t)
	w := newWalkers(5)
	require.Same(t, w.at, table.FindDouble[int](w.t, "at"))
	require.Nil(t, table.FindDouble[string](w.t, "at"))
	require.Nil(t, table.FindColumn[int](w.t, "at"))
	h := table.Schedule(w.t.Rows(), w.stepping(), (*stepping).Execute)
	v := arraylaw.Breaks(t, safety.ErrConflict, func() { table.For(w.t.Rows(), w.stepping(), (*stepping).Execute, parallelfor.Name("second")) })
	require.Equal(t, `table.DoubleColumn[int] "at"`, v.Container)
	require.Contains(t, v.Made, "doublecolumn_test.go:")
	require.Equal(t, []string{"Next", "Next"}, []string{v.Field, v.OtherField})
	arraylaw.Breaks(t, safety.ErrInFlight, func() { w.at.Set(0, 1) })
	arraylaw.Breaks(t, safety.ErrInFlight, func() { w.t.Apply() })
	h.Complete()
	reads := table.Schedule(w.t.Rows(), reading{w.at.Reader()}, (*reading).Execute)
	arraylaw.Breaks(t, safety.ErrInFlight, func() { w.t.Apply() })
	reads.Complete()
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.DoubleOf[int](w.t, nil) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.DoubleOf(w.t, func(r *walker) *int { return &r.At }) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { table.For(w.t.Rows(), reading{(*table.DoubleColumn[int])(nil).Reader()}, (*reading).Execute) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		table.For(w.t.Rows(), stepping{w.at.Reader(), (*table.DoubleColumn[int])(nil).Writer()}, (*stepping).Execute)
	})
	arraylaw.Breaks(t, safety.ErrIndex, func() { w.at.At(5) })
	require.Contains(t, w.at.String(), `table.DoubleColumn[int] "at": `)
	require.Contains(t, new(table.DoubleColumn[int]).String(), "never made")
	require.Equal(t, "<nil>", (*table.DoubleColumn[int])(nil).String())
	w.t.Dispose()
	arraylaw.Breaks(t, safety.ErrDisposed, func() { w.at.At(0) })
}
