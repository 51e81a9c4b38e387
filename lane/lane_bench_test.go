package lane

import (
	"testing"

	"example.com/custody/safety"
)

// appends is how many items a phase of the benchmarks has.
const appends = 1 << 20

// once runs f(0) to f(n-1).
func once(n int, f func(k int)) {
	for k := range n {
		f(k)
	}
}

// phase is one of a job with so many workers, of which no batch fails.
func phase(workers, batches int) *safety.Phase {
	return &safety.Phase{Mode: safety.Append, Workers: workers, N: batches, Batches: batches, BatchSize: 1, Kept: batches, Parallel: once}
}

// perItem reports the time as one for each item.
func perItem(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/appends, "ns/item")
	b.ReportMetric(0, "ns/op")
}

// view is a view's part of an append.
type view[T any] struct {
	lane *Lane[T]
	safety.Hold
}

func (v *view[T]) append(x T) { v.lane.Append(&v.Hold, x) }

// appendAll is a phase in which one worker appends all items.
func appendAll(ls *Lanes[int], p *safety.Phase, seal func(Items[int])) {
	ls.Open(p)
	l := ls.Lane(0)
	l.BeginSpan(0)
	for i := range appends {
		l.Append(nil, i)
	}
	ls.Seal(p, seal)
}

// BenchmarkAppend is one worker's appending of a million words, by itself and up to the slice with
// the items, beside the appending to a slice: one that grows, and one that has the capacity and is
// as warm.
func BenchmarkAppend(b *testing.B) {
	b.Run("lane", func(b *testing.B) {
		var ls Lanes[int]
		p := phase(1, 1)
		for b.Loop() {
			appendAll(&ls, p, func(Items[int]) {})
		}
		perItem(b)
	})
	b.Run("lane by view", func(b *testing.B) {
		var ls Lanes[int]
		p := phase(1, 1)
		for b.Loop() {
			ls.Open(p)
			v := view[int]{lane: ls.Lane(0)}
			v.lane.BeginSpan(0)
			for i := range appends {
				v.append(i)
			}
			ls.Seal(p, func(Items[int]) {})
		}
		perItem(b)
	})
	b.Run("lane and copy", func(b *testing.B) {
		var ls Lanes[int]
		p := phase(1, 1)
		dst := make([]int, appends)
		for b.Loop() {
			appendAll(&ls, p, func(s Items[int]) { dst = appended(dst[:0], s) })
		}
		perItem(b)
	})
	b.Run("lane of pointers and copy", func(b *testing.B) {
		var ls Lanes[*int]
		p := phase(1, 1)
		dst := make([]*int, appends)
		x := new(int)
		for b.Loop() {
			ls.Open(p)
			l := ls.Lane(0)
			l.BeginSpan(0)
			for range appends {
				l.Append(nil, x)
			}
			ls.Seal(p, func(s Items[*int]) { dst = appended(dst[:0], s) })
		}
		perItem(b)
	})
	b.Run("lane, first use", func(b *testing.B) {
		p := phase(1, 1)
		for b.Loop() {
			var ls Lanes[int]
			appendAll(&ls, p, func(Items[int]) {})
		}
		perItem(b)
	})
	b.Run("slice that grows", func(b *testing.B) {
		for b.Loop() {
			var s []int
			for i := range appends {
				s = append(s, i)
			}
			keep = s
		}
		perItem(b)
	})
	b.Run("slice with capacity", func(b *testing.B) {
		s := make([]int, 0, appends)
		for b.Loop() {
			s = s[:0]
			for i := range appends {
				s = append(s, i)
			}
			keep = s
		}
		perItem(b)
	})
}

var keep []int

// BenchmarkSeal is the order of a thousand runs of each of eight workers, and the copying of their
// items.
func BenchmarkSeal(b *testing.B) {
	const workers, runs = 8, 1000
	var ls Lanes[int]
	p := phase(workers, workers*runs)
	var dst []int
	for b.Loop() {
		b.StopTimer()
		ls.Open(p)
		for k := range runs {
			for w := range workers {
				l := ls.Lane(w)
				l.BeginSpan((k*7919%runs)*workers + w)
				l.Append(nil, k)
			}
		}
		b.StartTimer()
		ls.Seal(p, func(s Items[int]) { dst = appended(dst[:0], s) })
	}
}
