package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

const multiName = `hashmap.MultiMap[interface {},interface {}] "cities"`

// held does something to the cities while a job holds a view of them.
func held[V any](view func(m *MultiMap[any, any]) V, do func(m *MultiMap[any, any])) func() error {
	return func() error {
		m := cities()
		h := parallelfor.ScheduleDo(holder[V]{view(m)}, (*holder[V]).Execute, parallelfor.Name("holds"))
		defer h.Complete()
		do(m)
		return nil
	}
}

// copyOf returns a copy where vet would not like one.
func copyOf[T any](p *T) T { return *p }

var nilMulti *MultiMap[int, int]

var (
	multiReads   = (*MultiMap[any, any]).Reader
	multiWrites  = (*MultiMap[any, any]).Writer
	multiAppends = (*MultiMap[any, any]).ParallelWriter
	multiShares  = (*MultiMap[any, any]).Shared
)

// multiHeld is the violation of a use beside a job.
func multiHeld() safety.Violation {
	return safety.Violation{Kind: safety.ErrInFlight, Container: multiName, OtherJob: "holds", OtherField: "View", Made: "multimap_test.go", Scheduled: "multimisuse_test.go"}
}

// multiBorrowed is the violation of a range that goes on after a job was scheduled.
func multiBorrowed() safety.Violation {
	v := multiHeld()
	v.Kind = safety.ErrBorrowed
	return v
}

// multiStale is that of a view outside its job.
func multiStale() safety.Violation {
	return safety.Violation{Kind: safety.ErrStaleView, Container: multiName, Made: "multimap_test.go"}
}

func multiDisposed(job string) safety.Violation {
	return safety.Violation{Kind: safety.ErrDisposed, Container: multiName, Job: job, Made: "multimap_test.go"}
}

