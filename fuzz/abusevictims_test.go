package fuzz_test

import (
	"fmt"
	"iter"
	"reflect"
	"strings"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// victim is a container that is misused.
type victim struct {
	name         string
	of           string // the type of the container, without its type parameters
	vague        bool   // its contents may differ from run to run
	unsized      bool   // so may its length
	lost         bool   // whether it exists may differ, so it is left alone
	ops          []abuseOp
	loops        []*abuseLoop
	read         func() string
	dispose      func()
	disposeAfter func(h parallelfor.Handle)
	copied       func() *victim
}

// abuseOp is an operation of the owner.
type abuseOp struct {
	name string
	do   func(x, y int) string
}

// shown returns an operation whose result is compared.
func shown[R any](name string, do func(x, y int) R) abuseOp {
	return abuseOp{name, func(x, y int) string { return fmt.Sprint(do(x, y)) }}
}

// done returns an operation without a result.
func done(name string, do func(x, y int)) abuseOp {
	return abuseOp{name, func(x, y int) string { do(x, y); return "" }}
}

// copyOf returns a copy of the struct that p points to. Every use of the copy is a violation.
func copyOf[T any](p *T) *T {
	c := reflect.New(reflect.TypeFor[T]())
	c.Elem().Set(reflect.ValueOf(p).Elem())
	return c.Interface().(*T)
}

// endable is a container with DisposeAfter, as most have.
type endable interface {
	Dispose()
	DisposeAfter(h safety.Handle)
}

func newVictim[T any](name string, p *T, again func(*T) *victim, read func() string, loops []*abuseLoop, ops ...abuseOp) *victim {
	of, _, _ := strings.Cut(reflect.TypeFor[T]().String(), "[")
	v := &victim{name: name, of: of, ops: ops, loops: loops, read: read, copied: func() *victim { return again(copyOf(p)) }}
	switch d := any(p).(type) {
	case endable:
		v.dispose, v.disposeAfter = d.Dispose, func(h parallelfor.Handle) { d.DisposeAfter(h) }
	case interface{ Dispose() }:
		v.dispose = d.Dispose
	}
	return v
}

// steps is the number of steps within which a range over a small container must end, whatever its
// body does to the container.
const steps = 1000

// bounded returns the range all, which panics after too many steps.
func bounded[K, V any](all iter.Seq2[K, V]) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		n := 0
		for k, v := range all {
			if n++; n > steps {
				panic("a range that does not end")
			}
			if !yield(k, v) {
				return
			}
		}
	}
}

func boundedSeq[V any](all iter.Seq[V]) iter.Seq2[V, bool] {
	return bounded(func(yield func(V, bool) bool) { all(func(v V) bool { return yield(v, true) }) })
}

// pick maps x to 0 <= key < 8, which is often a key or index of the container.
func pick(x int) int { return ((x % 8) + 8) % 8 }

var victims = []func() *victim{
	func() *victim { return ofArray(array.New[int](8)) },
	func() *victim { return ofList(array.ListOf([]int{1, 2, 3, 4, 5})) },
	func() *victim { return ofStream(array.StreamOf([][]int{{1}, {2, 3}})) },
	func() *victim { return ofCounter(counter.New()) },
	func() *victim { return ofSum(counter.NewSum[float64]()) },
	func() *victim { return ofHistogram(counter.NewHistogram(8)) },
	func() *victim { return ofQueue(queue.New[int]()) },
	func() *victim { return ofRing(queue.NewRing[int](4)) },
	func() *victim { return ofMap(hashmap.New[int, int]()) },
	func() *victim { return ofMulti(hashmap.NewMulti[int, int]()) },
	func() *victim { return ofTable(table.New[spark]()) },
	func() *victim { return ofDouble(array.NewDouble[int](8)) },
	func() *victim { return ofDoubleList(array.NewDoubleList[int]()) },
	func() *victim { return ofValue(array.NewValue(8)) },
	func() *victim { return ofSPSC(queue.NewSPSC[int](4)) },
}

func ofArray(a *array.Array[int]) *victim {
	return newVictim("array", a, ofArray, func() string { return fmt.Sprint(a.Slice()) }, []*abuseLoop{
		over("Reader", a.Reader, func(r *array.Reader[int], i int) { _ = r.At(i % 9) }),
		over("Writer", a.Writer, func(w *array.Writer[int], i int) { w.Set(i, i*i) }).limited(),
		over("Writer of neighbours", a.Writer, func(w *array.Writer[int], i int) { w.Set((i+1)%8, i) }).limited(),
		over("Permuted", func() array.PermutedWriter[int] { return array.Permuted(a.Writer()) },
			func(w *array.PermutedWriter[int], i int) { w.Set(i*3%8+i/8*8, i) }).limited().eachOnce(),
		over("Rows", func() array.Writer[int] { return array.ByRows(a.Writer(), 2) }, func(w *array.Writer[int], i int) { w.Set(2*i, i) }).limited(),
	},
		shown("At", func(x, _ int) int { return a.At(x) }),
		done("Set", func(x, y int) { a.Set(x, y) }),
		done("CopyFrom", func(x, _ int) { a.CopyFrom(make([]int, pick(x)+4)) }),
		done("CopyTo", func(x, _ int) { a.CopyTo(make([]int, pick(x)+4)) }),
		done("Split", func(x, _ int) { a.Split(x).Join() }),
		shown("New", func(x, _ int) int { return array.New[[9]int](x).Len() }),
		done("All and Set", func(x, y int) {
			for range bounded(a.All()) {
				a.Set(pick(x), y)
			}
		}),
		done("Sort that looks", func(_, _ int) {
			parallelfor.Sort(a.Writer(), func(w *array.Writer[int]) []int { return w.Slice() }, func(p, q int) int { return p - q + 0*a.Len() + 0*a.At(0) })
		}),
	)
}

