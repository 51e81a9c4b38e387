package table_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

var errRow = errors.New("row 37")

// doubling doubles, and fails at a row.
type doubling struct {
	X    array.Writer[int]
	Fail int
}

func (j *doubling) Execute(i int) error {
	if i == j.Fail {
		return errRow
	}
	j.X.Set(i, 2*j.X.At(i))
	return nil
}

func (j *doubling) ExecuteBatch(begin, end int) error {
	for i := begin; i < end; i++ {
		if err := j.Execute(i); err != nil {
			return err
		}
	}
	return nil
}

// A loop that fails returns the error of the lowest row, executes the rows below it, and counts as
// no loop for a Changes. A loop that does not fail is as any other.
func TestLoopsThatCanFail(t *testing.T) {
	const n, chunk = 100, 8
	bg := context.Background()
	for _, workers := range []parallelfor.Option{parallelfor.Workers(1), parallelfor.Workers(2), parallelfor.Workers(8)} {
		for name, run := range map[string]func(ctx context.Context, rows table.Rows, x *table.Column[int], fail int) error{
			"ForErr": func(ctx context.Context, rows table.Rows, x *table.Column[int], fail int) error {
				return table.ForErr(ctx, rows, doubling{x.Writer(), fail}, (*doubling).Execute, workers)
			},
			"ForChunksErr": func(ctx context.Context, rows table.Rows, x *table.Column[int], fail int) error {
				return table.ForChunksErr(ctx, rows, doubling{x.Writer(), fail}, (*doubling).ExecuteBatch, workers)
			},
			"ScheduleErr": func(ctx context.Context, rows table.Rows, x *table.Column[int], fail int) error {
				h := table.ScheduleErr(ctx, rows, doubling{x.Writer(), fail}, (*doubling).Execute, workers)
				h.Complete()
				return h.Err()
			},
			"ScheduleChunksErr": func(ctx context.Context, rows table.Rows, x *table.Column[int], fail int) error {
				h := table.ScheduleChunksErr(ctx, rows, doubling{x.Writer(), fail}, (*doubling).ExecuteBatch, workers)
				h.Complete()
				return h.Err()
			},
			"ForErr, of one view": func(ctx context.Context, rows table.Rows, x *table.Column[int], fail int) error {
				return table.ForErr(ctx, rows, x.Writer(), func(x *array.Writer[int], i int) error { return (&doubling{*x, fail}).Execute(i) }, workers)
			},
			"ForChunksErr, of one view": func(ctx context.Context, rows table.Rows, x *table.Column[int], fail int) error {
				return table.ForChunksErr(ctx, rows, x.Writer(), func(x *array.Writer[int], begin, end int) error {
					return (&doubling{*x, fail}).ExecuteBatch(begin, end)
				}, workers)
			},
		} {
			for _, fixed := range []bool{false, true} {
				opts := []table.Option{table.ChunkRows(chunk)}
				if fixed {
					opts = append(opts, table.Fixed(n+20))
				}
				tab := table.New[int](opts...)
				x := table.ColumnOf(tab, func(r *int) *int { return r })
				for i := range n {
					tab.Add(i + 1)
				}
				tab.Apply()
				changes := table.NewChanges(x)
				require.NoError(t, run(bg, tab.Rows().Changed(changes), x, -1), name)
				for i, v := range x.Slice()[:n] {
					require.Equal(t, 2*(i+1), v, name)
				}
				x.Set(37, 1) // and so chunk 4 has changed
				require.ErrorIs(t, run(bg, tab.Rows().Changed(changes), x, 37), errRow, name)
				require.Equal(t, 4*33, x.At(32), name+": rows below the one that failed")
				require.Equal(t, 1, x.At(37), name)
				require.Equal(t, 2*39, x.At(38), name+": those of the same chunk behind it")
				require.NoError(t, run(bg, tab.Rows().Changed(changes), x, -1), name)
				require.Equal(t, 2, x.At(37), name+": a loop that failed counts as if it had not been")
				cancelled, cancel := context.WithCancelCause(bg)
				cancel(errRow)
				require.ErrorIs(t, run(cancelled, tab.Rows(), x, -1), errRow, name)
				require.Equal(t, 2, x.At(37), name)
			}
		}
	}
}

func TestALoopThatCanFailPassesOverPlacesWithoutARow(t *testing.T) {
	tab := table.New[int](table.Fixed(20))
	x := table.ColumnOf(tab, func(r *int) *int { return r })
	gone := tab.Add(0)
	kept := tab.Add(0)
	tab.Apply()
	tab.Remove(gone)
	tab.Apply()
	row, _ := tab.RowOf(kept)
	err := table.ForErr(context.Background(), tab.Rows(), x.Writer(), func(_ *array.Writer[int], i int) error {
		if i != row {
			return errRow
		}
		return nil
	})
	require.NoError(t, err)
}

func TestLoopsThatCanFailAreRefusedAsOthersAre(t *testing.T) {
	tab := table.New[int]()
	for _, do := range []func() error{
		func() error { return table.ForErr[struct{}](context.Background(), tab.Rows(), struct{}{}, nil) },
		func() error {
			return table.ForChunksErr[struct{}](context.Background(), tab.Rows(), struct{}{}, nil)
		},
	} {
		require.ErrorIs(t, lawtest.Violation(t, do), safety.ErrArgument)
	}
}

// untold is a job whose second chunk waits for the end of its context, which ends when the first
// chunk fails.
type untold struct {
	Worker parallelfor.Worker
	X      array.Writer[int]
	Asked  chan struct{} `custody:"unguarded"`
}

func (j *untold) Execute(i int) error {
	switch i {
	case 0:
		<-j.Asked
		return errRow
	case 8:
		ctx := j.Worker.Context()
		close(j.Asked)
		<-ctx.Done()
		if context.Cause(ctx) != errRow {
			return nil
		}
		j.X.Set(i, 1)
		return ctx.Err()
	}
	return nil
}

func (j *untold) ExecuteBatch(begin, _ int) error { return j.Execute(begin) }

func TestLoopsThatCanFailTellTheirBodies(t *testing.T) {
	bg := context.Background()
	of := func(h parallelfor.Handle) error { h.Complete(); return h.Err() }
	o := []parallelfor.Option{parallelfor.Workers(2)}
	for name, run := range map[string]func(rows table.Rows, j untold) error{
		"ForErr": func(rows table.Rows, j untold) error { return table.ForErr(bg, rows, j, (*untold).Execute, o...) },
		"ForChunksErr": func(rows table.Rows, j untold) error {
			return table.ForChunksErr(bg, rows, j, (*untold).ExecuteBatch, o...)
		},
		"ScheduleErr": func(rows table.Rows, j untold) error {
			return of(table.ScheduleErr(bg, rows, j, (*untold).Execute, o...))
		},
		"ScheduleChunksErr": func(rows table.Rows, j untold) error {
			return of(table.ScheduleChunksErr(bg, rows, j, (*untold).ExecuteBatch, o...))
		},
	} {
		tab := table.New[int](table.ChunkRows(8))
		x := table.ColumnOf(tab, func(r *int) *int { return r })
		for range 16 {
			tab.Add(0)
		}
		tab.Apply()
		require.Equal(t, errRow, run(tab.Rows(), untold{X: x.Writer(), Asked: make(chan struct{})}), name)
		require.Equal(t, 1, x.At(8), name)
	}
}
