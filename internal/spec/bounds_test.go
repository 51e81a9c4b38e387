package spec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

const pending = linear.Pending

// within asserts which answers of the last operation of a history are within its bounds: those from
// least to most, among all from -2 to 9.
func within[S comparable, I, O any](t *testing.T, s *linear.Spec[S, I, O], answer func(n int) O, least, most int, h ...linear.Op[I, O]) {
	t.Helper()
	last := &h[len(h)-1]
	require.True(t, s.Weak(last.In))
	for n := -2; n < 10; n++ {
		last.Out = answer(n)
		err := s.CheckWeak(h)
		require.Equal(t, least <= n && n <= most, err == nil, "%d: %v\n%s", n, err, s.Draw(h))
	}
}

// TestQueueLenBounds: an item counts that is there, and may count that comes or goes meanwhile.
func TestQueueLenBounds(t *testing.T) {
	type op = linear.Op[spec.QueueIn, spec.QueueOut]
	s := spec.Queue(spec.WeakLen(), spec.Capacity(4))
	put := func(call, end int64) op {
		return op{Call: call, Return: end, In: spec.QueueIn{Op: spec.TryEnqueue}, Out: spec.QueueOut{OK: true}}
	}
	take := func(call, end int64) op {
		return op{Call: call, Return: end, In: spec.QueueIn{Op: spec.TryDequeue}, Out: spec.QueueOut{OK: true}}
	}
	puts := func(call, end int64, n int) op {
		return op{Call: call, Return: end, In: spec.QueueIn{Op: spec.EnqueueAll, Batch: spec.BatchOf(1, 2, 3)}, Out: spec.QueueOut{N: n}}
	}
	takes := func(call, end int64, items ...int) op {
		return op{Call: call, Return: end, In: spec.QueueIn{Op: spec.DequeueInto, Value: 2}, Out: spec.QueueOut{Batch: spec.BatchOf(items...)}}
	}
	clear := func(call, end int64) op { return op{Call: call, Return: end, In: spec.QueueIn{Op: spec.Clear}} }
	refused := op{Call: 2, Return: 3, In: spec.QueueIn{Op: spec.TryEnqueue}}
	length := op{Call: 10, Return: 20, In: spec.QueueIn{Op: spec.Len}}
	n := func(n int) spec.QueueOut { return spec.QueueOut{N: n} }

	within(t, s, n, 0, 0, length)
	within(t, s, n, 0, 0, refused, length)
	within(t, s, n, 1, 1, put(1, 9), length)
	within(t, s, n, 0, 1, put(1, 10), length)
	within(t, s, n, 0, 1, put(15, 30), length)
	within(t, s, n, 0, 0, put(21, 30), length)
	within(t, s, n, 0, 1, put(1, pending), length)
	within(t, s, n, 0, 0, put(1, 2), take(3, 4), length)
	within(t, s, n, 0, 1, put(1, 2), take(3, 14), length)
	within(t, s, n, 0, 1, put(1, 2), take(3, pending), length)
	within(t, s, n, 1, 1, put(1, 2), take(21, 22), length)
	within(t, s, n, 2, 2, puts(1, 2, 2), length)
	within(t, s, n, 0, 3, puts(1, pending, 0), length)
	within(t, s, n, 1, 1, puts(1, 2, 3), takes(3, 4, 1, 2), length)
	within(t, s, n, 1, 3, puts(1, 2, 3), takes(3, pending), length)
	within(t, s, n, 3, 4, puts(1, 2, 3), puts(11, 12, 3), length)
	within(t, s, n, 0, 0, put(1, 2), clear(3, 4), length)
	within(t, s, n, 0, 1, put(1, 2), clear(3, 14), length)
	within(t, s, n, 0, 1, put(1, 2), clear(3, 6), put(5, 8), length)
	within(t, s, n, 0, 2, put(1, 3), clear(2, 5), put(5, 8), length)
	within(t, s, n, 0, 1, put(1, 2), clear(3, pending), length)
}

