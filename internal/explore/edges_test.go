//go:build race && custody_explore

package explore_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
)

// edge is a way to hand data over from one task to another, which waits for it.
type edge struct {
	name string
	// made returns what the task that has written does, and what the one that reads does before,
	// which reports whether it may read.
	made func() (give func(), take func() bool)
}

// through is an edge through a word.
func through(name string, store func(w *atom.Int64), load func(w *atom.Int64) int64) edge {
	return edge{name, func() (func(), func() bool) {
		w := new(atom.Int64)
		return func() { store(w) }, func() bool { return load(w) != 0 }
	}}
}

func store(w *atom.Int64)      { w.Store(1) }
func load(w *atom.Int64) int64 { return w.Load() }

var edges = []edge{
	through("Int64: Store, Load", store, load),
	through("Int64: Add, Load", func(w *atom.Int64) { w.Add(1) }, load),
	through("Int64: Or, Load", func(w *atom.Int64) { w.Or(1) }, load),
	through("Int64: Swap, Load", func(w *atom.Int64) { w.Swap(1) }, load),
	through("Int64: CompareAndSwap, Load", func(w *atom.Int64) { w.CompareAndSwap(0, 1) }, load),
	through("Int64: Store, Add", store, func(w *atom.Int64) int64 { return w.Add(0) }),
	through("Int64: Store, And", store, func(w *atom.Int64) int64 { return w.And(3) }),
	through("Int64: Store, Swap", store, func(w *atom.Int64) int64 { return w.Swap(0) }),
	through("Int64: Store, CompareAndSwap", store, func(w *atom.Int64) int64 {
		if w.CompareAndSwap(1, 2) {
			return 1
		}
		return 0
	}),
	// A CompareAndSwap that fails has loaded.
	through("Int64: Store, CompareAndSwap that fails", store, func(w *atom.Int64) int64 {
		if w.CompareAndSwap(0, 0) {
			return 0
		}
		return 1
	}),
	{"Bool", func() (func(), func() bool) {
		w := new(atom.Bool)
		return func() { w.Store(true) }, w.Load
	}},
	{"Int32", func() (func(), func() bool) {
		w := new(atom.Int32)
		return func() { w.Add(1) }, func() bool { return w.Load() != 0 }
	}},
	{"Uint32", func() (func(), func() bool) {
		w := new(atom.Uint32)
		return func() { w.Add(1) }, func() bool { return w.Load() != 0 }
	}},
	{"Uint64", func() (func(), func() bool) {
		w := new(atom.Uint64)
		return func() { w.Add(1) }, func() bool { return w.Load() != 0 }
	}},
	{"Pointer", func() (func(), func() bool) {
		w := new(atom.Pointer[int])
		return func() { w.Store(new(int)) }, func() bool { return w.Load() != nil }
	}},
	{"Mutex", func() (func(), func() bool) {
		mu, given := new(atom.Mutex), false
		return func() { mu.Lock(); given = true; mu.Unlock() },
			func() bool { mu.Lock(); defer mu.Unlock(); return given }
	}},
	{"Mutex: TryLock", func() (func(), func() bool) {
		mu, given := new(atom.Mutex), false
		return func() { mu.Lock(); given = true; mu.Unlock() },
			func() bool {
				if !mu.TryLock() {
					return false
				}
				defer mu.Unlock()
				return given
			}
	}},
	{"RWMutex", func() (func(), func() bool) {
		mu, given := new(atom.RWMutex), false
		return func() { mu.Lock(); given = true; mu.Unlock() },
			func() bool { mu.RLock(); defer mu.RUnlock(); return given }
	}},
	{"Cond", func() (func(), func() bool) {
		mu, given := new(atom.Mutex), false
		c := atom.NewCond(mu)
		return func() { mu.Lock(); given = true; mu.Unlock(); c.Signal() },
			func() bool {
				mu.Lock()
				defer mu.Unlock()
				for !given {
					c.Wait()
				}
				return true
			}
	}},
	{"WaitGroup", func() (func(), func() bool) {
		wg := new(atom.WaitGroup)
		wg.Add(1)
		return wg.Done, func() bool { wg.Wait(); return true }
	}},
	{"Once", func() (func(), func() bool) {
		once, first := new(atom.Once), 0
		return func() { once.Do(func() { first = 1 }) },
			func() bool { once.Do(func() { first = 2 }); return first == 1 }
	}},
	{"Parker", func() (func(), func() bool) {
		p := atom.NewParker()
		return p.Unpark, func() bool { p.Park(); return true }
	}},
}

// handOver is two tasks: one writes and gives, the other takes and reads, and writes. With late the
// first writes once more when it has given.
func handOver(e edge, late bool) func(*explore.Program) {
	return func(p *explore.Program) {
		data := 0
		give, take := e.made()
		p.Go("gives", func() {
			data = 1
			give()
			if late {
				data = 2
			}
		})
		p.Go("takes", func() {
			if take() {
				data++
			}
		})
	}
}

// Programs that are ordered by one of atom's types are not reported, and those that are not quite
// are, in one of the first schedules in which the second task reads.
func TestEveryTypeOrders(t *testing.T) {
	if inChild(t) {
		for _, e := range edges {
			f, stats := find(handOver(e, true), explore.Random(more(200)))
			fmt.Printf("%s: %v after %d\n", e.name, errorOf(f), stats.Schedules)
		}
		return
	}
	for _, e := range edges {
		f, _ := find(handOver(e, false), explore.Random(more(200)), explore.PCT(3, more(200)))
		require.NoError(t, errorOf(f), e.name)
	}
	out := child(t)
	for _, e := range edges {
		require.Regexp(t, `(?m)^`+regexp.QuoteMeta(e.name)+`: schedule \d, (replay|random walk): data race`, out, "%s", out)
	}
}

