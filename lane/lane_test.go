package lane

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// field returns a field of lanes or a lane without its type, by which a test knows what is kept.
func field(of any, name string) reflect.Value { return reflect.ValueOf(of).Elem().FieldByName(name) }

// seal seals the phase and returns the items.
func seal[T any](ls *Lanes[T], p *safety.Phase) (got []T) {
	ls.Seal(p, func(s Items[T]) { got = appended(got, s) })
	return got
}

// appended appends the items to dst, as a container does.
func appended[T any](dst []T, s Items[T]) []T {
	n := len(dst)
	dst = slices.Grow(dst, s.Len())[:n+s.Len()]
	s.CopyTo(dst[n:])
	return dst
}

// taken returns the slices that Take ranges over.
func taken[T any](s Items[T]) (pieces [][]T) {
	for _, piece := range s.Take() {
		pieces = append(pieces, piece)
	}
	return pieces
}

// The failing batch counts up to where it failed, and workers that had gone further do not.
func TestTheFailingBatchCountsUpToItsFailure(t *testing.T) {
	var ls Lanes[string]
	p := phase(2, 6)
	ls.Open(p)
	a, b := ls.Lane(0), ls.Lane(1)
	a.BeginSpan(3) // batches 3 and 4, taken first
	a.AppendAll(nil, []string{"3", "4"})
	b.BeginSpan(0) // batches 0, 1 and 2, the last of which fails after one of two
	b.AppendAll(nil, []string{"0", "1", "2 before it failed"})
	b.BeginSpan(5)
	b.Append(nil, "5")
	p.Kept = 3
	require.Equal(t, []string{"0", "1", "2 before it failed"}, seal(&ls, p))
}

// A job that never ran, or was cancelled, keeps nothing.
func TestNothingIsKeptOfACancelledJob(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 1)
	ls.Open(p)
	ls.Lane(0).BeginSpan(0)
	ls.Lane(0).Append(nil, 1)
	p.Kept, p.Parallel = 0, nil
	calls := 0
	ls.Seal(p, func(s Items[int]) {
		calls++
		require.Zero(t, s.Len())
		require.Empty(t, appended(nil, s))
		require.Zero(t, s.CopyTo(make([]int, 3)))
	})
	require.Equal(t, 1, calls)
}

// Runs without items leave nothing behind, so that loops that seldom append do not pay for their
// batches.
func TestASpanWithoutItemsIsForgotten(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 1<<20)
	ls.Open(p)
	l := ls.Lane(0)
	for c := 1 << 20; c > 0; c -= 2 {
		l.BeginSpan(c)
		if c == 500 {
			l.Append(nil, c)
		}
	}
	require.LessOrEqual(t, field(&l.of, "spans").Len(), 2)
	require.Equal(t, []int{500}, seal(&ls, p))
}

func TestVeryManySpans(t *testing.T) {
	const batches, workers = 100_000, 3
	var ls Lanes[int]
	p := phase(workers, batches)
	for range 2 {
		ls.Open(p)
		for k := range batches {
			c := k * 77773 % batches // each once
			l := ls.Lane(k % workers)
			l.BeginSpan(c)
			l.Append(nil, c)
		}
		got := seal(&ls, p)
		require.Len(t, got, batches)
		require.True(t, slices.IsSorted(got))
	}
}

// Items without a size, and items larger than a chunk, are items.
func TestItemsOfAnySize(t *testing.T) {
	var none Lanes[struct{}]
	p := phase(2, 2)
	none.Open(p)
	for w := range 2 {
		none.Lane(w).BeginSpan(w)
		none.Lane(w).AppendAll(nil, make([]struct{}, 300_000))
		none.Lane(w).Append(nil, struct{}{})
	}
	none.Seal(p, func(s Items[struct{}]) {
		require.Equal(t, 600_002, s.Len())
		require.Len(t, appended(nil, s), 600_002)
	})
	type huge [1 << 20]byte
	var hs Lanes[huge]
	p = phase(2, 4)
	hs.Open(p)
	item := new(huge)
	for c := range 4 {
		hs.Lane(1 - c%2).BeginSpan(c)
		item[0] = byte(c)
		hs.Lane(1-c%2).AppendAll(nil, []huge{*item})
	}
	hs.Seal(p, func(s Items[huge]) {
		dst := appended(make([]huge, 0, 4), s)
		require.Len(t, dst, 4)
		for c := range dst {
			require.EqualValues(t, c, dst[c][0])
		}
	})
}

// More workers than before get lanes, and fewer leave some unused.
func TestTheNumberOfWorkersChanges(t *testing.T) {
	var ls Lanes[int]
	for _, workers := range []int{1, 5, 2, 8, 1} {
		p := phase(workers, workers)
		ls.Open(p)
		var want []int
		for w := range workers {
			ls.Lane(w).BeginSpan(w)
			ls.Lane(w).Append(nil, 10*w)
			want = append(want, 10*w)
		}
		require.Equal(t, want, seal(&ls, p))
	}
}

// Modes other than Append pass by.
func TestOtherModesMeanNothing(t *testing.T) {
	for _, m := range []safety.Mode{safety.Read, safety.Write, safety.Shared} {
		var ls Lanes[int]
		p := phase(1, 1)
		p.Mode = m
		ls.Open(p)
		require.Nil(t, p.State)
		ls.Seal(p, func(Items[int]) { t.Error("there are no items") })
	}
}

// The last item of a span is found also when AvailableBuffer has gone on to the next chunk.
func TestTheLastItemOfAFullChunk(t *testing.T) {
	var ls Lanes[int]
	p := &safety.Phase{Mode: safety.Append, Workers: 1, Batches: 1, Kept: 1, Parallel: once}
	ls.Open(p)
	l := ls.Lane(0)
	l.BeginSpan(0)
	n := max(cap(l.AvailableBuffer(nil)), 1) // not that of the chunk with the race detector
	for i := range n {
		l.Append(nil, i)
	}
	require.Equal(t, n-1, *l.Last())
	l.AvailableBuffer(nil)
	require.Equal(t, n-1, *l.Last())
	ls.Seal(p, func(Items[int]) {})
}

// The last item of the span before, in a full chunk, is none of the next span.
func TestTheLastItemOfTheSpanBefore(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 6)
	ls.Open(p)
	l := ls.Lane(0)
	l.BeginSpan(0)
	l.Append(nil, 0)
	for l.Len() < int(field(l.core(), "cap").Int()) {
		l.Append(nil, 0)
	}
	l.BeginSpan(5)
	require.Nil(t, l.Last())
	l.AvailableBuffer(nil)
	require.Nil(t, l.Last())
	l.Append(nil, 7)
	require.Equal(t, 7, *l.Last())
	ls.Seal(p, func(Items[int]) {})
}

// A slice that was lent is refused once it is items, also where there is no view.
func TestASliceThatWasLentIsAppendedOnce(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 1)
	ls.Open(p)
	l := ls.Lane(0)
	l.BeginSpan(0)
	lent := append(l.AvailableBuffer(nil), 1, 2)
	l.AppendAll(nil, lent)
	v := lawtest.Violation(t, func() error { l.AppendAll(nil, lent[:1]); return nil })
	require.ErrorIs(t, v, safety.ErrArgument)
	require.ErrorContains(t, v, "AvailableBuffer")
	require.Equal(t, 2, l.Len())
	ls.Seal(p, func(Items[int]) {})
}