// TestMapLenBounds: a key counts that is there, and may count that comes or goes meanwhile, and
// none twice.
func TestMapLenBounds(t *testing.T) {
	type op = linear.Op[spec.MapIn, spec.MapOut]
	s := spec.Map()
	do := func(call, end int64, kind spec.Op, key int, ok bool) op {
		return op{Call: call, Return: end, In: spec.MapIn{Op: kind, Key: key}, Out: spec.MapOut{OK: ok}}
	}
	drop := func(call, end int64) op {
		return op{Call: call, Return: end, In: spec.MapIn{Op: spec.Compute, SeenOK: true, Drop: true}}
	}
	length := op{Call: 10, Return: 20, In: spec.MapIn{Op: spec.Len}}
	n := func(n int) spec.MapOut { return spec.MapOut{N: n} }

	within(t, s, n, 0, 0, length)
	within(t, s, n, 1, 1, do(1, 2, spec.Store, 5, false), length)
	within(t, s, n, 1, 1, do(1, 2, spec.Store, 5, false), do(11, 12, spec.Swap, 5, true), length)
	within(t, s, n, 2, 2, do(1, 2, spec.Store, 5, false), do(3, 4, spec.LoadOrStore, 6, false), length)
	within(t, s, n, 0, 1, do(1, 2, spec.Store, 0, false), do(11, 12, spec.Delete, 0, false), length)
	within(t, s, n, 0, 1, do(1, 2, spec.Store, 0, false), drop(11, 12), length)
	within(t, s, n, 0, 1, do(1, 2, spec.Store, 0, false), do(3, pending, spec.LoadAndDelete, 0, false), length)
	within(t, s, n, 1, 1, do(1, 2, spec.Store, 5, false), do(11, 12, spec.Delete, 6, false), length)
	within(t, s, n, 0, 0, do(1, 2, spec.Store, 5, false), do(3, 4, spec.LoadAndDelete, 5, true), length)
	within(t, s, n, 0, 0, do(1, 2, spec.Store, 5, false), do(2, 4, spec.LoadAndDelete, 5, true), do(5, 6, spec.Delete, 5, false), length)
	within(t, s, n, 0, 1, do(1, 2, spec.Store, 5, false), do(2, 4, spec.Delete, 5, false), length)
	within(t, s, n, 1, 1, do(1, 2, spec.Delete, 5, false), do(3, 4, spec.Store, 5, false), length)
	within(t, s, n, 1, 1, do(1, 2, spec.Store, 5, false), do(3, 4, spec.CompareAndSwap, 5, true), do(5, 6, spec.Load, 5, true), length)
	within(t, s, n, 1, 1, do(1, 2, spec.Store, 5, false), do(21, 22, spec.Delete, 5, false), length)
	within(t, s, n, 0, 0, do(1, 2, spec.CompareAndSwap, 5, false), length)
	within(t, s, n, 0, 1, do(1, pending, spec.Store, 5, false), length)
	within(t, s, n, 0, 0, do(21, pending, spec.Store, 5, false), length)
}

// TestMultiMapLenBounds: a value counts that is there, and may count that comes or goes meanwhile.
func TestMultiMapLenBounds(t *testing.T) {
	type op = linear.Op[spec.MultiMapIn, spec.MultiMapOut]
	s := spec.MultiMap()
	do := func(call, end int64, kind spec.Op, key, value, deleted int) op {
		return op{Call: call, Return: end, In: spec.MultiMapIn{Op: kind, Key: key, Value: value}, Out: spec.MultiMapOut{N: deleted}}
	}
	puts := func(call, end int64, kind spec.Op, deleted int, values ...int) op {
		o := do(call, end, kind, 5, 0, deleted)
		o.In.Values = spec.BatchOf(values...)
		return o
	}
	length := op{Call: 10, Return: 20, In: spec.MultiMapIn{Op: spec.Len}}
	n := func(n int) spec.MultiMapOut { return spec.MultiMapOut{N: n} }

	within(t, s, n, 0, 0, length)
	within(t, s, n, 2, 2, do(1, 2, spec.Add, 5, 1, 0), do(1, 2, spec.Add, 5, 1, 0), length)
	within(t, s, n, 1, 2, do(1, 2, spec.Add, 5, 1, 0), do(11, 12, spec.Add, 6, 1, 0), length)
	within(t, s, n, 0, 1, do(1, pending, spec.Add, 5, 1, 0), length)
	within(t, s, n, 0, 0, do(1, 2, spec.Add, 5, 1, 0), do(3, 4, spec.Delete, 5, 0, 1), length)
	within(t, s, n, 1, 1, do(1, 2, spec.Add, 5, 1, 0), do(3, 4, spec.Delete, 6, 0, 0), length)
	within(t, s, n, 0, 1, do(1, 2, spec.Add, 5, 1, 0), do(3, 14, spec.Delete, 5, 0, 1), length)
	within(t, s, n, 0, 1, do(1, 2, spec.Add, 5, 1, 0), do(3, pending, spec.Delete, 5, 0, 0), length)
	within(t, s, n, 1, 1, do(1, 2, spec.Add, 5, 1, 0), do(3, 14, spec.DeleteValue, 5, 2, 0), length)
	within(t, s, n, 0, 1, do(1, 2, spec.Add, 5, 1, 0), do(3, 14, spec.DeleteValue, 5, 1, 1), length)
	within(t, s, n, 0, 0, do(1, 2, spec.Add, 5, 1, 0), do(3, 4, spec.DeleteValue, 5, 1, 1), length)
	within(t, s, n, 3, 3, puts(1, 2, spec.AddAll, 0, 1, 2, 1), length)
	within(t, s, n, 0, 2, puts(1, 12, spec.AddAll, 0, 1, 2), length)
	within(t, s, n, 1, 2, puts(1, 2, spec.AddAll, 0, 1, 2), do(3, 14, spec.DeleteValue, 5, 1, 1), length)
	within(t, s, n, 0, 0, puts(1, 2, spec.AddAll, 0, 1, 2), do(3, 4, spec.Delete, 5, 0, 2), length)
	within(t, s, n, 2, 2, do(1, 2, spec.Add, 5, 1, 0), puts(3, 4, spec.Replace, 1, 2, 2), length)
	within(t, s, n, 0, 2, do(1, 2, spec.Add, 5, 1, 0), puts(3, 14, spec.Replace, 1, 2), length)
	within(t, s, n, 0, 0, do(1, 2, spec.Add, 5, 1, 0), puts(3, 4, spec.Replace, 1), length)
	within(t, s, n, 2, 2, do(1, 2, spec.Add, 6, 1, 0), puts(3, 4, spec.Replace, 0, 2), length)
}

