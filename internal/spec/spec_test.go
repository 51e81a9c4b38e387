package spec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// step asserts whether one operation is accepted, and what it leaves.
func step[S comparable, I, O any](t *testing.T, s *linear.Spec[S, I, O], from S, in I, out O, ok bool, to S) {
	t.Helper()
	next, got := s.Step(from, in, out)
	require.Equal(t, ok, got, s.Text(in, out))
	if ok {
		require.Equal(t, to, next, s.Text(in, out))
	}
}

// TestCompute: a Compute stands for what its function saw, and what it did.
func TestCompute(t *testing.T) {
	s := spec.Map()
	five := spec.Entry{Value: 5, Present: true}
	none := spec.Entry{}
	put := spec.MapIn{Op: spec.Compute, Seen: 5, SeenOK: true, Value: 6}
	step(t, s, five, put, spec.MapOut{Value: 6, OK: true}, true, spec.Entry{Value: 6, Present: true})
	step(t, s, five, put, spec.MapOut{Value: 5, OK: true}, false, none)
	step(t, s, five, put, spec.MapOut{Value: 6}, false, none)
	step(t, s, none, put, spec.MapOut{Value: 6, OK: true}, false, none)
	step(t, s, spec.Entry{Value: 4, Present: true}, put, spec.MapOut{Value: 6, OK: true}, false, none)
	drop := spec.MapIn{Op: spec.Compute, Seen: 5, SeenOK: true, Drop: true}
	step(t, s, five, drop, spec.MapOut{}, true, none)
	step(t, s, five, drop, spec.MapOut{OK: true}, false, none)
	absent := spec.MapIn{Op: spec.Compute, Value: 6}
	step(t, s, none, absent, spec.MapOut{Value: 6, OK: true}, true, spec.Entry{Value: 6, Present: true})
	step(t, s, five, absent, spec.MapOut{Value: 6, OK: true}, false, none)

	require.Equal(t, []spec.Entry{{Value: 6, Present: true}}, s.Next(five, put))
	require.Equal(t, []spec.Entry{none}, s.Next(five, drop))
	require.Empty(t, s.Next(none, put))
	require.False(t, s.Reads(put, spec.MapOut{}))
}

// TestWaitingOperations: they answer false only when the queue is closed.
func TestWaitingOperations(t *testing.T) {
	s := spec.Queue(spec.Capacity(1))
	one := spec.Line{Items: spec.BatchOf(1)}
	closed := spec.Line{Items: spec.BatchOf(1), Closed: true}
	step(t, s, spec.Line{}, spec.QueueIn{Op: spec.Enqueue, Value: 1}, spec.QueueOut{OK: true}, true, one)
	step(t, s, spec.Line{}, spec.QueueIn{Op: spec.Enqueue, Value: 1}, spec.QueueOut{}, false, one)
	step(t, s, one, spec.QueueIn{Op: spec.Enqueue, Value: 1}, spec.QueueOut{OK: true}, false, one)
	step(t, s, one, spec.QueueIn{Op: spec.Enqueue, Value: 1}, spec.QueueOut{}, false, one)
	step(t, s, closed, spec.QueueIn{Op: spec.Enqueue, Value: 1}, spec.QueueOut{}, true, closed)
	step(t, s, spec.Line{}, spec.QueueIn{Op: spec.Dequeue}, spec.QueueOut{}, false, one)
	step(t, s, one, spec.QueueIn{Op: spec.Dequeue}, spec.QueueOut{Value: 1, OK: true}, true, spec.Line{})
	step(t, s, closed, spec.QueueIn{Op: spec.Dequeue}, spec.QueueOut{Value: 1, OK: true}, true, spec.Line{Closed: true})
	step(t, s, spec.Line{Closed: true}, spec.QueueIn{Op: spec.Dequeue}, spec.QueueOut{}, true, spec.Line{Closed: true})
	step(t, s, spec.Line{Closed: true}, spec.QueueIn{Op: spec.EnqueueAll, Batch: spec.BatchOf(1)}, spec.QueueOut{}, true, spec.Line{Closed: true})
	require.Panics(t, func() { spec.Capacity(0) })
}

// TestReleases: of what is held.
func TestReleases(t *testing.T) {
	s := spec.Claim()
	free, alone, two := spec.Holders{}, spec.Holders{Alone: true}, spec.Holders{Shared: 2}
	step(t, s, alone, spec.ClaimIn{Op: spec.Release}, spec.ClaimOut{}, true, free)
	step(t, s, two, spec.ClaimIn{Op: spec.ReleaseShared}, spec.ClaimOut{}, true, spec.Holders{Shared: 1})
	for _, s1 := range []spec.Holders{free, two} {
		step(t, s, s1, spec.ClaimIn{Op: spec.Release}, spec.ClaimOut{}, false, free)
	}
	for _, s1 := range []spec.Holders{free, alone} {
		step(t, s, s1, spec.ClaimIn{Op: spec.ReleaseShared}, spec.ClaimOut{}, false, free)
	}
	require.Equal(t, "free, held alone, held by 2", free.String()+", "+alone.String()+", "+two.String())
}

// TestBatches: values in a row.
func TestBatches(t *testing.T) {
	b := spec.BatchOf(1, -2, 1<<30)
	require.Equal(t, 3, b.Len())
	require.Equal(t, []int{1, -2, 1 << 30}, b.Values())
	require.Equal(t, "[1 -2 1073741824]", b.String())
	require.Equal(t, "[]", spec.BatchOf().String())
	if big := int64(1) << 31; int64(int(big)) == big {
		require.Panics(t, func() { spec.BatchOf(int(big)) })
	}
}

