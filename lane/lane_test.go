package lane

import (
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// seal seals the phase and returns the items.
func seal[T any](ls *Lanes[T], p *safety.Phase) (got []T) {
	ls.Seal(p, func(s Items[T]) { got = slices.Collect(s.All()) })
	return got
}

// The failing cell counts up to where it failed, and whoever had gone further does not.
func TestTheFailingCellCountsUpToItsFailure(t *testing.T) {
	var ls Lanes[string]
	p := phase(2, 6)
	ls.Open(p)
	a, b := ls.Lane(0), ls.Lane(1)
	a.BeginRun(3) // cells 3 and 4, taken first
	a.AppendAll(nil, []string{"3", "4"})
	b.BeginRun(0) // cells 0, 1 and 2, the last of which fails after one of two
	b.AppendAll(nil, []string{"0", "1", "2 before it failed"})
	b.BeginRun(5)
	b.Append(nil, "5")
	p.Kept = 3
	require.Equal(t, []string{"0", "1", "2 before it failed"}, seal(&ls, p))
}

// A job that never ran, or was cancelled, keeps nothing.
func TestNothingIsKeptOfACancelledJob(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 1)
	ls.Open(p)
	ls.Lane(0).BeginRun(0)
	ls.Lane(0).Append(nil, 1)
	p.Kept, p.Parallel = 0, nil
	calls := 0
	ls.Seal(p, func(s Items[int]) {
		calls++
		require.Zero(t, s.Len())
		require.Empty(t, s.AppendTo(nil))
		require.Zero(t, s.CopyTo(make([]int, 3)))
	})
	require.Equal(t, 1, calls)
}

// Runs without items leave nothing behind, so that loops that seldom append do not pay for their cells.
func TestARunWithoutItemsIsForgotten(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 1<<20)
	ls.Open(p)
	l := ls.Lane(0)
	for c := 1 << 20; c > 0; c -= 2 {
		l.BeginRun(c)
		if c == 500 {
			l.Append(nil, c)
		}
	}
	require.LessOrEqual(t, len(l.runs), 2)
	require.Equal(t, []int{500}, seal(&ls, p))
}

func TestVeryManyRuns(t *testing.T) {
	const cells, workers = 100_000, 3
	var ls Lanes[int]
	p := phase(workers, cells)
	for range 2 {
		ls.Open(p)
		for k := range cells {
			c := k * 77773 % cells // each once
			l := ls.Lane(k % workers)
			l.BeginRun(c)
			l.Append(nil, c)
		}
		got := seal(&ls, p)
		require.Len(t, got, cells)
		require.True(t, slices.IsSorted(got))
	}
}

// Items without a size, and items larger than a chunk, are items.
func TestItemsOfAnySize(t *testing.T) {
	var none Lanes[struct{}]
	p := phase(2, 2)
	none.Open(p)
	for w := range 2 {
		none.Lane(w).BeginRun(w)
		none.Lane(w).AppendAll(nil, make([]struct{}, 300_000))
		none.Lane(w).Append(nil, struct{}{})
	}
	none.Seal(p, func(s Items[struct{}]) {
		require.Equal(t, 600_002, s.Len())
		require.Len(t, s.AppendTo(nil), 600_002)
	})
	type huge [1 << 20]byte
	var hs Lanes[huge]
	p = phase(2, 4)
	hs.Open(p)
	item := new(huge)
	for c := range 4 {
		hs.Lane(1 - c%2).BeginRun(c)
		item[0] = byte(c)
		hs.Lane(1-c%2).AppendAll(nil, []huge{*item})
	}
	hs.Seal(p, func(s Items[huge]) {
		dst := s.AppendTo(make([]huge, 0, 4))
		require.Len(t, dst, 4)
		for c := range dst {
			require.EqualValues(t, c, dst[c][0])
		}
	})
}

