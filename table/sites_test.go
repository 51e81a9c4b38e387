package table_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// line returns file:line of the line so many lines above the caller.
func line(above int) string {
	_, _, n, _ := runtime.Caller(1)
	return "sites_test.go:" + strconv.Itoa(n-above)
}

// copying writes a column that another job reads.
type copying struct{ Columns pair }

type pair struct{ From, To array.Writer[int] }

func (c *copying) Execute(row int) { c.Columns.To.Set(row, c.Columns.From.At(row)) }

// copyingChunks does it by chunks.
type copyingChunks struct{ Columns pair }

func (c *copyingChunks) ExecuteBatch(int, int) { copy(c.Columns.To.Slice(), c.Columns.From.Slice()) }

// Violations name lines of the program that uses the package, and the fields of its jobs.
func TestViolationsNameTheCallersLines(t *testing.T) {
	lawtest.CheckedOnly(t)
	tab := table.New[body](table.Named("bodies"))
	x := table.ColumnOf(tab, func(b *body) *int { return &b.Pos }, table.Named("x"))
	made := line(1)
	y := table.ColumnOf(tab, func(b *body) *int { return &b.Vel }, table.Named("y"))
	tab.AddAll(make([]body, 10), nil)
	tab.Apply()
	for _, schedule := range []func(job copying, opts ...parallelfor.Option) (parallelfor.Handle, string){
		func(job copying, opts ...parallelfor.Option) (parallelfor.Handle, string) {
			h := table.Schedule(tab.Rows(), job, (*copying).Execute, opts...)
			return h, line(1)
		},
		func(job copying, opts ...parallelfor.Option) (parallelfor.Handle, string) {
			h := table.ScheduleChunks(tab.Rows(), copyingChunks(job), (*copyingChunks).ExecuteBatch, opts...)
			return h, line(1)
		},
	} {
		h, at := schedule(copying{pair{x.Writer(), y.Writer()}})
		v := lawtest.Violation(t, func() error { x.Set(0, 1); return nil })
		require.ErrorIs(t, v, safety.ErrInFlight)
		require.Equal(t, at, v.Scheduled)
		require.Contains(t, v.Error(), "scheduled at "+at)
		require.Equal(t, made, v.Made)
		h.Complete()
	}
	v := lawtest.Violation(t, func() error {
		table.For(tab.Rows(), copying{pair{x.Writer(), array.Writer[int]{}}}, (*copying).Execute)
		return nil
	})
	require.ErrorIs(t, v, safety.ErrUnassigned)
	require.Contains(t, v.Error(), "field Columns.To")
	require.NotContains(t, v.Error(), "Job.")
}
