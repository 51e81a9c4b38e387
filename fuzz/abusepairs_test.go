package fuzz_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

func TestEveryContainerIsAVictim(t *testing.T) {
	var known []string
	for _, made := range victims {
		known = append(known, made().of)
	}
	for name := range endings {
		switch name {
		case "array.Parts", "counter.Local", "table.Pipeline", "parallelfor.Forks", "parallelfor.Pool":
			// no containers
		default:
			require.Contains(t, known, name)
		}
	}
}

func ofDouble(d *array.Double[int]) *victim {
	both := func() string { return fmt.Sprint(d.Front().Slice(), d.Back().Slice()) }
	return newVictim("double", d, ofDouble, both, []*abuseLoop{
		over("Reader", func() array.Reader[int] { return d.Front().Reader() }, func(r *array.Reader[int], i int) { _ = r.At(i % 9) }),
		over("Writer", func() array.Writer[int] { return d.Back().Writer() }, func(w *array.Writer[int], i int) { w.Set(i, i*i) }).limited(),
	},
		done("Swap", func(_, _ int) { d.Swap() }),
		shown("At", func(x, _ int) int { return d.Front().At(x) }),
		done("Set", func(x, y int) { d.Back().Set(x, y) }),
		shown("New", func(x, _ int) int { return array.NewDouble[[9]int](x).Back().Len() }),
		done("All and a job", func(_, _ int) {
			for range bounded(d.Front().All()) {
				parallelfor.For(4, d.Back().Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) })
				d.Swap()
			}
		}),
	)
}

func ofDoubleList(d *array.DoubleList[int]) *victim {
	both := func() string { return fmt.Sprint(d.Front().Slice(), d.Back().Slice()) }
	return newVictim("doublelist", d, ofDoubleList, both, []*abuseLoop{
		over("Reader", func() array.Reader[int] { return d.Front().Reader() }, func(r *array.Reader[int], i int) { _ = r.Len() }),
		over("ParallelWriter", func() array.ParallelWriter[int] { return d.Back().ParallelWriter() },
			func(w *array.ParallelWriter[int], i int) { w.Append(i) }),
	},
		done("Swap", func(_, _ int) { d.Swap() }),
		done("Append", func(x, _ int) { d.Back().Append(x) }),
		done("Clear", func(_, _ int) { d.Back().Clear() }),
		shown("At", func(x, _ int) int { return d.Front().At(x) }),
		done("All and Append", func(x, _ int) {
			for range bounded(d.Front().All()) {
				d.Front().Append(x)
				d.Swap()
			}
		}),
	)
}

func ofValue(x *array.Value[int]) *victim {
	return newVictim("value", x, ofValue, func() string { return fmt.Sprint(x.Load()) }, []*abuseLoop{
		over("Reader", x.Reader, func(r *array.ValueReader[int], _ int) { r.Load() }),
		over("Writer", x.Writer, func(w *array.ValueWriter[int], i int) { w.Store(w.Load()*3 + i) }),
	},
		shown("Load", func(_, _ int) int { return x.Load() }),
		done("Store", func(v, _ int) { x.Store(v) }),
	)
}

// ofSPSC has no loops, because an SPSC has no views.
func ofSPSC(q *queue.SPSC[int]) *victim {
	drained := func() string {
		var items []int
		for v, ok := q.Consumer().TryDequeue(); ok; v, ok = q.Consumer().TryDequeue() {
			items = append(items, v)
		}
		return fmt.Sprint(items)
	}
	return newVictim("spsc", q, ofSPSC, drained, nil,
		shown("Enqueue", func(x, _ int) bool { return q.Producer().Enqueue(endedContext, x) == nil }),
		shown("Dequeue", func(_, _ int) bool { _, err := q.Consumer().Dequeue(endedContext); return err == nil }),
		shown("TryEnqueue", func(x, _ int) bool { return q.Producer().TryEnqueue(x) }),
		shown("EnqueueAll", func(x, _ int) int { return q.Producer().EnqueueAll(make([]int, pick(x))) }),
		shown("DequeueInto", func(x, _ int) int { return q.Consumer().DequeueInto(make([]int, pick(x))) }),
		shown("Reserve and Commit", func(x, y int) int {
			w := q.Producer().Reserve(x)
			n := min(w.Len(), pick(y))
			q.Producer().Commit(n)
			return n
		}),
		done("Commit", func(x, _ int) { q.Producer().Commit(x) }),
		done("Release", func(x, _ int) { q.Consumer().Release(x) }),
		shown("a window and another operation", func(x, y int) int {
			w := q.Consumer().Look(x)
			q.Consumer().TryDequeue()
			front, _ := w.Slices()
			return len(slices.Clone(front))
		}),
		shown("New", func(x, _ int) int { return queue.NewSPSC[[9]int](x).Cap() }),
		done("Close", func(x, _ int) {
			if pick(x) == 0 {
				q.Close()
			}
		}),
	)
}