var multiMisuses = []lawtest.Misuse{
	{Name: "zero multimap", Want: safety.Violation{Kind: safety.ErrUnassigned}, Do: does(func() { new(MultiMap[int, int]).Add(1, 1) })},
	{Name: "nil hasher", Want: safety.Violation{Kind: safety.ErrArgument}, Says: []string{"nil Hasher", "NewMulti"}, Do: does(func() { NewMultiWith[int, int](nil) })},
	{Name: "reader of nil", Want: safety.Violation{Kind: safety.ErrUnassigned, Job: "nil"}, Do: does(func() {
		parallelfor.Do(nilMulti.Reader(), func(*MultiReader[int, int]) {}, parallelfor.Name("nil"))
	})},
	{Name: "writer of nil", Want: safety.Violation{Kind: safety.ErrUnassigned, Job: "nil"}, Do: does(func() {
		parallelfor.Do(nilMulti.Writer(), func(*MultiWriter[int, int]) {}, parallelfor.Name("nil"))
	})},
	{Name: "parallel writer of nil", Want: safety.Violation{Kind: safety.ErrUnassigned, Job: "nil"}, Do: does(func() {
		parallelfor.Do(nilMulti.ParallelWriter(), func(*MultiParallelWriter[int, int]) {}, parallelfor.Name("nil"))
	})},
	{Name: "shared of nil", Want: safety.Violation{Kind: safety.ErrUnassigned, Job: "nil"}, Do: does(func() {
		parallelfor.Do(nilMulti.Shared(), func(*MultiShared[int, int]) {}, parallelfor.Name("nil"))
	})},
	{
		Name: "add while a job reads", Want: multiHeld(), Says: []string{"MultiMap.Add was called on ", "reads"},
		Do: held(multiReads, func(m *MultiMap[any, any]) { m.Add("fr", "Nice") }),
	},
	{Name: "add several while a job reads", Want: multiHeld(), Do: held(multiReads, func(m *MultiMap[any, any]) { m.AddAll("fr", nil) })},
	{Name: "replace while a job reads", Want: multiHeld(), Do: held(multiReads, func(m *MultiMap[any, any]) { m.Replace("fr", nil) })},
	{Name: "delete while a job reads", Want: multiHeld(), Do: held(multiReads, func(m *MultiMap[any, any]) { m.Delete("fr") })},
	{Name: "delete a value while a job reads", Want: multiHeld(), Do: held(multiReads, func(m *MultiMap[any, any]) { m.DeleteValue("fr", "Paris") })},
	{Name: "clear while a job reads", Want: multiHeld(), Do: held(multiReads, (*MultiMap[any, any]).Clear)},
	{Name: "look while a job writes", Want: multiHeld(), Do: held(multiWrites, func(m *MultiMap[any, any]) { m.Count("fr") })},
	{Name: "iterate while a job writes", Want: multiHeld(), Do: held(multiWrites, func(m *MultiMap[any, any]) {
		for range m.All() {
			panic("not refused")
		}
	})},
	{Name: "a job writes while the owner iterates", Want: multiBorrowed(), Do: does(func() {
		m, h := cities(), parallelfor.Handle{}
		defer func() { h.Complete() }()
		for range m.Groups() {
			h.Complete()
			h = parallelfor.ScheduleDo(holder[MultiWriter[any, any]]{m.Writer()}, (*holder[MultiWriter[any, any]]).Execute, parallelfor.Name("holds"))
		}
	})},
	{Name: "add while a job adds", Want: multiHeld(), Do: held(multiAppends, func(m *MultiMap[any, any]) { m.Add("fr", "Nice") })},
	{Name: "look while a job adds", Want: multiHeld(), Do: held(multiAppends, func(m *MultiMap[any, any]) { m.Values("fr") })},
	{Name: "length while a job adds", Want: multiHeld(), Do: held(multiAppends, func(m *MultiMap[any, any]) { m.Len() })},
	{Name: "dispose while a job adds", Want: multiHeld(), Do: held(multiAppends, (*MultiMap[any, any]).Dispose)},
	{Name: "trim while a job adds", Want: multiHeld(), Do: held(multiAppends, (*MultiMap[any, any]).Trim)},
	{
		Name: "two jobs that add",
		Want: safety.Violation{Kind: safety.ErrConflict, Container: multiName, Job: "adds", OtherJob: "holds", OtherField: "View", Made: "multimap_test.go", Scheduled: "multimisuse_test.go"},
		Do: held(multiAppends, func(m *MultiMap[any, any]) {
			parallelfor.Do(m.ParallelWriter(), func(*MultiParallelWriter[any, any]) {}, parallelfor.Name("adds"))
		}),
	},
	{
		Name: "key beyond the last",
		Want: safety.Violation{Kind: safety.ErrIndex, Container: multiName, Job: "reads", Index: 3, Max: 3, Length: 3, Made: "multimap_test.go"},
		Do: does(func() {
			parallelfor.Do(cities().Reader(), func(r *MultiReader[any, any]) { r.At(3) }, parallelfor.Name("reads"))
		}),
	},
	{
		Name: "key before the first",
		Want: safety.Violation{Kind: safety.ErrIndex, Container: multiName, Job: "writes", Index: -1, Max: 3, Length: 3, Made: "multimap_test.go"},
		Do: does(func() {
			parallelfor.Do(cities().Writer(), func(w *MultiWriter[any, any]) { w.At(-1) }, parallelfor.Name("writes"))
		}),
	},
	{
		Name: "another batch's key", Says: []string{"Index 2 is the key \"it\"."},
		Want: safety.Violation{Kind: safety.ErrWriteRange, Container: multiName, Job: "renames", Index: 2, Min: 1, Max: 2, Length: 3, Made: "multimap_test.go"},
		Do: does(func() {
			parallelfor.For(3, cities().Writer(), func(w *MultiWriter[any, any], i int) {
				if i == 1 {
					w.At(2)
				}
			}, parallelfor.Batch(1), parallelfor.Name("renames"))
		}),
	},
	{Name: "reader outside its job", Want: multiStale(), Do: does(func() { r := cities().Reader(); r.Values("fr") })},
	{Name: "length of a reader outside its job", Want: multiStale(), Do: does(func() { r := cities().Reader(); r.Len() })},
	{Name: "writer outside its job", Want: multiStale(), Do: does(func() { w := cities().Writer(); w.At(0) })},
	{Name: "length of a writer outside its job", Want: multiStale(), Do: does(func() { w := cities().Writer(); w.Len() })},
	{Name: "parallel writer outside its job", Want: multiStale(), Do: does(func() { w := cities().ParallelWriter(); w.Add("fr", "Nice") })},
	{Name: "nothing, by a parallel writer outside its job", Want: multiStale(), Do: does(func() { w := cities().ParallelWriter(); w.AddAll("fr", nil) })},
	{Name: "shared outside its job", Want: multiStale(), Do: does(func() { s := cities().Shared(); s.Len() })},
	{Name: "a view that was never assigned", Want: safety.Violation{Kind: safety.ErrStaleView}, Do: does(func() { new(MultiReader[int, int]).At(0) })},
	{Name: "use after Dispose", Want: multiDisposed(""), Do: does(func() { m := cities(); m.Dispose(); m.Add("fr", "Nice") })},
	{Name: "job after Dispose", Want: multiDisposed("reads"), Do: does(func() {
		m := cities()
		m.Dispose()
		parallelfor.Do(m.Reader(), func(*MultiReader[any, any]) {}, parallelfor.Name("reads"))
	})},
	{Name: "second Dispose", Want: multiDisposed(""), Do: does(func() { m := cities(); m.Dispose(); m.Dispose() })},
}

func TestMisuseOfMultiMaps(t *testing.T) { lawtest.Run(t, multiMisuses) }

// What jobs that hold a multimap let others do.
func TestUsesOfMultiMapsBesideJobs(t *testing.T) {
	require.NoError(t, held(multiReads, func(m *MultiMap[any, any]) {
		if m.Count("it") != 3 || len(m.Values("it")) != 3 || m.Len() != 6 || m.LenKeys() != 3 || m.Count("de") == 0 {
			panic("wrong")
		}
		for range m.Groups() {
			continue
		}
	})())
	require.NoError(t, held(multiShares, func(m *MultiMap[any, any]) {
		m.Add("fr", "Nice")
		m.Replace("de", []any{"Kiel"})
		m.DeleteValue("it", "Milan")
		m.Values("it")
		m.Clear()
	})())
	m := cities()
	h := parallelfor.ScheduleDo(holder[MultiReader[any, any]]{m.Reader()}, (*holder[MultiReader[any, any]]).Execute)
	m.DisposeAfter(h)
	h.Complete()
	require.True(t, m.Disposed())
}