// TestCellBounds: a Value meets every Add that is there, and any that is there meanwhile, in any
// selection.
func TestCellBounds(t *testing.T) {
	type op = linear.Op[spec.CounterIn, spec.CounterOut]
	s := spec.Counter(spec.Cells())
	do := func(call, end int64, kind spec.Op, v int64) op {
		return op{Call: call, Return: end, In: spec.CounterIn{Op: kind, Value: v}}
	}
	n := func(n int) spec.CounterOut { return spec.CounterOut{Value: int64(n)} }
	for _, kind := range []spec.Op{spec.Value, spec.Swap} {
		look := do(10, 20, kind, 0)
		within(t, s, n, 0, 0, look)
		within(t, s, n, 3, 3, do(1, 2, spec.Add, 3), look)
		within(t, s, n, 3, 4, do(1, 2, spec.Add, 3), do(15, 16, spec.Add, 1), look)
		within(t, s, n, 0, 1, do(1, pending, spec.Add, 1), look)
		within(t, s, n, 2, 3, do(1, 2, spec.Add, 3), do(15, 16, spec.Add, -1), look)
		within(t, s, n, 5, 5, do(1, 2, spec.Add, 3), do(3, 4, spec.Set, 5), look)
		within(t, s, n, 6, 6, do(1, 2, spec.Set, 5), do(3, 4, spec.Add, 1), look)
		within(t, s, n, 5, 6, do(1, 3, spec.Set, 5), do(2, 4, spec.Add, 1), look)
		within(t, s, n, 0, 0, do(1, 2, spec.Add, 3), do(3, 4, spec.Reset, 0), look)
		within(t, s, n, 0, 1, do(1, 2, spec.Add, 1), do(13, 14, spec.Reset, 0), look)
		swap := do(3, 4, spec.Swap, 7)
		swap.Out.Value = 5
		within(t, s, n, 7, 7, do(1, 2, spec.Set, 5), swap, look)
	}

	// Only sums that exist: of 1, 10 and 100 not 2.
	h := []op{do(1, 2, spec.Add, 1), do(11, 12, spec.Add, 10), do(11, 12, spec.Add, 100), do(10, 20, spec.Value, 0)}
	for _, v := range []int64{1, 11, 101, 111} {
		h[3].Out.Value = v
		require.NoError(t, s.CheckWeak(h))
	}
	for _, v := range []int64{0, 2, 10, 110, 112} {
		h[3].Out.Value = v
		require.EqualError(t, unwrapped(s.CheckWeak(h)), "it met 1 for certain, and perhaps some of [10 100]")
	}

	// So many that the sums are not told apart: what is left is the least and the most.
	h = h[:0]
	for i := range 40 {
		h = append(h, do(11, 12, spec.Add, 1<<i))
	}
	h = append(h, do(10, 20, spec.Value, 0))
	for v, ok := range map[int64]bool{-1: false, 0: true, 12345: true, 1<<40 - 1: true, 1 << 40: false} {
		h[40].Out.Value = v
		require.Equal(t, ok, s.CheckWeak(h) == nil, v)
	}
	require.NoError(t, s.CheckWeak([]op{do(1, 2, spec.Set, 3)}), "a Set answers nothing")
}

// unwrapped is the error of the specification alone, without the drawing.
func unwrapped(err error) error {
	type wrapper interface{ Unwrap() error }
	return err.(wrapper).Unwrap()
}
