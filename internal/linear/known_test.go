package linear_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

type queueOp = linear.Op[spec.QueueIn, spec.QueueOut]

const pending = linear.Pending

// by gives an operation a task and times.
func by[I, O any](task int, call, end int64, o linear.Op[I, O]) linear.Op[I, O] {
	o.Task, o.Call, o.Return = task, call, end
	return o
}

func enqueue(v int, ok bool) queueOp {
	return queueOp{In: spec.QueueIn{Op: spec.TryEnqueue, Value: v}, Out: spec.QueueOut{OK: ok}}
}

func dequeue(v int) queueOp {
	return queueOp{In: spec.QueueIn{Op: spec.TryDequeue}, Out: spec.QueueOut{Value: v, OK: true}}
}

func dequeueNone() queueOp { return queueOp{In: spec.QueueIn{Op: spec.TryDequeue}} }

func peek(v int) queueOp {
	return queueOp{In: spec.QueueIn{Op: spec.Peek}, Out: spec.QueueOut{Value: v, OK: true}}
}

func length(n int) queueOp {
	return queueOp{In: spec.QueueIn{Op: spec.Len}, Out: spec.QueueOut{N: n}}
}

func enqueueAll(n int, items ...int) queueOp {
	return queueOp{In: spec.QueueIn{Op: spec.EnqueueAll, Batch: spec.BatchOf(items...)}, Out: spec.QueueOut{N: n}}
}

func dequeueInto(room int, items ...int) queueOp {
	return queueOp{In: spec.QueueIn{Op: spec.DequeueInto, Value: room}, Out: spec.QueueOut{Batch: spec.BatchOf(items...)}}
}

func closing() queueOp { return queueOp{In: spec.QueueIn{Op: spec.Close}} }

// known is a history and what it means.
type known struct {
	name string
	fits bool
	h    []queueOp
}

