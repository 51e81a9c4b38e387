package table_test

import (
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

func (w *walkers) stepping() stepping { return stepping{w.at.Front().Reader(), w.at.Back().Writer()} }

// While a loop writes the back, the owner reads the front, also after rows were added and removed.
func TestADoubleColumn(t *testing.T) {
	for workers := range 4 {
		w := newWalkers(10)
		want := slices.Clone(w.at.Front().Slice())
		for frame := range 6 {
			h := table.Schedule(w.t.Rows(), w.stepping(), (*stepping).Execute, parallelfor.Workers(workers+1))
			for i, v := range want {
				require.Equal(t, v, w.at.Front().At(i), "while the next is written")
			}
			h.Complete()
			w.at.Swap()
			next := make([]int, len(want))
			for i := range want {
				next[i] = want[(i+1)%len(want)] + 100
			}
			want = next
			require.Equal(t, want, w.at.Front().Slice())
			w.t.Remove(w.t.ID(frame)) // the last row takes its place, in both
			w.t.Add(walker{frame, 1000 + frame})
			w.t.Apply()
			want[frame] = want[len(want)-1]
			want[len(want)-1] = frame
			require.Equal(t, want, w.at.Front().Slice())
			require.Equal(t, len(want), w.at.Back().Len())
			w.at.Front().Set(1, 5)
			want[1] = 5
			got, ok := w.t.Get(w.t.ID(1))
			require.True(t, ok)
			require.Equal(t, 5, got.At)
		}
	}
}

// An added row has its value in both columns, and a moved row keeps the value of each, also in
// tables with fixed places.
func TestBothColumnsOfADoubleColumn(t *testing.T) {
	for _, opts := range [][]table.Option{nil, {table.Fixed(5)}} {
		w := newWalkers(5, opts...)
		require.Equal(t, []int{0, 1, 2, 3, 4}, w.at.Front().Slice())
		require.Equal(t, []int{0, 1, 2, 3, 4}, w.at.Back().Slice())
		table.For(w.t.Rows(), w.at.Back().Writer(), func(v *array.Writer[int], i int) { v.Set(i, 10*v.At(i)) })
		w.at.Swap()
		w.t.Remove(w.t.ID(1))
		w.t.Add(walker{At: 7})
		w.t.Apply()
		if opts == nil {
			require.Equal(t, []int{0, 40, 20, 30, 7}, w.at.Front().Slice())
			require.Equal(t, []int{0, 4, 2, 3, 7}, w.at.Back().Slice())
		} else {
			require.Equal(t, []int{0, 7, 20, 30, 40}, w.at.Front().Slice())
			require.Equal(t, []int{0, 7, 2, 3, 4}, w.at.Back().Slice())
		}
		for range 2 { // whichever is the front
			back := slices.Clone(w.at.Back().Slice())
			require.True(t, w.t.Set(w.t.ID(2), walker{At: 9}))
			require.Equal(t, 9, w.at.Front().At(2))
			require.Equal(t, back, w.at.Back().Slice(), "Set changes the front only")
			w.at.Back().Set(2, 8)
			got, ok := w.t.Get(w.t.ID(2))
			require.True(t, ok)
			require.Equal(t, 9, got.At, "a row has the front's value")
			w.at.Swap()
		}
	}
}

func TestADoubleColumnThatDiscards(t *testing.T) {
	tab := table.New[walker]()
	at := table.DoubleOf(tab, func(r *walker) *int { return &r.At }, table.Discard())
	tab.Add(walker{At: 3})
	tab.Apply()
	require.Equal(t, []int{0}, at.Front().Slice())
	require.Equal(t, []int{0}, at.Back().Slice())
	at.Front().Set(0, 4)
	at.Back().Set(0, 5)
	tab.Add(walker{At: 3})
	tab.Apply()
	require.Equal(t, []int{0, 0}, at.Front().Slice())
	require.Equal(t, []int{0, 0}, at.Back().Slice())
}

// Swap is refused while a loop writes either column, and not while loops read them.
func TestSwapOfADoubleColumn(t *testing.T) {
	w := newWalkers(5)
	front, back := w.at.Front(), w.at.Back()
	reads := table.Schedule(w.t.Rows(), reading{front.Reader()}, (*reading).Execute)
	w.at.Swap()
	require.Same(t, front, w.at.Back())
	require.Same(t, back, w.at.Front())
	reads.Complete()
	if !safety.Enabled {
		return
	}
	for range 2 {
		front = w.at.Front()
		h := table.Schedule(w.t.Rows(), w.stepping(), (*stepping).Execute)
		v := arraylaw.Breaks(t, safety.ErrInFlight, func() { w.at.Swap() })
		require.ErrorContains(t, v, `DoubleColumn.Swap was called on table.Column[int] "at" while job stepping (field Next), scheduled at doublecolumn_test.go:`)
		require.Same(t, front, w.at.Front())
		h.Complete()
		h = table.Schedule(w.t.Rows(), stepping{w.at.Back().Reader(), w.at.Front().Writer()}, (*stepping).Execute)
		arraylaw.Breaks(t, safety.ErrInFlight, func() { w.at.Swap() })
		require.Same(t, front, w.at.Front())
		h.Complete()
		w.at.Swap()
		require.NotSame(t, front, w.at.Front())
	}
	w.t.Dispose()
	arraylaw.Breaks(t, safety.ErrDisposed, func() { w.at.Swap() })
}

// A Changes of one of the columns stays with it when they change places.
func TestChangesOfADoubleColumn(t *testing.T) {
	w := newWalkers(12)
	old := w.at.Back()
	c := table.NewChanges(old)
	seen := func() (rows []int) {
		var found [12]bool
		table.ForChunks(w.t.Rows().Changed(c), old.Reader(), func(_ *array.Reader[int], begin, _ int) { found[begin] = true })
		for row, is := range found {
			if is {
				rows = append(rows, row)
			}
		}
		return rows
	}
	require.Equal(t, []int{0, 4, 8}, seen())
	require.Empty(t, seen())
	table.For(w.t.Rows(), w.at.Front().Writer(), func(*array.Writer[int], int) {})
	w.at.Swap()
	require.Empty(t, seen(), "the other column was written")
	w.at.Front().Set(5, 1)
	require.Equal(t, []int{4}, seen())
	w.at.Back().Set(5, 1)
	require.Empty(t, seen())
}

func TestMisuseOfDoubleColumns(t *testing.T) {
	lawtest.CheckedOnly(t)
	w := newWalkers(5)
	h := table.Schedule(w.t.Rows(), w.stepping(), (*stepping).Execute)
	v := arraylaw.Breaks(t, safety.ErrConflict, func() { table.For(w.t.Rows(), w.stepping(), (*stepping).Execute, parallelfor.Name("second")) })
	require.Equal(t, `table.Column[int] "at"`, v.Container)
	require.Contains(t, v.Made, "doublecolumn_test.go:")
	require.Equal(t, []string{"Next", "Next"}, []string{v.Field, v.OtherField})
	arraylaw.Breaks(t, safety.ErrInFlight, func() { w.at.Front().Set(0, 1) })
	arraylaw.Breaks(t, safety.ErrInFlight, func() { w.t.Set(w.t.ID(0), walker{}) })
	arraylaw.Breaks(t, safety.ErrInFlight, func() { w.t.Apply() })
	h.Complete()
	for _, c := range []*table.Column[int]{w.at.Front(), w.at.Back()} {
		reads := table.Schedule(w.t.Rows(), reading{c.Reader()}, (*reading).Execute)
		arraylaw.Breaks(t, safety.ErrInFlight, func() { w.t.Apply() })
		reads.Complete()
	}
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.DoubleOf[int](w.t, nil) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.DoubleOf(w.t, func(r *walker) *int { return &r.At }) })
	w.t.Dispose()
	arraylaw.Breaks(t, safety.ErrDisposed, func() { w.at.Front().At(0) })
	arraylaw.Breaks(t, safety.ErrDisposed, func() { w.at.Back().At(0) })
}