// What comes before a Signal happens before the Wait that it ends, also when no lock is held.
func TestSignalOrders(t *testing.T) {
	for name, call := range map[string]func(*atom.Cond){"Signal": (*atom.Cond).Signal, "Broadcast": (*atom.Cond).Broadcast} {
		f, _ := find(func(p *explore.Program) {
			data, waits := 0, false
			mu := new(atom.Mutex)
			c := atom.NewCond(mu)
			p.Go("waits", func() {
				mu.Lock()
				waits = true
				c.Wait()
				data++
				mu.Unlock()
			})
			p.Go("calls", func() {
				for there := false; !there; atom.Yield() {
					mu.Lock()
					there = waits
					mu.Unlock()
				}
				data = 1
				call(c)
			})
		}, explore.Random(more(200)), explore.PCT(3, more(200)))
		require.NoError(t, errorOf(f), name)
	}
}

// Reading is no giving: what a task wrote before it loads a word, or fails to swap it, is not
// ordered with a later store.
func TestLoadsDoNotGive(t *testing.T) {
	wrong := []edge{
		through("Load", func(w *atom.Int64) { w.Load() }, func(w *atom.Int64) int64 { w.Store(1); return 1 }),
		{"nothing", func() (func(), func() bool) { return func() {}, func() bool { return true } }},
		{"yields", func() (func(), func() bool) { return atom.Yield, func() bool { atom.Yield(); return true } }},
		{"another word", func() (func(), func() bool) {
			v, w := new(atom.Int64), new(atom.Int64)
			return func() { v.Store(1) }, func() bool { w.Load(); return true }
		}},
		{"readers", func() (func(), func() bool) {
			mu := new(atom.RWMutex)
			read := func() { mu.RLock(); mu.RUnlock() }
			return read, func() bool { read(); return true }
		}},
		{"TryLock that fails", func() (func(), func() bool) {
			mu := new(atom.Mutex)
			return mu.Lock, func() bool {
				if mu.TryLock() {
					mu.Unlock()
					return false
				}
				return true
			}
		}},
	}
	if inChild(t) {
		for _, e := range wrong {
			f, _ := find(handOver(e, false), explore.Random(more(200)))
			fmt.Printf("%s: %v\n", e.name, errorOf(f))
		}
		return
	}
	out := child(t)
	for _, e := range wrong {
		require.Regexp(t, `(?m)^`+regexp.QuoteMeta(e.name)+`: schedule \d, (replay|random walk): data race`, out, "%s", out)
	}
}

// What comes before Go happens before the task, and what comes after does not.
func TestGoOrders(t *testing.T) {
	program := func(start func(func()), late bool) func(*explore.Program) {
		return func(p *explore.Program) {
			data := 0
			p.Go("starts", func() {
				data = 1
				start(func() { data++ })
				if late {
					data = 3
				}
			})
		}
	}
	starts := map[string]func(func()){
		"Go":           atom.Go,
		"WaitGroup.Go": func(f func()) { new(atom.WaitGroup).Go(f) },
	}
	if inChild(t) {
		for name, start := range starts {
			f, _ := find(program(start, true), explore.Random(more(200)))
			fmt.Printf("%s: %v\n", name, errorOf(f))
		}
		return
	}
	out := child(t)
	for name, start := range starts {
		f, _ := find(program(start, false), explore.Random(more(200)))
		require.NoError(t, errorOf(f), name)
		require.Regexp(t, `(?m)^`+regexp.QuoteMeta(name)+`: schedule \d, (replay|random walk): data race`, out, "%s", out)
	}
}

// A hundred thousand schedules of a program that uses all of atom's types are not reported.
func TestNoFalseReports(t *testing.T) {
	f, stats := find(func(p *explore.Program) {
		var (
			mu     atom.Mutex
			rw     atom.RWMutex
			wg     atom.WaitGroup
			once   atom.Once
			parker = atom.NewParker()
			cond   = atom.NewCond(&mu)
			word   atom.Uint64
			a, b   int
			c, d   int
			list   []int
			turn   bool
		)
		wg.Add(2)
		p.Go("one", func() {
			mu.Lock()
			a++
			turn = true
			cond.Broadcast()
			mu.Unlock()
			rw.Lock()
			b = 1
			rw.Unlock()
			d = 5
			parker.Unpark()
			wg.Done()
		})
		p.Go("two", func() {
			mu.Lock()
			for !turn {
				cond.Wait()
			}
			a++
			mu.Unlock()
			once.Do(func() { c = 1 })
			parker.Park()
			list = append(list, c, d)
			word.Store(1)
			wg.Done()
		})
		p.Go("three", func() {
			rw.RLock()
			_ = b
			rw.RUnlock()
			once.Do(func() { c = 1 })
			if word.Load() == 1 {
				list = append(list, c)
			}
			wg.Wait()
			atom.Go(func() { list = append(list, a, b, c) })
		})
		p.Judge(func() error {
			if !slices.Contains(list, 5) || a != 2 {
				return errorFound
			}
			return nil
		})
	}, explore.Random(more(50_000)), explore.PCT(3, more(50_000)))
	require.NoError(t, errorOf(f))
	require.GreaterOrEqual(t, stats.Schedules, 100_000)
}