// TestKnownHistories: what each kind of fault looks like, and next to it what only looks like one.
func TestKnownHistories(t *testing.T) {
	judge(t, nil, []known{
		{"nothing happened", true, nil},
		{"false empty", false, []queueOp{by(0, 1, 2, enqueue(1, true)), by(1, 3, 4, dequeueNone())}},
		{"empty before the enqueue", true, []queueOp{by(0, 1, 3, enqueue(1, true)), by(1, 2, 4, dequeueNone())}},
		{"the same time is concurrent", true, []queueOp{by(0, 1, 2, enqueue(1, true)), by(1, 2, 4, dequeueNone())}},
		{"false empty beside another dequeue", false, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(0, 3, 4, enqueue(2, true)), by(1, 5, 8, dequeue(1)), by(2, 6, 7, dequeueNone()),
		}},
		{"full without a capacity", false, []queueOp{by(0, 1, 2, enqueue(1, false))}},
		{"reordered", false, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(0, 3, 4, enqueue(2, true)), by(1, 5, 6, dequeue(2)), by(1, 7, 8, dequeue(1)),
		}},
		{"reordered by who overlapped", true, []queueOp{
			by(0, 1, 4, enqueue(1, true)), by(2, 2, 3, enqueue(2, true)), by(1, 5, 6, dequeue(2)), by(1, 7, 8, dequeue(1)),
		}},
		{"an order that changed", false, []queueOp{
			by(0, 1, 4, enqueue(1, true)), by(2, 2, 3, enqueue(2, true)), by(1, 5, 6, peek(1)), by(1, 7, 8, dequeue(2)),
			by(1, 9, 10, dequeue(1)),
		}},
		{"dequeued twice", false, []queueOp{by(0, 1, 2, enqueue(1, true)), by(1, 3, 4, dequeue(1)), by(2, 3, 4, dequeue(1))}},
		{"dequeued before it came", false, []queueOp{by(1, 1, 2, dequeue(1)), by(0, 3, 4, enqueue(1, true))}},
		{"lost", false, []queueOp{by(0, 1, 2, enqueue(1, true)), by(0, 3, 4, enqueue(2, true)), by(1, 5, 6, dequeue(2))}},
		{"negative Len", false, []queueOp{by(0, 1, 6, enqueue(1, true)), by(1, 2, 3, dequeue(1)), by(2, 1, 7, length(-1))}},
		{"Len of a moment", true, []queueOp{by(0, 1, 6, enqueue(1, true)), by(1, 2, 5, dequeue(1)), by(2, 3, 4, length(1))}},
		{"Len of no moment", false, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(1, 3, 9, length(2)), by(0, 4, 5, dequeue(1)), by(0, 6, 7, enqueue(2, true)),
		}},
		{"stale Peek", false, []queueOp{by(0, 1, 2, enqueue(1, true)), by(1, 3, 4, dequeue(1)), by(2, 5, 6, peek(1))}},
		{"enqueued after Close", false, []queueOp{by(0, 1, 2, closing()), by(1, 3, 4, enqueue(1, true))}},
		{"refused after Close", true, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(0, 3, 4, closing()), by(1, 5, 6, enqueue(2, false)), by(1, 7, 8, dequeue(1)),
		}},
		{"a batch is one moment", false, []queueOp{
			by(0, 1, 6, enqueueAll(2, 1, 2)), by(1, 1, 6, enqueue(3, true)), by(2, 7, 8, dequeueInto(3, 1, 3, 2)),
		}},
		{"more than was asked", false, []queueOp{by(0, 1, 2, enqueueAll(2, 1, 2)), by(0, 3, 4, dequeueInto(1, 1, 2))}},
	})
	judge(t, []spec.QueueOption{spec.Capacity(1)}, []known{
		{"false full", false, []queueOp{by(0, 1, 2, enqueue(1, true)), by(1, 3, 4, dequeue(1)), by(0, 5, 6, enqueue(2, false))}},
		{"full while the dequeue runs", true, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(1, 3, 6, dequeue(1)), by(0, 4, 5, enqueue(2, false)),
		}},
		{"above the capacity", false, []queueOp{by(0, 1, 2, enqueue(1, true)), by(0, 3, 4, enqueue(2, true))}},
	})
}

// TestPendingOperations: they took effect or not, at any moment after their call, and once.
func TestPendingOperations(t *testing.T) {
	judge(t, nil, []known{
		{"took effect", true, []queueOp{by(0, 1, pending, enqueue(1, false)), by(1, 2, 3, dequeue(1))}},
		{"took none", true, []queueOp{by(0, 1, pending, enqueue(1, false)), by(1, 2, 3, dequeueNone())}},
		{"takes effect late", true, []queueOp{
			by(0, 1, pending, enqueue(1, false)), by(1, 2, 3, dequeueNone()), by(1, 4, 5, dequeue(1)),
		}},
		{"took effect twice", false, []queueOp{
			by(0, 1, pending, enqueue(1, false)), by(1, 2, 3, dequeue(1)), by(1, 4, 5, dequeue(1)),
		}},
		{"before its call", false, []queueOp{by(0, 4, pending, enqueue(1, false)), by(1, 2, 3, dequeue(1))}},
		{"a dequeue that took one", true, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(1, 3, pending, dequeueNone()), by(2, 4, 5, dequeueNone()),
		}},
		{"nothing else", true, []queueOp{by(0, 1, pending, dequeue(7))}},
		{"a batch in part", false, []queueOp{by(0, 1, pending, enqueueAll(0, 1, 2, 3)), by(1, 2, 3, dequeueInto(3, 1, 2))}},
		{"a Clear", true, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(0, 3, pending, queueOp{In: spec.QueueIn{Op: spec.Clear}}), by(1, 4, 5, dequeueNone()),
		}},
		{"a Close", true, []queueOp{by(0, 3, pending, closing()), by(1, 4, 5, enqueue(1, true)), by(1, 6, 7, enqueue(2, false))}},
	})
	judge(t, []spec.QueueOption{spec.ShortBatches()}, []known{
		{"a short batch", true, []queueOp{
			by(0, 1, pending, enqueueAll(0, 1, 2, 3)), by(1, 2, 3, dequeueInto(2, 1, 2)), by(1, 4, 5, dequeueNone()),
		}},
	})
	judge(t, []spec.QueueOption{spec.ItemByItem()}, []known{
		{"a batch item by item", true, []queueOp{
			by(0, 1, pending, enqueueAll(0, 1, 2, 3)), by(1, 2, 3, dequeueInto(3, 1, 2)),
		}},
		{"a batch out of order", false, []queueOp{
			by(0, 1, pending, enqueueAll(0, 1, 2, 3)), by(1, 2, 3, dequeueInto(3, 2, 1)),
		}},
		{"a batch that takes", true, []queueOp{
			by(0, 1, 2, enqueueAll(3, 1, 2, 3)), by(1, 3, pending, dequeueInto(2)), by(0, 4, 5, dequeue(3)),
		}},
	})
}

