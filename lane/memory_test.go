package lane

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lanes"
	"example.com/custody/safety"
)

// What package lanes says of chunks and lanes.
const (
	firstBytes = 1 << 10
	mostBytes  = 256 << 10
	keptLanes  = 16
)

// A lane whose chunks were taken begins the next phase with a chunk for as many items, and with one
// that was given back.
func TestALaneWhoseChunksWereTakenBeginsWithALongOne(t *testing.T) {
	var ls Lanes[uint64]
	phase := func(n int) (got [][]uint64) {
		p := &safety.Phase{Mode: safety.Append, Workers: 1, Kept: 1}
		ls.Open(p)
		l := ls.Lane(0)
		l.BeginSpan(0)
		for i := range n {
			l.Append(nil, uint64(i))
		}
		ls.Seal(p, func(s Items[uint64]) { got = taken(s) })
		return got
	}
	const most = mostBytes / 8
	for _, c := range [][2]int{{1000, 4}, {1000, 1}, {10, 1}, {300, 2}, {2 * most, 8}} { // 300 items have 512 places the next time
		require.Equal(t, c[1], len(phase(c[0])), c)
	}
	pieces := phase(2 * most)
	require.Equal(t, 2, len(pieces))
	again := false
	for range 100 { // what was given back may be forgotten, and is with the race detector
		ls.Reuse(pieces[0][:most-1])
		ls.Reuse(pieces[0])
		next := phase(2 * most)
		require.Equal(t, 2, len(next))
		again = again || &next[0][0] == &pieces[0][0] || &next[1][0] == &pieces[0][0]
		pieces = next
	}
	require.NotEqual(t, atom.Race, again)
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

// fill appends n new things to each of three lanes, in two runs of which the second is not to be
// kept.
func fill(ls *Lanes[*[64]byte], p *safety.Phase, n int) (kept, dropped []weak.Pointer[[64]byte]) {
	for w := range 3 {
		l := ls.Lane(w)
		l.BeginSpan(w)
		for range n {
			v := new([64]byte)
			kept = append(kept, weak.Make(v))
			l.Append(nil, v)
		}
		l.BeginSpan(10 + w)
		for range n {
			v := new([64]byte)
			dropped = append(dropped, weak.Make(v))
			l.Append(nil, v)
		}
	}
	p.Kept = 10
	return kept, dropped
}

// What was appended is the container's, and what it forgets becomes garbage although the lanes keep
// their memory; what does not count becomes garbage by itself.
func TestTheLanesKeepNothingAlive(t *testing.T) {
	for _, n := range []int{1, 100, 40_000} { // in the last case the lanes are cleared in parallel
		var ls Lanes[*[64]byte]
		p := phase(3, 20)
		ls.Open(p)
		kept, dropped := fill(&ls, p, n)
		var container []*[64]byte
		ls.Seal(p, func(s Items[*[64]byte]) { container = appended(nil, s) })
		require.Len(t, container, 3*n)
		garbage(t, dropped, &ls)
		for _, k := range kept {
			require.NotNil(t, k.Value())
		}
		clear(container)
		garbage(t, kept, &ls)
		require.NotZero(t, field(ls.Lane(0).core(), "chunks").Len(), "the memory is kept")
	}
}

// nestedIn returns the lanes of a nested job.
func nestedIn[T any](p *safety.Phase) *Lanes[T] {
	return (*Lanes[T])(unsafe.Pointer(p.State.(*lanes.Lanes)))
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
			l.BeginSpan(19 - c)
			l.Append(nil, x)
			if c == 7 {
				in.Into = l
				ls.Open(in)
				of := nestedIn[*int](in)
				of.Lane(1).BeginSpan(0)
				of.Lane(1).AppendAll(nil, many)
				ls.Seal(in, nil)
			}
			l.AppendAll(nil, many[:1000])
		}
		ls.Seal(p, func(s Items[*int]) { dst = appended(dst[:0], s) })
	}
	round()
	require.Zero(t, testing.AllocsPerRun(20, round))
	require.Len(t, dst, 40_000+20*1001)
}

