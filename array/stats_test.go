package array_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What a list has follows what is done with it, by its owner and by loops.
func TestStatsOfLists(t *testing.T) {
	l := array.NewList[int32]()
	require.Zero(t, l.Stats())
	l.Grow(100)
	s := l.Stats()
	require.GreaterOrEqual(t, s.Cap, 100)
	require.Equal(t, array.Stats{Cap: l.Cap(), Bytes: 4 * l.Cap()}, s)
	l.AppendAll(make([]int32, 60))
	s.Len = 60
	require.Equal(t, s, l.Stats(), "there was room")
	room := s.Cap - s.Len
	parallelfor.For(1000, l.ParallelWriter(), func(w *array.ParallelWriter[int32], i int) { w.Append(int32(i)) }, parallelfor.Batch(10), parallelfor.Workers(3))
	s = l.Stats()
	require.Equal(t, []int{1060, l.Cap(), 4 * l.Cap()}, []int{s.Len, s.Cap, s.Bytes})
	require.GreaterOrEqual(t, s.Kept, 4*(1000-room), "what found no room was appended to other memory")
	l.Clear()
	s.Len = 0
	require.Equal(t, s, l.Stats(), "Clear keeps all")
	l.Append(1)
	l.Trim()
	require.Equal(t, array.Stats{Len: 1, Cap: 1, Bytes: 4}, l.Stats())

	e := array.ListOf(make([]struct{}, 5))
	require.Equal(t, []int{5, 0, 0}, []int{e.Stats().Len, e.Stats().Bytes, e.Stats().Kept}, "elements without a size")
}

// What a stream has follows what is done with it, too.
func TestStatsOfStreams(t *testing.T) {
	const word = bits.UintSize / 8
	s := array.NewStream[int16]()
	require.Equal(t, array.Stats{Bytes: word}, s.Stats(), "no rows have one offset")
	s.AppendRow(1, 2, 3)
	s.AppendRow()
	s.Trim()
	require.Equal(t, array.Stats{Len: 3, Cap: 3, Rows: 2, RowCap: 2, Bytes: word*3 + 2*3}, s.Stats())
	s.Grow(10, 20)
	grown := s.Stats()
	require.GreaterOrEqual(t, grown.RowCap, 12)
	require.GreaterOrEqual(t, grown.Cap, 23)
	for range 10 {
		s.AppendRow(1, 2)
	}
	require.Equal(t, grown.Bytes, s.Stats().Bytes, "there was room")
	fill := func() {
		parallelfor.For(1000, s.ParallelWriter(), func(w *array.StreamParallelWriter[int16], i int) {
			w.AppendAll(i, []int16{1, 2})
		}, parallelfor.Batch(10), parallelfor.Workers(3))
	}
	s.Clear()
	fill()
	filled := s.Stats()
	require.Equal(t, []int{1000, 2000}, []int{filled.Rows, filled.Len})
	require.Equal(t, word*(filled.RowCap+1)+2*filled.Cap, filled.Bytes)
	require.GreaterOrEqual(t, filled.Kept, 2*(2000-grown.Cap))
	fill()
	again := s.Stats()
	require.Equal(t, []int{1000, 4000}, []int{again.Rows, again.Len})
	require.GreaterOrEqual(t, again.Kept, filled.Kept+2*filled.Cap, "the memory that the items lay in before")
	s.Trim()
	require.Equal(t, array.Stats{Len: 4000, Cap: 4000, Rows: 1000, RowCap: 1000, Bytes: word*1001 + 2*4000}, s.Stats())
}

// What loops that add by key keep counts, too.
func TestStatsOfKeyedRows(t *testing.T) {
	const word = bits.UintSize / 8
	s := rowsFor[int16](10)
	s.Trim()
	require.Equal(t, array.Stats{Rows: 10, RowCap: 10, Bytes: 11 * word}, s.Stats())
	parallelfor.For(10_000, s.KeyedWriter(), func(w *array.StreamKeyedWriter[int16], i int) { w.Add(i%10, 1) }, parallelfor.Workers(2))
	got := s.Stats()
	require.Equal(t, []int{10_000, 10, 11*word + 2*got.Cap}, []int{got.Len, got.Rows, got.Bytes})
	require.GreaterOrEqual(t, got.Kept, 4*10_000+4*10*2, "what workers have added, and counts")
	s.Clear()
	require.Equal(t, got.Kept, s.Stats().Kept)
	s.Resize(10)
	s.Trim()
	require.Equal(t, array.Stats{Rows: 10, RowCap: 10, Bytes: 11 * word}, s.Stats())
}

// Stats is the owner's, as Len is: beside jobs that read, not beside others, and not after the end.
func TestStatsAreRefusedWhereLenIs(t *testing.T) {
	lawtest.CheckedOnly(t)
	l, s := array.ListOf([]int{1, 2}), array.StreamOf([][]int{{1}, {2}})
	ask := map[string]func(){"List": func() { l.Stats() }, "Stream": func() { s.Stats() }}
	refused := func(kind error) {
		t.Helper()
		for name, f := range ask {
			require.ErrorIs(t, lawtest.Violation(t, func() error { f(); return nil }), kind, name)
		}
	}
	type readers struct {
		L array.Reader[int]
		S array.StreamReader[int]
	}
	h := scheduled(readers{l.Reader(), s.Reader()}, func(*readers) {})()
	require.Equal(t, 2, l.Stats().Len)
	require.Equal(t, 2, s.Stats().Rows)
	h.Complete()
	type writers struct {
		L array.Writer[int]
		S array.StreamWriter[int]
	}
	h = scheduled(writers{l.Writer(), s.Writer()}, func(*writers) {})()
	refused(safety.ErrInFlight)
	h.Complete()
	type appenders struct {
		L array.ParallelWriter[int]
		S array.StreamParallelWriter[int]
	}
	h = scheduled(appenders{l.ParallelWriter(), s.ParallelWriter()}, func(*appenders) {})()
	refused(safety.ErrInFlight)
	h.Complete()
	require.Equal(t, 2, l.Stats().Len)
	l.Dispose()
	s.Dispose()
	refused(safety.ErrDisposed)
	var none array.List[int]
	require.ErrorIs(t, lawtest.Violation(t, func() error { none.Stats(); return nil }), safety.ErrUnassigned)
	var nothing array.Stream[int]
	require.ErrorIs(t, lawtest.Violation(t, func() error { nothing.Stats(); return nil }), safety.ErrUnassigned)
}