// TestShortLineHasLimits: and says so, instead of a wrong verdict.
func TestShortLineHasLimits(t *testing.T) {
	s := spec.ShortQueue()
	state := s.Init
	put := func(v int) (spec.ShortLine, bool) {
		return s.Step(state, spec.QueueIn{Op: spec.TryEnqueue, Value: v}, spec.QueueOut{OK: true})
	}
	require.Panics(t, func() { put(256) })
	require.Panics(t, func() { put(-1) })
	for i := range 15 {
		state, _ = put(255 - i)
	}
	require.PanicsWithValue(t, "spec: ShortQueue has room for 15 items of 0 to 255 and not for a further 1; use Queue", func() { put(1) })
	state, _ = s.Step(state, spec.QueueIn{Op: spec.Close}, spec.QueueOut{})
	require.Equal(t, "[255 254 253 252 251 250 249 248 247 246 245 244 243 242 241] closed", state.String())
	for i := range 15 {
		var ok bool
		state, ok = s.Step(state, spec.QueueIn{Op: spec.TryDequeue}, spec.QueueOut{OK: true, Value: 255 - i})
		require.True(t, ok)
	}
	require.Equal(t, "[] closed", state.String())
	next, _ := s.Step(s.Init, spec.QueueIn{Op: spec.Close}, spec.QueueOut{})
	require.Equal(t, next, state, "nothing of the items is left")
}

// TestTexts: operations are written as they are called.
func TestTexts(t *testing.T) {
	var all []string
	for op := spec.Add; op <= spec.Values; op++ {
		q := spec.Queue().Text(spec.QueueIn{Op: op, Value: 2, Batch: spec.BatchOf(1)}, spec.QueueOut{OK: true, Value: 3, N: 4, Batch: spec.BatchOf(5)})
		c := spec.Counter().Text(spec.CounterIn{Op: op, Value: 2}, spec.CounterOut{Value: 3})
		r := spec.Register().Text(spec.RegisterIn{Op: op, Value: 2, Old: 1}, spec.RegisterOut{Value: 3, OK: true})
		m := spec.Map().Text(spec.MapIn{Op: op, Key: 1, Value: 2, Old: 3, Seen: 4, SeenOK: true}, spec.MapOut{Value: 5, OK: true, N: 6})
		mm := spec.MultiMap().Text(spec.MultiMapIn{Op: op, Key: 1, Value: 2, Values: spec.BatchOf(1)}, spec.MultiMapOut{N: 3, Values: spec.BatchOf(4, 5)})
		cl := spec.Claim().Text(spec.ClaimIn{Op: op}, spec.ClaimOut{OK: true})
		all = append(all, q, c, r, m, mm, cl)
	}
	for _, want := range []string{
		"TryEnqueue(2) = true", "Enqueue(2) = true", "TryDequeue() = 3", "Dequeue() = 3", "Peek() = 3", "Len() = 4", "All() = [5]", "EnqueueAll([1]) = 4",
		"DequeueInto(2) = [5]", "Clear()", "Close()", "Add(2)", "Value() = 3", "Set(2)", "Swap(2) = 3", "Reset()", "Load() = 3", "Store(2)",
		"CompareAndSwap(1, 2) = true", "Load(1) = 5", "Store(1, 2)", "LoadOrStore(1, 2) = 5, true", "LoadAndDelete(1) = 5", "Delete(1)",
		"Swap(1, 2) = 5", "CompareAndSwap(1, 3, 2) = true", "CompareAndDelete(1, 3) = true", "Compute(1, 4 to 2) = 5", "Len() = 6", "Add(1, 2)", "Values(1) = [4 5]",
		"AddAll(1, [1])", "Replace(1, [1]) = 3", "Count(1) = 3", "Delete(1) = 3", "DeleteValue(1, 2) = 3", "Len() = 3", "Acquire() = true", "AcquireShared() = true", "Release()",
		"ReleaseShared()",
	} {
		require.Contains(t, all, want)
	}
	require.Equal(t, "Compute(1, false to delete) = false", spec.Map().Text(spec.MapIn{Op: spec.Compute, Key: 1, Drop: true}, spec.MapOut{}))
	require.Equal(t, "Op(200)", spec.Op(200).String())
	require.Equal(t, "none", spec.Entry{}.String())
	require.Equal(t, "5", spec.Entry{Value: 5, Present: true}.String())
}

// TestUnknownOperations: a history with an operation that the container does not have is a fault of
// the test, and no verdict.
func TestUnknownOperations(t *testing.T) {
	require.PanicsWithValue(t, "spec: Queue has no operation Load", func() { spec.Queue().Step(spec.Line{}, spec.QueueIn{Op: spec.Load}, spec.QueueOut{}) })
	require.PanicsWithValue(t, "spec: Counter has no operation Load", func() { spec.Counter().Step(0, spec.CounterIn{Op: spec.Load}, spec.CounterOut{}) })
	require.PanicsWithValue(t, "spec: Register has no operation Add", func() { spec.Register().Step(0, spec.RegisterIn{Op: spec.Add}, spec.RegisterOut{}) })
	require.PanicsWithValue(t, "spec: Map has no operation Add", func() { spec.Map().Step(spec.Entry{}, spec.MapIn{Op: spec.Add}, spec.MapOut{}) })
	require.PanicsWithValue(t, "spec: MultiMap has no operation Load", func() { spec.MultiMap().Step("", spec.MultiMapIn{Op: spec.Load}, spec.MultiMapOut{}) })
	require.PanicsWithValue(t, "spec: Claim has no operation Add", func() { spec.Claim().Step(spec.Holders{}, spec.ClaimIn{Op: spec.Add}, spec.ClaimOut{}) })
}