func TestChunksGrowUpToALimit(t *testing.T) {
	lens := func(next func(int) int) (list []int) {
		n := 0
		for range 12 {
			n = next(n)
			list = append(list, n)
		}
		return list
	}
	require.Equal(t, []int{128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 32768, 32768, 32768}, lens(chunkLen[uint64]))
	require.Equal(t, []int{86, 172, 344, 688, 1376, 2752, 5504, 11008, 21846, 21846, 21846, 21846}, lens(chunkLen[[3]int32]))
	require.Equal(t, []int{2, 4, 8, 16, 32, 64, 128, 256, 437, 437, 437, 437}, lens(chunkLen[[600]byte]))
	require.Equal(t, slices.Repeat([]int{1}, 12), lens(chunkLen[[mostBytes + 1]byte]))
	require.Equal(t, 1024, chunkLen[struct{}](0))
	for n, want := range map[int]int{0: 128, 1: 128, 128: 128, 129: 256, 5000: 8192, 30_000: 32768, 1 << 30: 32768} {
		require.Equal(t, want, chunkFor[uint64](n), n)
	}
	require.Equal(t, 1, chunkFor[[mostBytes + 1]byte](5))
}

// A lane whose chunks were taken begins the next phase with a chunk for as many items, and with one that was given back.
func TestALaneWhoseChunksWereTakenBeginsWithALongOne(t *testing.T) {
	var ls Lanes[uint64]
	phase := func(n int) (taken [][]uint64) {
		p := &safety.Phase{Mode: safety.Append, Workers: 1, Kept: 1}
		ls.Open(p)
		l := ls.Lane(0)
		l.BeginRun(0)
		for i := range n {
			l.Append(nil, uint64(i))
		}
		ls.Seal(p, func(s Items[uint64]) { taken = slices.Collect(s.Take()) })
		return taken
	}
	const most = mostBytes / 8
	for _, c := range [][2]int{{1000, 4}, {1000, 1}, {10, 1}, {300, 2}, {2 * most, 8}} { // 300 items have 512 places the next time
		require.Equal(t, c[1], len(phase(c[0])), c)
	}
	taken := phase(2 * most)
	require.Equal(t, 2, len(taken))
	again := false
	for range 100 { // what was given back may be forgotten, and is with the race detector
		ls.Reuse(taken[0][:most-1])
		ls.Reuse(taken[0])
		next := phase(2 * most)
		require.Equal(t, 2, len(next))
		again = again || &next[0][0] == &taken[0][0] || &next[1][0] == &taken[0][0]
		taken = next
	}
	require.NotEqual(t, atom.Race, again)
}

// In a chunk of 1 KiB or more no allocation shares a line with another one.
func TestLanesAndChunksHaveLinesOfTheirOwn(t *testing.T) {
	var l Lane[int]
	require.GreaterOrEqual(t, unsafe.Offsetof(l.buf), uintptr(pad.Line))
	require.GreaterOrEqual(t, unsafe.Sizeof(l)-unsafe.Offsetof(l.witness)-unsafe.Sizeof(l.witness), uintptr(pad.Line))
	require.Zero(t, firstBytes%pad.Line)
}

// garbage fails the test unless what is pointed to becomes garbage.
func garbage(t *testing.T, list []weak.Pointer[[64]byte], while any) {
	t.Helper()
	left := 0
	for range 10 {
		runtime.GC()
		left = 0
		for _, p := range list {
			if p.Value() != nil {
				left++
			}
		}
		if left == 0 {
			break
		}
	}
	require.Zero(t, left, "of %d", len(list))
	runtime.KeepAlive(while)
}

// fill appends n new things to each of three lanes, in two runs of which the second is not to be kept.
func fill(ls *Lanes[*[64]byte], p *safety.Phase, n int) (kept, dropped []weak.Pointer[[64]byte]) {
	for w := range 3 {
		l := ls.Lane(w)
		l.BeginRun(w)
		for range n {
			v := new([64]byte)
			kept = append(kept, weak.Make(v))
			l.Append(nil, v)
		}
		l.BeginRun(10 + w)
		for range n {
			v := new([64]byte)
			dropped = append(dropped, weak.Make(v))
			l.Append(nil, v)
		}
	}
	p.Kept = 10
	return kept, dropped
}