// TestBatchesInPieces: each item has its moment, in order, and an early end one of its own.
func TestBatchesInPieces(t *testing.T) {
	mixed := []queueOp{by(0, 1, 6, enqueueAll(2, 1, 2)), by(1, 1, 6, enqueue(3, true))}
	judge(t, []spec.QueueOption{spec.ItemByItem()}, []known{
		{"one between", true, append(mixed, by(2, 7, 8, dequeueInto(3, 1, 3, 2)))},
		{"reordered", false, append(mixed[:2:2], by(2, 7, 8, dequeueInto(3, 2, 3, 1)))},
		{"of nothing", true, []queueOp{by(0, 1, 2, enqueueAll(0)), by(0, 3, 4, dequeueInto(0))}},
		{"more than was asked", false, []queueOp{by(0, 1, 2, enqueueAll(2, 1, 2)), by(0, 3, 4, dequeueInto(1, 1, 2))}},
		{"more than there is", false, []queueOp{by(0, 1, 2, enqueueAll(3, 1, 2))}},
	})
	judge(t, []spec.QueueOption{spec.ItemByItem(), spec.Capacity(2)}, []known{
		{"met a full queue", true, []queueOp{by(0, 1, 6, enqueueAll(3, 1, 2, 3, 4)), by(1, 1, 6, dequeue(1))}},
		{"met no full queue", false, []queueOp{by(0, 1, 2, enqueueAll(1, 1, 2, 3))}},
		{"met no empty queue", false, []queueOp{by(0, 1, 2, enqueueAll(2, 1, 2)), by(0, 3, 4, dequeueInto(2, 1))}},
	})
	judge(t, []spec.QueueOption{spec.ShortBatches()}, []known{
		{"short", true, []queueOp{by(0, 1, 2, enqueueAll(1, 1, 2, 3))}},
		{"short of everything", false, []queueOp{by(0, 1, 2, enqueueAll(0, 1, 2, 3))}},
	})
	judge(t, []spec.QueueOption{spec.ShortBatches(), spec.ItemByItem()}, []known{
		{"short pieces", true, []queueOp{by(0, 1, 2, enqueueAll(2, 1, 2, 3)), by(0, 3, 4, dequeueInto(2, 1))}},
		{"short of every piece", false, []queueOp{by(0, 1, 2, enqueueAll(0, 1, 2, 3))}},
	})
}

