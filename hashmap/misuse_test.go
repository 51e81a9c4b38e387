package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

const mapName = `hashmap.Map[string,int] "stock"`

// stock returns a map of three keys.
func stock() *Map[string, int] {
	m := New[string, int](safety.Named("stock"))
	for i, k := range []string{"a", "b", "c"} {
		m.Store(k, i+1)
	}
	return m
}

// holder is a job that does nothing.
type holder[V any] struct{ View V }

func (h *holder[V]) Execute() {}

// while does something to a map while a job holds it.
func while[V any](view func(m *Map[string, int]) V, do func(m *Map[string, int])) func() error {
	return func() error {
		m := stock()
		h := parallelfor.ScheduleDo(holder[V]{view(m)}, (*holder[V]).Execute, parallelfor.Name("holds"))
		defer h.Complete()
		do(m)
		return nil
	}
}

// does makes an error of what panics.
func does(f func()) func() error {
	return func() error {
		f()
		return nil
	}
}

func inFlight() safety.Violation {
	return safety.Violation{Kind: safety.ErrInFlight, Container: mapName, OtherJob: "holds", OtherField: "View", Made: "misuse_test.go", Scheduled: "misuse_test.go"}
}

func stale(container string) safety.Violation {
	return safety.Violation{Kind: safety.ErrStaleView, Container: container, Made: "misuse_test.go"}
}

// outside uses an index of another batch, or of none.
func outside(i int) func() error {
	return does(func() {
		parallelfor.For(3, stock().Writer(), func(w *Writer[string, int], k int) {
			if k == 1 {
				w.Set(k+i, 0)
			}
		}, parallelfor.Batch(1), parallelfor.Name("sets"))
	})
}

var (
	reads   = (*Map[string, int]).Reader
	writes  = (*Map[string, int]).Writer
	appends = (*Map[string, int]).ParallelWriter
	shares  = (*Map[string, int]).Shared
)

func sum(old, v int) int { return old + v }

