package fuzz_test

import (
	"iter"
	"maps"
	"slices"
	"sync"
	"testing"

	"example.com/custody/fuzz"
)

// channel is a bounded queue made of a channel.
type channel[T any] struct{ c chan T }

func newChannel[T any](capacity int) *channel[T] { return &channel[T]{make(chan T, capacity)} }

func (q *channel[T]) Push(v T) bool {
	select {
	case q.c <- v:
		return true
	default:
		return false
	}
}

func (q *channel[T]) Pop() (v T, ok bool) {
	select {
	case v = <-q.c:
		return v, true
	default:
		return v, false
	}
}

func (q *channel[T]) Len() int { return len(q.c) }

// TestMyQueue is the example of the package's documentation, ten lines in all.
func TestMyQueue(t *testing.T) {
	fuzz.Queue(t, func(capacity int) fuzz.QueueOf {
		q := newChannel[*fuzz.Item](capacity)
		return fuzz.QueueOf{TryEnqueue: q.Push, TryDequeue: q.Pop, Len: q.Len}
	}, fuzz.Bounded, fuzz.Linearizable)
}

// TestMyMap runs the suite over Go's own concurrent map.
func TestMyMap(t *testing.T) { fuzz.Map(t, syncMap, fuzz.Linearizable) }

// syncMap is a sync.Map. Its method values fit after a conversion from any.
func syncMap() fuzz.MapOf {
	var m sync.Map
	item := func(v any, ok bool) (*fuzz.Item, bool) {
		x, _ := v.(*fuzz.Item)
		return x, ok
	}
	return fuzz.MapOf{
		Load:             func(k int) (*fuzz.Item, bool) { return item(m.Load(k)) },
		Store:            func(k int, v *fuzz.Item) { m.Store(k, v) },
		LoadOrStore:      func(k int, v *fuzz.Item) (*fuzz.Item, bool) { return item(m.LoadOrStore(k, v)) },
		LoadAndDelete:    func(k int) (*fuzz.Item, bool) { return item(m.LoadAndDelete(k)) },
		Delete:           func(k int) { m.Delete(k) },
		Swap:             func(k int, v *fuzz.Item) (*fuzz.Item, bool) { return item(m.Swap(k, v)) },
		CompareAndSwap:   func(k int, old, new *fuzz.Item) bool { return m.CompareAndSwap(k, old, new) },
		CompareAndDelete: func(k int, old *fuzz.Item) bool { return m.CompareAndDelete(k, old) },
		Clear:            m.Clear,
		All: func() iter.Seq2[int, *fuzz.Item] {
			return func(yield func(int, *fuzz.Item) bool) {
				m.Range(func(k, v any) bool { return yield(k.(int), v.(*fuzz.Item)) })
			}
		},
	}
}

// lists is a multimap under one lock.
type lists struct {
	mu sync.Mutex
	m  map[int][]*fuzz.Item
}

func (l *lists) Add(k int, v *fuzz.Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m[k] = append(l.m[k], v)
}

func (l *lists) Values(k int) []*fuzz.Item {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.m[k])
}

func (l *lists) Keys() iter.Seq[int] {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Keys(maps.Clone(l.m))
}

func newLists() fuzz.MultiMapOf {
	l := &lists{m: map[int][]*fuzz.Item{}}
	return fuzz.MultiMapOf{Add: l.Add, Values: l.Values, Keys: l.Keys}
}

func TestMyMultiMap(t *testing.T) { fuzz.MultiMap(t, newLists, fuzz.Linearizable) }

// inTurn is a driver that runs all cells on worker 0.
func inTurn(n, batch, _ int, body func(worker, begin, end int)) {
	batch = max(batch, 1)
	for begin := 0; begin < n; {
		end := n
		if n-begin > batch {
			end = begin + batch
		}
		body(0, begin, end)
		begin = end
	}
}

func TestMyDriver(t *testing.T) {
	fuzz.ParallelFor(t, fuzz.LoopOf{For: inTurn}, fuzz.LowestFails)
}

// A bounded queue that promises strict answers. The operations that are not named are left out.
func ExampleQueue() {
	var t *testing.T // of func TestMyQueue(t *testing.T)
	test := func() {
		fuzz.Queue(t, func(capacity int) fuzz.QueueOf {
			q := newChannel[*fuzz.Item](capacity)
			return fuzz.QueueOf{TryEnqueue: q.Push, TryDequeue: q.Pop, Len: q.Len}
		}, fuzz.Bounded, fuzz.Linearizable)
	}
	_ = test
}

// A counter whose Value is a sum of cells, so it is not linearizable.
func ExampleCounter() {
	var t *testing.T // of func TestMyCounter(t *testing.T)
	test := func() { fuzz.Counter(t, newCounter) }
	_ = test
}

// A sync.Map, with the adaptation of its anys written out in syncMap.
func ExampleMap() {
	var t *testing.T // of func TestMyMap(t *testing.T)
	test := func() { fuzz.Map(t, syncMap, fuzz.Linearizable) }
	_ = test
}

// A multimap under a lock, a hundred times as often as usual.
func ExampleMultiMap() {
	var t *testing.T // of func TestMyMultiMap(t *testing.T)
	test := func() { fuzz.MultiMap(t, newLists, fuzz.Linearizable, fuzz.Rounds(100)) }
	_ = test
}

// A driver with one way to run a loop.
func ExampleParallelFor() {
	var t *testing.T // of func TestMyDriver(t *testing.T)
	test := func() { fuzz.ParallelFor(t, fuzz.LoopOf{For: inTurn}, fuzz.LowestFails) }
	_ = test
}

// A target for go test -fuzz.
func ExampleFuzzQueue() {
	var f *testing.F // of func FuzzMyQueue(f *testing.F)
	target := func() {
		fuzz.FuzzQueue(f, func(capacity int) fuzz.QueueOf {
			q := newChannel[*fuzz.Item](capacity)
			return fuzz.QueueOf{TryEnqueue: q.Push, TryDequeue: q.Pop}
		}, fuzz.Bounded)
	}
	_ = target
}