// Lanes that share chunks use the same memory one after the other, nested ones too, and keep the
// small ones to themselves.
func TestChunksAreShared(t *testing.T) {
	if atom.Race {
		t.Skip("the race detector sees memory that is used again")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nothing goes to the garbage collector
	var c Lanes[*[64]byte]
	p, in := phase(1, 20), phase(1, 4)
	seen := map[**[64]byte]bool{}
	some := make([]*[64]byte, 100_000)
	for range 20 {
		var ls Lanes[*[64]byte]
		ls.Share(&c)
		ls.Open(p)
		l := ls.Lane(0)
		l.BeginSpan(0)
		l.AppendAll(nil, some)
		in.Into = l
		ls.Open(in)
		nested := nestedIn[*[64]byte](in)
		nested.Lane(0).BeginSpan(0)
		nested.Lane(0).AppendAll(nil, some)
		ls.Seal(in, nil)
		require.Equal(t, 8, field(nested.Lane(0).core(), "chunks").Len(), "1 KiB to 128 KiB")
		for chunks, i := field(l.core(), "chunks"), 8; i < chunks.Len(); i++ {
			seen[(**[64]byte)(chunks.Index(i).Field(0).UnsafePointer())] = true
		}
		ls.Seal(p, func(s Items[*[64]byte]) { require.Equal(t, 200_000, s.Len()) })
		require.Equal(t, 8, field(l.core(), "chunks").Len())
	}
	require.LessOrEqual(t, len(seen), 20, "all together have filled 100")
	var last Lanes[*[64]byte]
	last.Share(&c)
	three := phase(3, 20)
	last.Open(three)
	kept, dropped := fill(&last, three, 40_000)
	last.Seal(three, func(Items[*[64]byte]) {})
	chunk := (*atom.Pool)(unsafe.Pointer(field(&c.of, "own").UnsafeAddr())).Take()
	garbage(t, slices.Concat(kept, dropped), chunk)
}

func TestTrimGivesTheMemoryBack(t *testing.T) {
	var ls Lanes[int]
	ls.Trim()
	p := phase(1, 1)
	for range 2 {
		ls.Open(p)
		ls.Lane(0).BeginSpan(0)
		ls.Lane(0).Append(nil, 1)
		ls.Trim() // not now
		require.Equal(t, []int{1}, seal(&ls, p))
		ls.Trim()
		require.Zero(t, field(&ls.of, "list").Len())
	}
}

// What is kept for later phases is known: the chunks of all workers and of nested jobs, and what
// Trim gives back.
func TestBytesThatAreKept(t *testing.T) {
	var ls Lanes[int64]
	require.Zero(t, ls.Bytes())
	fill := func(n int, nested bool) {
		p := phase(2, 2)
		ls.Open(p)
		for w := range 2 {
			ls.Lane(w).BeginSpan(w)
			for i := range n {
				ls.Lane(w).Append(nil, int64(i))
			}
		}
		if nested {
			q := phase(1, 1)
			q.Into = ls.Lane(0)
			ls.Open(q)
			inner := nestedIn[int64](q)
			inner.Lane(0).BeginSpan(0)
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

// The lanes of a phase with many workers are dropped by a phase with few workers.
func TestLanesOfManyWorkersAreNotKept(t *testing.T) {
	var ls Lanes[int]
	for _, workers := range []int{100, 1, 20} {
		p := phase(workers, 1)
		ls.Open(p)
		ls.Lane(workers - 1).BeginSpan(0)
		ls.Lane(workers-1).Append(nil, workers)
		require.Equal(t, []int{workers}, seal(&ls, p))
		require.LessOrEqual(t, field(&ls.of, "list").Len(), max(keptLanes, 4*workers))
	}
}