var misuses = []lawtest.Misuse{
	{
		Name: "change a map that a job reads", Want: inFlight(), Says: []string{"Map.Store was called on ", "reads"},
		Do: while(reads, func(m *Map[string, int]) { m.Store("d", 4) }),
	},
	{Name: "compute in a map that a job reads", Want: inFlight(), Do: while(reads, func(m *Map[string, int]) {
		m.Compute("a", func(int, bool) (int, Op) { return 0, Keep })
	})},
	{Name: "clear a map that a job reads", Want: inFlight(), Do: while(reads, (*Map[string, int]).Clear)},
	{Name: "dispose of a map that a job reads", Want: inFlight(), Do: while(reads, (*Map[string, int]).Dispose)},
	{Name: "look at a map that a job writes", Want: inFlight(), Do: while(writes, func(m *Map[string, int]) { m.Load("a") })},
	{Name: "range over a map that a job writes", Want: inFlight(), Do: while(writes, func(m *Map[string, int]) {
		for range m.All() {
			panic("not refused")
		}
	})},
	{Name: "length of a map that a job adds to", Want: inFlight(), Do: while(appends, func(m *Map[string, int]) { m.Len() })},
	{Name: "store into a map that a job adds to", Want: inFlight(), Do: while(appends, func(m *Map[string, int]) { m.Store("a", 1) })},
	{Name: "clone a map that a job adds to", Want: inFlight(), Do: while(appends, func(m *Map[string, int]) { m.Clone() })},
	{
		Name: "index of another batch", Do: outside(1), Says: []string{`The key there is "c"`},
		Want: safety.Violation{Kind: safety.ErrWriteRange, Container: mapName, Job: "sets", Index: 2, Min: 1, Max: 2, Length: 3, Made: "misuse_test.go"},
	},
	{
		Name: "index below 0", Do: outside(-2),
		Want: safety.Violation{Kind: safety.ErrIndex, Container: mapName, Job: "sets", Index: -1, Min: 1, Max: 2, Length: 3, Made: "misuse_test.go"},
	},
	{
		Name: "index of a reader behind the keys",
		Do: does(func() {
			parallelfor.Do(stock().Reader(), func(r *Reader[string, int]) { r.At(3) }, parallelfor.Name("reads"))
		}),
		Want: safety.Violation{Kind: safety.ErrIndex, Container: mapName, Job: "reads", Index: 3, Max: 3, Length: 3, Made: "misuse_test.go"},
	},
	{Name: "reader outside a job", Want: stale(mapName), Do: does(func() { r := stock().Reader(); r.Load("a") })},
	{Name: "reader's positions outside a job", Want: stale(mapName), Do: does(func() { r := stock().Reader(); r.At(0) })},
	{Name: "zero reader", Want: safety.Violation{Kind: safety.ErrStaleView}, Do: does(func() { new(Reader[string, int]).Len() })},
	{Name: "writer outside a job", Want: stale(mapName), Do: does(func() { w := stock().Writer(); w.Set(0, 1) })},
	{Name: "writer's length outside a job", Want: stale(mapName), Do: does(func() { w := stock().Writer(); w.Len() })},
	{Name: "shared outside a job", Want: stale(mapName), Do: does(func() { s := stock().Shared(); s.Store("a", 1) })},
	{Name: "parallel writer outside a job", Want: stale(mapName), Do: does(func() { w := stock().ParallelWriter(); w.Add("a", 1) })},
	{Name: "merger outside a job", Want: stale(mapName), Do: does(func() { w := stock().ParallelMerger(sum, Associative()); w.Merge("a", 1) })},
	{
		Name: "nil fold", Do: does(func() { stock().ParallelMerger(nil) }), Says: []string{"ParallelMerger of", "nil function"},
		Want: safety.Violation{Kind: safety.ErrArgument, Container: mapName, Made: "misuse_test.go"},
	},
	{
		Name: "merger kept after its batch", Want: stale(mapName),
		Do: does(func() {
			var kept ParallelMerger[string, int]
			parallelfor.Do(stock().ParallelMerger(sum, Associative()), func(w *ParallelMerger[string, int]) {
				w.Merge("a", 1)
				kept = *w
			})
			kept.Merge("a", 1)
		}),
	},
	{
		Name: "add to a map that was disposed",
		Want: safety.Violation{Kind: safety.ErrDisposed, Container: mapName, Job: "adds", Made: "misuse_test.go"},
		Do: does(func() {
			m := stock()
			w := m.ParallelWriter()
			m.Dispose()
			parallelfor.Do(w, func(*ParallelWriter[string, int]) {}, parallelfor.Name("adds"))
		}),
	},
	{
		Name: "write and add in two jobs",
		Want: safety.Violation{Kind: safety.ErrConflict, Container: mapName, Job: "writes", OtherJob: "holds", OtherField: "View", Made: "misuse_test.go", Scheduled: "misuse_test.go"},
		Do: while(appends, func(m *Map[string, int]) {
			parallelfor.Do(m.Writer(), func(*Writer[string, int]) {}, parallelfor.Name("writes"))
		}),
	},
}

func TestMisuses(t *testing.T) { lawtest.Run(t, misuses) }

// Views of nil maps are refused when they are scheduled.
func TestViewsOfNilMaps(t *testing.T) {
	lawtest.CheckedOnly(t)
	var m *Map[string, int]
	for _, f := range []func(){
		func() { parallelfor.Do(m.Reader(), func(*Reader[string, int]) {}) },
		func() { parallelfor.Do(m.Writer(), func(*Writer[string, int]) {}) },
		func() { parallelfor.Do(m.Shared(), func(*Shared[string, int]) {}) },
		func() { parallelfor.Do(m.ParallelWriter(), func(*ParallelWriter[string, int]) {}) },
		func() { parallelfor.Do(m.ParallelMerger(sum), func(*ParallelMerger[string, int]) {}) },
	} {
		require.ErrorIs(t, lawtest.Violation(t, does(f)), safety.ErrUnassigned)
	}
}

// What a job that holds a map lets others do.
func TestUsesBesideJobs(t *testing.T) {
	for _, f := range []func() error{
		while(reads, func(m *Map[string, int]) {
			v, ok := m.Load("b")
			if v != 2 || !ok || m.Len() != 3 {
				panic("wrong")
			}
			for range m.All() {
				continue
			}
			if m.Clone().Len() != 3 {
				panic("not all")
			}
		}),
		while(shares, func(m *Map[string, int]) {
			m.Store("d", 1)
			m.Delete("a")
			m.Load("a")
			m.Clear()
		}),
	} {
		require.NoError(t, f())
	}
}
