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
	{"a function that computes a value returns an Op that does not exist", noOp, safety.Violation{Kind: safety.ErrArgument, Container: stockName, Made: somewhere}, always},
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

// A function that merges values looks up another key. It is called when the job is sealed, and the
// job holds the map until then.
func mergesByLookingUp() {
	m := newStock()
	merger := m.ParallelMerger(func(old, v int) int {
		most, _ := m.Load("nut")
		return min(old+v, most)
	})
	parallelfor.Do(merger, func(w *hashmap.ParallelMerger[string, int]) { w.Merge("nail", 1) }, parallelfor.Name("deliver"))
}

// The function that is to compute a value is nil.
func nilCompute() {
	m := newStock()
	m.Compute("nail", nil)
}

// The function that is to merge values is nil. The panic comes when the view is made.
func nilFold() {
	m := newStock()
	_ = m.ParallelMerger(nil)
}

// The Hasher of a map is nil.
func nilHasher() {
	var h hashmap.Hasher[string]
	hashmap.NewWith[string, int](h)
}

// A function that computes a value returns an Op that does not exist. The key stays as it was.
func noOp() {
	m := newStock()
	m.Compute("nail", func(old int, _ bool) (int, hashmap.Op) { return old + 1, hashmap.Delete + 1 })
}

// A function that merges values ends its goroutine, as t.FailNow does in tests. The goroutine is
// not the test's.
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

// A Hasher ends its goroutine.
func exitsInHasher() {
	m := hashmap.NewWith[string, int](fussy{}, safety.Named("stock"))
	parallelfor.Do(m.ParallelWriter(), func(w *hashmap.ParallelWriter[string, int]) { w.Add("screw", 1) }, parallelfor.Name("order"))
}

// A function that computes a value stores the value, too. A change of the key waits until the
// function has returned.
func computesItself() {
	m := newStock()
	m.Compute("nail", func(old int, _ bool) (int, hashmap.Op) {
		m.Store("nail", old+1)
		return old + 1, hashmap.Update
	})
}

// Two functions compute a value each, and each changes the other's key meanwhile. The second change
// is the violation.
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

// A function that computes a value runs a job that adds to the map, and to the key of the value.
func computesByJob() {
	m := newStock()
	m.Compute("nail", func(old int, _ bool) (int, hashmap.Op) {
		parallelfor.Do(deliver{Stock: m.ParallelWriter()}, (*deliver).Execute)
		return old, hashmap.Keep
	})
}