// What was appended is the container's, and what it forgets becomes garbage although the lanes keep their memory; what
// does not count becomes garbage by itself.
func TestTheLanesKeepNothingAlive(t *testing.T) {
	for _, n := range []int{1, 100, 40_000} { // in the last case the lanes are cleared in parallel
		var ls Lanes[*[64]byte]
		p := phase(3, 20)
		ls.Open(p)
		kept, dropped := fill(&ls, p, n)
		var container []*[64]byte
		ls.Seal(p, func(s Items[*[64]byte]) { container = s.AppendTo(nil) })
		require.Len(t, container, 3*n)
		garbage(t, dropped, &ls)
		for _, k := range kept {
			require.NotNil(t, k.Value())
		}
		clear(container)
		garbage(t, kept, &ls)
		require.NotEmpty(t, ls.list[0].chunks, "the memory is kept")
	}
}

// Who takes the pieces has them, without what does not count; the lanes have none of it any more.
func TestPiecesCanBeTaken(t *testing.T) {
	var ls Lanes[*[64]byte]
	p := phase(3, 20)
	for range 2 {
		ls.Open(p)
		kept, dropped := fill(&ls, p, 300)
		var pieces [][]*[64]byte
		n := 0
		ls.Seal(p, func(s Items[*[64]byte]) {
			require.Equal(t, 900, s.Len())
			for piece := range s.Take() {
				pieces = append(pieces, piece)
				n += len(piece)
				require.Equal(t, len(piece), cap(piece))
			}
		})
		require.Equal(t, 900, n)
		for _, l := range ls.list {
			require.Empty(t, l.chunks)
		}
		garbage(t, dropped, pieces)
		for _, k := range kept {
			require.NotNil(t, k.Value())
		}
	}
	var words Lanes[int]
	p = phase(1, 2)
	words.Open(p)
	words.Lane(0).BeginRun(0)
	words.Lane(0).Append(nil, 7)
	var taken []int
	words.Seal(p, func(s Items[int]) {
		for piece := range s.Take() {
			taken = piece
		}
	})
	words.Open(p)
	words.Lane(0).BeginRun(0)
	words.Lane(0).Append(nil, 8)
	require.Equal(t, []int{7}, taken)
	require.Equal(t, []int{8}, seal(&words, p))
}

// A piece that is taken and appended to does not reach into the one behind it.
func TestPiecesDoNotOverlap(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 10)
	ls.Open(p)
	for c := 9; c >= 0; c-- {
		ls.Lane(0).BeginRun(c)
		ls.Lane(0).AppendAll(nil, []int{c, c})
	}
	var pieces [][]int
	ls.Seal(p, func(s Items[int]) { pieces = slices.Collect(s.Take()) })
	for i := range pieces {
		pieces[i][0] = -1
		_ = append(pieces[i], 100)
	}
	for c, piece := range pieces {
		require.Equal(t, []int{-1, c}, piece)
	}
}

func TestTheSteadyStateAllocatesNothing(t *testing.T) {
	if atom.Race {
		t.Skip("the race detector sees memory that is used again")
	}
	var ls Lanes[*int]
	x := new(int)
	many := slices.Repeat([]*int{x}, 40_000)
	dst := make([]*int, 0, 300_000)
	p, in := phase(3, 20), phase(2, 4)
	round := func() {
		ls.Open(p)
		for c := range 20 {
			l := ls.Lane(c % 3)
			l.BeginRun(19 - c)
			l.Append(nil, x)
			if c == 7 {
				in.Into = l
				ls.Open(in)
				of := in.State.(*Lanes[*int])
				of.Lane(1).BeginRun(0)
				of.Lane(1).AppendAll(nil, many)
				ls.Seal(in, nil)
			}
			l.AppendAll(nil, many[:1000])
		}
		ls.Seal(p, func(s Items[*int]) { dst = s.AppendTo(dst[:0]) })
	}
	round()
	require.Zero(t, testing.AllocsPerRun(20, round))
	require.Len(t, dst, 40_000+20*1001)
}