func ofList(l *array.List[int]) *victim {
	return newVictim("list", l, ofList, func() string { return fmt.Sprint(l.Slice()) }, []*abuseLoop{
		over("Reader", l.Reader, func(r *array.Reader[int], i int) { _ = r.At(i % 4) }),
		over("Writer", l.Writer, func(w *array.Writer[int], i int) { w.Set(i, -i) }).limited(),
		over("ParallelWriter", l.ParallelWriter, func(w *array.ParallelWriter[int], i int) { w.Append(i) }),
	},
		done("Append", func(x, _ int) { l.Append(x) }),
		done("Insert", func(x, y int) { l.Insert(x, y) }),
		done("Remove", func(x, _ int) { l.Remove(x) }),
		done("RemoveRange", func(x, y int) { l.RemoveRange(x, y) }),
		done("RemoveSwapBack", func(x, _ int) { l.RemoveSwapBack(x) }),
		done("Resize", func(x, _ int) { l.Resize(x) }),
		done("Grow", func(x, _ int) { l.Grow(x) }), done("Reserve", func(x, _ int) { l.Reserve(x) }),
		done("Trim", func(_, _ int) { l.Trim() }),
		done("Clear", func(_, _ int) { l.Clear() }),
		shown("At", func(x, _ int) int { return l.At(x) }),
		done("All and Append", func(x, _ int) {
			for range bounded(l.All()) {
				l.Append(x)
			}
		}),
		done("All and Dispose", func(x, _ int) {
			for range bounded(l.All()) {
				if pick(x) == 0 {
					l.Dispose()
				}
			}
		}),
	)
}

func ofStream(s *array.Stream[int]) *victim {
	return newVictim("stream", s, ofStream, func() string { return fmt.Sprint(s.Items(), s.Offsets()) }, []*abuseLoop{
		over("Reader", s.Reader, func(r *array.StreamReader[int], i int) { _ = r.At(i % 3) }),
		over("ParallelWriter", s.ParallelWriter, func(w *array.StreamParallelWriter[int], i int) { w.Append(i, i); w.Append(i, -i) }),
		over("KeyedWriter", s.KeyedWriter, func(w *array.StreamKeyedWriter[int], i int) { w.Add(i%2, i) }),
		over("KeyedWriter of no row", s.KeyedWriter, func(w *array.StreamKeyedWriter[int], i int) { w.Add(i-1, i) }),
		over("ParallelWriter of the next", s.ParallelWriter, func(w *array.StreamParallelWriter[int], i int) { w.Append(i+1, i) }),
	},
		done("AppendRow", func(x, y int) { s.AppendRow(x, y) }),
		shown("At", func(x, _ int) []int { return s.At(x) }),
		shown("Count", func(x, _ int) int { return s.Count(x) }),
		done("Grow", func(x, y int) { s.Grow(x, y) }),
		done("Clear", func(_, _ int) { s.Clear() }),
		done("Trim", func(_, _ int) { s.Trim() }),
	)
}

func ofCounter(c *counter.Counter) *victim {
	var open []*counter.Local // one that is not closed ends at a time of its own
	return newVictim("counter", c, ofCounter, func() string { return fmt.Sprint(c.Value()) }, []*abuseLoop{
		over("ParallelWriter", c.ParallelWriter, func(w *counter.ParallelWriter, i int) { w.Add(int64(i)) }),
		over("Reader", c.Reader, func(r *counter.Reader, _ int) { r.Value() }),
	},
		done("Add", func(x, _ int) { c.Add(int64(x)) }),
		shown("Swap", func(x, _ int) int64 { return c.Swap(int64(x)) }),
		done("Set", func(x, _ int) { c.Set(int64(x)) }),
		done("Local", func(x, _ int) {
			open = append(open, c.Local())
			open[len(open)-1].Add(int64(x))
		}),
	)
}

func ofSum(s *counter.Sum[float64]) *victim {
	return newVictim("sum", s, ofSum, func() string { return fmt.Sprint(s.Value()) }, []*abuseLoop{
		over("ParallelWriter", s.ParallelWriter, func(w *counter.SumParallelWriter[float64], i int) { w.Add(float64(i)) }),
		over("Reader", s.Reader, func(r *counter.SumReader[float64], _ int) { r.Value() }),
	},
		done("Add", func(x, _ int) { s.Add(float64(pick(x))) }),
		done("Set", func(x, _ int) { s.Set(float64(x)) }),
		shown("Swap", func(x, _ int) float64 { return s.Swap(float64(x)) }),
	)
}

func ofHistogram(h *counter.Histogram) *victim {
	return newVictim("histogram", h, ofHistogram, func() string { return fmt.Sprint(h.Counts(nil)) }, []*abuseLoop{
		over("ParallelWriter", h.ParallelWriter, func(w *counter.HistogramParallelWriter, i int) { w.Add(i%9, 1) }),
		over("Writer", h.Writer, func(w *counter.HistogramWriter, i int) { w.Add(i, 1) }).limited(),
		over("Reader", h.Reader, func(r *counter.HistogramReader, i int) { r.At(i % 9) }),
	},
		done("Add", func(x, y int) { h.Add(x, int64(y)) }),
		shown("At", func(x, _ int) int64 { return h.At(x) }),
		shown("New", func(x, _ int) int { return counter.NewHistogram(x).Len() }),
		done("All and Reset", func(_, _ int) {
			for range bounded(h.All()) {
				h.Reset()
			}
		}),
	)
}
