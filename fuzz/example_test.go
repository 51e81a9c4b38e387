package fuzz_test

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/custody/fuzz"
)

// channel is a bounded queue made of a channel.
type channel chan *fuzz.Item

func (c channel) Push(v *fuzz.Item) bool {
	select {
	case c <- v:
		return true
	default:
		return false
	}
}

func (c channel) Pop() (v *fuzz.Item, ok bool) {
	select {
	case v = <-c:
		return v, true
	default:
		return nil, false
	}
}

func (c channel) Len() int { return len(c) }

// TestMyQueue is the example of the package's documentation, ten lines in all.
func TestMyQueue(t *testing.T) {
	fuzz.Queue(t, func(capacity int) fuzz.QueueOf {
		q := make(channel, capacity)
		return fuzz.QueueOf{TryEnqueue: q.Push, TryDequeue: q.Pop, Len: q.Len}
	}, fuzz.Bounded, fuzz.Linearizable)
}

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

// inTurn is a driver that runs all batches on worker 0.
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

// passes runs a test, which go test does by itself when it is a function like TestMyQueue. What the
// test logs is no output of the example.
func passes(test func(t *testing.T)) bool {
	out := os.Stdout
	os.Stdout = os.Stderr
	defer func() { os.Stdout = out }()
	all := func(_, _ string) (bool, error) { return true, nil }
	return testing.RunTests(all, []testing.InternalTest{{Name: "TestMine", F: test}})
}

// A bounded queue that promises strict answers, at two capacities. The operations that are not
// named are left out.
func ExampleQueue() {
	fmt.Println("ok:", passes(func(t *testing.T) {
		fuzz.Queue(t, func(capacity int) fuzz.QueueOf {
			q := make(channel, capacity)
			return fuzz.QueueOf{TryEnqueue: q.Push, TryDequeue: q.Pop, Len: q.Len}
		}, fuzz.Bounded, fuzz.Linearizable, fuzz.Capacity(1, 8))
	}))
	// Output: ok: true
}

// A counter of one word, whose answers are strict.
func ExampleCounter() {
	fmt.Println("ok:", passes(func(t *testing.T) {
		fuzz.Counter(t, func() fuzz.CounterOf {
			var c atomic.Int64
			return fuzz.CounterOf{Add: func(d int64) { c.Add(d) }, Value: c.Load, Set: c.Store, Swap: c.Swap}
		}, fuzz.Linearizable)
	}))
	// Output: ok: true
}

// Go's own concurrent map, with the adaptation of its anys written out in syncMap.
func ExampleMap() {
	fmt.Println("ok:", passes(func(t *testing.T) { fuzz.Map(t, syncMap, fuzz.Linearizable) }))
	// Output: ok: true
}

// A multimap under a lock, twice as often as usual.
func ExampleMultiMap() {
	fmt.Println("ok:", passes(func(t *testing.T) { fuzz.MultiMap(t, newLists, fuzz.Linearizable, fuzz.Rounds(2)) }))
	// Output: ok: true
}

// A driver with one way to run a loop.
func ExampleParallelFor() {
	fmt.Println("ok:", passes(func(t *testing.T) { fuzz.ParallelFor(t, fuzz.LoopOf{For: inTurn}, fuzz.LowestFails) }))
	// Output: ok: true
}

// FuzzMyQueue is a target for go test -fuzz=FuzzMyQueue.
func FuzzMyQueue(f *testing.F) {
	fuzz.Queue(f, func(capacity int) fuzz.QueueOf {
		q := make(channel, capacity)
		return fuzz.QueueOf{TryEnqueue: q.Push, TryDequeue: q.Pop}
	}, fuzz.Bounded)
}

// Only go test can make a *testing.F. It finds the target by its name and this type.
func ExampleQueue_fuzz() {
	fmt.Printf("%T\n", FuzzMyQueue)
	// Output: func(*testing.F)
}