// TestWeakOperations: they need no moment, but are held to what was there.
func TestWeakOperations(t *testing.T) {
	judge(t, []spec.QueueOption{spec.WeakLen(), spec.Capacity(2)}, []known{
		{"Len of no moment", true, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(1, 3, 9, length(2)), by(0, 4, 5, dequeue(1)), by(0, 6, 7, enqueue(2, true)),
		}},
		{"Len that misses an item", false, []queueOp{
			by(0, 1, 2, enqueue(1, true)), by(1, 3, 4, length(0)), by(0, 5, 6, dequeue(1)),
		}},
		{"Len below none", false, []queueOp{by(0, 1, 2, length(-1)), by(1, 1, 2, dequeueNone())}},
		{"Len above the capacity", false, []queueOp{
			by(0, 1, 2, enqueueAll(2, 1, 2)), by(1, 3, 9, length(3)), by(0, 4, 5, dequeue(1)), by(0, 6, 7, enqueue(2, true)),
		}},
		{"pending Len", true, []queueOp{by(0, 1, pending, length(9))}},
		{"an order beside it that does not fit", false, []queueOp{by(0, 1, 2, length(0)), by(0, 1, 2, dequeue(1))}},
	})
}

func judge(t *testing.T, options []spec.QueueOption, all []known) {
	t.Helper()
	for _, k := range all {
		t.Run(k.name, func(t *testing.T) {
			verdict(t, k.fits, spec.Queue(options...), k.h)
			verdict(t, k.fits, spec.ShortQueue(options...), k.h)
		})
	}
}

// verdict judges a history in every rotation: its order as a slice means nothing.
func verdict[S comparable, I, O any](t *testing.T, fits bool, s *linear.Spec[S, I, O], h []linear.Op[I, O]) {
	t.Helper()
	c := linear.NewChecker(s)
	for k := range max(len(h), 1) {
		turned := append(append([]linear.Op[I, O]{}, h[k:]...), h[:k]...)
		err := c.Check(turned)
		if fits {
			require.NoError(t, err)
			continue
		}
		require.Error(t, err, "%s", s.Draw(h))
		require.NotErrorIs(t, err, linear.ErrHistory)
	}
}

// TestKnownHistoriesOfCounters: lost updates, and sums that are no snapshots.
func TestKnownHistoriesOfCounters(t *testing.T) {
	type op = linear.Op[spec.CounterIn, spec.CounterOut]
	add := func(v int64) op { return op{In: spec.CounterIn{Op: spec.Add, Value: v}} }
	value := func(v int64) op { return op{In: spec.CounterIn{Op: spec.Value}, Out: spec.CounterOut{Value: v}} }
	lost := []op{by(0, 1, 4, add(1)), by(1, 2, 3, add(2)), by(0, 5, 6, value(1))}
	verdict(t, false, spec.Counter(), lost)
	verdict(t, false, spec.Counter(spec.Cells()), lost)
	torn := []op{by(0, 2, 3, add(1)), by(0, 4, 5, add(2)), by(1, 1, 6, value(2))} // sees the second of two, not the first
	verdict(t, false, spec.Counter(), torn)
	verdict(t, true, spec.Counter(spec.Cells()), torn)
}

// TestKnownHistoriesOfMaps: lost updates and stale reads.
func TestKnownHistoriesOfMaps(t *testing.T) {
	type op = linear.Op[spec.MapIn, spec.MapOut]
	store := func(v int) op { return op{In: spec.MapIn{Op: spec.Store, Key: 1, Value: v}} }
	load := func(v int, ok bool) op {
		return op{In: spec.MapIn{Op: spec.Load, Key: 1}, Out: spec.MapOut{Value: v, OK: ok}}
	}
	verdict(t, false, spec.Map(), []op{by(0, 1, 2, store(5)), by(0, 3, 4, store(6)), by(1, 5, 6, load(5, true))})
	verdict(t, true, spec.Map(), []op{by(0, 1, 2, store(5)), by(0, 3, 6, store(6)), by(1, 4, 5, load(5, true))})
	verdict(t, false, spec.Map(), []op{by(0, 1, 2, store(5)), by(1, 3, 4, load(0, false))})
	verdict(t, false, spec.Map(), []op{ // new, then old
		by(0, 1, 2, store(5)), by(0, 3, 8, store(6)), by(1, 4, 5, load(6, true)), by(1, 6, 7, load(5, true)),
	})
}
