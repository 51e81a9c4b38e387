package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/table"
)

// owning writes the elements that each index has by offsets.
type owning struct {
	Seen array.Reader[int]
	Out  array.OffsetWriter[int]
}

func (o *owning) Execute(i int) {
	for k := range o.Out.Row(i) {
		o.Out.Row(i)[k] = 7
	}
}

// scattering writes one row of another index.
type scattering struct {
	Seen array.Reader[int]
	Out  array.PermutedWriter[int]
}

func (s *scattering) Execute(i int) { s.Out.Set((i+10)%20, 8) }

// seen returns the first rows of the chunks that a Changes sees. It runs a loop over the column.
func seen(b *bodies, col *table.Column[int], c *table.Changes) []int {
	l := array.NewList[int]()
	table.ForChunks(b.t.Rows().Changed(c), batches{col.Reader(), l.ParallelWriter()}, (*batches).ExecuteBatch)
	return append([]int{}, l.Slice()...)
}

// A loop that writes rows of other chunks than its own has changed all chunks, whichever it has
// entered, except for its own Changes.
func TestALoopThatWritesRowsOfOtherChunks(t *testing.T) {
	for name, loop := range map[string]func(b *bodies, over table.Rows){
		"by offsets": func(b *bodies, over table.Rows) {
			offsets := make([]int, 21)
			for i := range offsets {
				offsets[i] = min(i*20, 20) // the first row's index owns all
			}
			table.For(over, owning{b.vel.Reader(), array.ByOffsets(b.pos.Writer(), array.Of(offsets).Reader())}, (*owning).Execute)
		},
		"permuted": func(b *bodies, over table.Rows) {
			table.For(over, scattering{b.vel.Reader(), array.Permuted(b.pos.Writer())}, (*scattering).Execute)
		},
	} {
		b := newBodies(20)
		all, mine, some := table.NewChanges(b.pos), table.NewChanges(b.vel, b.pos), table.NewChanges(b.vel)
		both := func() []int {
			l := array.NewList[int]()
			table.ForChunks(b.t.Rows().Changed(mine), twoSeen{b.pos.Reader(), b.vel.Reader(), l.ParallelWriter()}, (*twoSeen).ExecuteBatch)
			return append([]int{}, l.Slice()...)
		}
		require.Equal(t, []int{0, 10}, seen(b, b.pos, all))
		require.Equal(t, []int{0, 10}, both())
		require.Equal(t, []int{0, 10}, seen(b, b.vel, some))
		b.vel.Set(5, 1)
		loop(b, b.t.Rows().Changed(some))
		require.NotEqual(t, 15, b.pos.At(15), name)
		require.Equal(t, []int{0, 10}, seen(b, b.pos, all), name)
		require.Empty(t, seen(b, b.pos, all), name)
		require.Equal(t, []int{0, 10}, both(), name)
		require.Empty(t, seen(b, b.vel, some), name)

		own := table.NewChanges(b.pos)
		table.For(b.t.Rows().Changed(own), scattering{b.vel.Reader(), array.Permuted(b.pos.Writer())}, (*scattering).Execute)
		require.Empty(t, seen(b, b.pos, own), name)
	}
}

type twoSeen struct {
	Pos, Vel array.Reader[int]
	Out      array.ParallelWriter[int]
}

func (s *twoSeen) ExecuteBatch(begin, end int) { s.Out.Append(begin) }