// Lanes that share chunks use the same memory one after the other, nested ones too, and keep the small ones to themselves.
func TestChunksAreShared(t *testing.T) {
	if atom.Race {
		t.Skip("the race detector sees memory that is used again")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nothing goes to the garbage collector
	var c Chunks[*[64]byte]
	p, in := phase(1, 20), phase(1, 4)
	seen := map[**[64]byte]bool{}
	some := make([]*[64]byte, 100_000)
	for range 20 {
		var ls Lanes[*[64]byte]
		ls.Share(&c)
		ls.Open(p)
		l := ls.Lane(0)
		l.BeginRun(0)
		l.AppendAll(nil, some)
		in.Into = l
		ls.Open(in)
		nested := in.State.(*Lanes[*[64]byte])
		nested.Lane(0).BeginRun(0)
		nested.Lane(0).AppendAll(nil, some)
		ls.Seal(in, nil)
		require.Len(t, nested.list[0].chunks, 8, "1 KiB to 128 KiB")
		for _, chunk := range l.chunks[8:] {
			seen[&chunk[0]] = true
		}
		ls.Seal(p, func(s Items[*[64]byte]) { require.Equal(t, 200_000, s.Len()) })
		require.Len(t, l.chunks, 8)
	}
	require.LessOrEqual(t, len(seen), 20, "all together have filled 100")
	last, three := Lanes[*[64]byte]{shared: &c}, phase(3, 20)
	last.Open(three)
	kept, dropped := fill(&last, three, 40_000)
	last.Seal(three, func(Items[*[64]byte]) {})
	chunk := *c.spares.Take()
	garbage(t, slices.Concat(kept, dropped), chunk)
}

func TestTrimGivesTheMemoryBack(t *testing.T) {
	var ls Lanes[int]
	ls.Trim()
	p := phase(1, 1)
	for range 2 {
		ls.Open(p)
		ls.Lane(0).BeginRun(0)
		ls.Lane(0).Append(nil, 1)
		ls.Trim() // not now
		require.Equal(t, []int{1}, seal(&ls, p))
		ls.Trim()
		require.Nil(t, ls.list)
	}
}

// What is kept for later phases is known: the chunks of all workers and of nested jobs, and what Trim gives back.
func TestBytesThatAreKept(t *testing.T) {
	var ls Lanes[int64]
	require.Zero(t, ls.Bytes())
	fill := func(n int, nested bool) {
		p := phase(2, 2)
		ls.Open(p)
		for w := range 2 {
			ls.Lane(w).BeginRun(w)
			for i := range n {
				ls.Lane(w).Append(nil, int64(i))
			}
		}
		if nested {
			q := phase(1, 1)
			q.Into = ls.Lane(0)
			ls.Open(q)
			inner := q.State.(*Lanes[int64])
			inner.Lane(0).BeginRun(0)
			inner.Lane(0).AppendAll(nil, make([]int64, n))
			inner.Seal(q, func(Items[int64]) { t.Error("they go to the lane") })
		}
		seal(&ls, p)
	}
	fill(1, false)
	few := ls.Bytes()
	require.GreaterOrEqual(t, few, 2*firstBytes)
	require.Less(t, few, 2*firstBytes+4096, "besides the chunks there is little")
	fill(1, false)
	require.Equal(t, few, ls.Bytes(), "the same memory serves again")
	const many = 100_000
	fill(many, false)
	all := ls.Bytes()
	require.GreaterOrEqual(t, all, 2*8*many)
	require.Less(t, all, 2*8*many+2*2*mostBytes)
	if !atom.Race { // there nested jobs use no memory again
		fill(1000, true)
		require.GreaterOrEqual(t, ls.Bytes(), all+8*1000)
	}
	ls.Trim()
	require.Zero(t, ls.Bytes())
}

// More workers than before get lanes, and fewer leave some unused.
func TestTheNumberOfWorkersChanges(t *testing.T) {
	var ls Lanes[int]
	for _, workers := range []int{1, 5, 2, 8, 1} {
		p := phase(workers, workers)
		ls.Open(p)
		var want []int
		for w := range workers {
			ls.Lane(w).BeginRun(w)
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

// A container that panics has lost the items; its lanes are as good as new.
func TestAContainerThatPanics(t *testing.T) {
	var ls Lanes[*int]
	p := phase(1, 1)
	broken := errors.New("no room")
	for range 2 {
		ls.Open(p)
		ls.Lane(0).BeginRun(0)
		ls.Lane(0).Append(nil, new(int))
		require.PanicsWithValue(t, broken, func() { ls.Seal(p, func(Items[*int]) { panic(broken) }) })
	}
	require.Nil(t, ls.list[0].chunks[0][0])
}

// What an author of a container may forget is found out by the first test that runs.
func TestWhatAuthorsMayForget(t *testing.T) {
	var ls Lanes[int]
	p := phase(1, 1)
	late := func() *Lane[int] {
		ls.Open(p)
		defer ls.Seal(p, func(Items[int]) {})
		return ls.Lane(0)
	}()
	for _, c := range []struct {
		name string
		kind error
		says string
		do   func()
	}{
		{"append outside a phase", safety.ErrStaleView, "outside its phase", func() { late.Append(nil, 1) }},
		{"append many outside a phase", safety.ErrStaleView, "outside its phase", func() { late.AppendAll(nil, []int{1}) }},
		{"append to no lane", safety.ErrStaleView, "outside its phase", func() { (*Lane[int])(nil).Append(nil, 1) }},
		{"append many to no lane", safety.ErrStaleView, "outside its phase", func() { (*Lane[int])(nil).AppendAll(nil, nil) }},
		{"no BeginRun", safety.ErrArgument, "safety.RunView", func() {
			ls.Open(p)
			defer ls.Seal(p, func(Items[int]) {})
			ls.Lane(0).Append(nil, 1)
		}},
		{"no Open", safety.ErrArgument, "a lane of int", func() { Of[int](safety.NewBinding(lease(t), 0, nil)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := lawtest.Violation(t, func() error { c.do(); return nil })
			require.ErrorIs(t, v, c.kind)
			require.ErrorContains(t, v, c.says)
		})
	}
	t.Run("no Into", func(t *testing.T) {
		lawtest.CheckedOnly(t)
		ls.Open(p)
		v := lawtest.Violation(t, func() error { ls.Open(phase(1, 1)); return nil })
		require.ErrorIs(t, v, safety.ErrArgument)
		require.ErrorContains(t, v, "Into")
		require.Empty(t, seal(&ls, p))
	})
}

// lease returns the lease of a job with a claim whose container has no phases.
func lease(t *testing.T) *safety.Lease {
	var g safety.Guard
	g.Init(&g, 0)
	a := g.Access(safety.Read)
	ticket := new(safety.Ticket)
	ticket.Reset("job", safety.Caller(0))
	ticket.Claim(a.Claim())
	require.Nil(t, ticket.Open(1, false))
	ticket.Start(safety.Phase{Workers: 1, N: 1, Cells: 1, Batch: 1})
	l := safety.NewLease()
	l.Open(ticket, 0, true)
	t.Cleanup(func() {
		l.Close()
		l.Discard()
		ticket.Seal(1, false, nil)
		ticket.Return()
	})
	return l
}
