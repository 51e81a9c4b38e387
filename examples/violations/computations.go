package main

import (
	"cmp"
	"hash/maphash"
	"runtime"

	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse the functions that hash maps call: those that compute or merge values, and Hashers.

var computations = []misuse{
	{"a function that merges values uses the map", mergesByLookingUp, safety.Violation{Kind: safety.ErrInFlight,
		Container: stockName, Job: "deliver", OtherJob: "deliver", Made: somewhere}, checked},

	{"a function that computes a value is nil", nilCompute, safety.Violation{Kind: safety.ErrArgument, Container: stockName, Made: somewhere}, always},
	{"a function that merges values is nil", nilFold, safety.Violation{Kind: safety.ErrArgument, Container: stockName, Made: somewhere}, always},
	{"a Hasher is nil", nilHasher, safety.Violation{Kind: safety.ErrArgument}, always},
	{"a function that computes a value returns an Op that there is none of", noOp, safety.Violation{Kind: safety.ErrArgument, Container: stockName, Made: somewhere}, always},
	{"a function that merges values ends its goroutine", exitsInFold, safety.Violation{Kind: safety.ErrArgument, Container: stockName, Job: "deliver", Made: somewhere}, always},
	{"a Hasher ends its goroutine when a job is sealed", exitsInHasher, safety.Violation{Kind: safety.ErrArgument, Container: stockName, Job: "order", Made: somewhere}, always},

	{"a function that computes a value changes its own key", computesItself, safety.Violation{Kind: safety.ErrWaitCycle, Container: stockName, Made: somewhere}, always},
	{"two functions that compute values change each other's key", computesEachOther, safety.Violation{Kind: safety.ErrWaitCycle, Container: stockName, Made: somewhere}, always},
	{"a function that computes a value starts a job that changes its key", computesByJob, safety.Violation{Kind: safety.ErrWaitCycle,
		Container: stockName, Job: "deliver", Made: somewhere}, always},
}

type fussy struct{}

func (fussy) Hash(h *maphash.Hash, k string) {
	if k == "screw" {
		runtime.Goexit()
	}
	h.WriteString(k)
}

func (fussy) Equal(a, b string) bool { return a == b }

// What merges values limits them by another key's. It is called when the job is sealed, which holds the map until then.
func mergesByLookingUp() {
	m := newStock()
	merger := m.ParallelMerger(func(old, v int) int {
		most, _ := m.Load("nut")
		return min(old+v, most)
	})
	parallelfor.Do(merger, func(w *hashmap.ParallelMerger[string, int]) { w.Merge("nail", 1) }, parallelfor.Name("deliver"))
}

// A value is to be computed by nothing.
func nilCompute() {
	m := newStock()
	m.Compute("nail", nil)
}

// Values are to be merged by nothing. It is refused when the view is made.
func nilFold() {
	m := newStock()
	_ = m.ParallelMerger(nil)
}

// A map is to hash its keys in a way that was never set.
func nilHasher() {
	var h hashmap.Hasher[string]
	hashmap.NewWith[string, int](h)
}

// What computes a value says something that means nothing. The key is as it was.
func noOp() {
	m := newStock()
	m.Compute("nail", func(old int, _ bool) (int, hashmap.Op) { return old + 1, hashmap.Delete + 1 })
}

// What merges values ends its goroutine, as t.FailNow does in tests. The goroutine is none of the test's.
func exitsInFold() {
	m := newStock()
	merger := m.ParallelMerger(func(old, v int) int {
		if v < 0 {
			runtime.Goexit()
		}
		return old + v
	})
	parallelfor.Do(merger, func(w *hashmap.ParallelMerger[string, int]) { w.Merge("nail", -1) }, parallelfor.Name("deliver"))
}

// The same, in what hashes keys.
func exitsInHasher() {
	m := hashmap.NewWith[string, int](fussy{}, safety.Named("stock"))
	parallelfor.Do(m.ParallelWriter(), func(w *hashmap.ParallelWriter[string, int]) { w.Add("screw", 1) }, parallelfor.Name("order"))
}

// What computes a value stores it, too. Who changes the key waits until it was computed.
func computesItself() {
	m := newStock()
	m.Compute("nail", func(old int, _ bool) (int, hashmap.Op) {
		m.Store("nail", old+1)
		return old + 1, hashmap.Update
	})
}

// Two goroutines compute a value each, and change the other's key meanwhile. Whichever comes second is told.
func computesEachOther() {
	m := newStock()
	met, failed := make(chan bool), make(chan any)
	take := func(from, to string, meet func()) {
		defer func() { failed <- recover() }()
		m.Compute(from, func(old int, _ bool) (int, hashmap.Op) {
			meet()
			m.Store(to, 0)
			return old - 1, hashmap.Update
		})
	}
	go take("bolt", "nail", func() { met <- true })
	go take("nail", "bolt", func() { <-met })
	first, second := <-failed, <-failed
	panic(cmp.Or(first, second))
}

// What computes a value runs a job that appends to the map, its own key among what it appends.
func computesByJob() {
	m := newStock()
	m.Compute("nail", func(old int, _ bool) (int, hashmap.Op) {
		parallelfor.Do(deliver{m.ParallelWriter()}, (*deliver).Execute)
		return old, hashmap.Keep
	})
}
