//go:build custody_explore

package hashmap

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// doing is what a task does: an operation on a key.
type doing struct {
	op  spec.Op
	k   int
	old int  // the value to compare with: that of the start, or what a task stores first
	cut bool // a Compute that deletes
}

// What tasks do beside the operations of the specification.
const (
	shrink spec.Op = 100 + iota
	look           // range over all
)

// play is a scenario: keys that are there, with values from 1 on, and a few tasks.
type play struct {
	name  string
	keys  int
	sizes sizes
	tasks [][]doing
}

func on(op spec.Op, k int) doing { return doing{op: op, k: k} }

var (
	one       = sizes{least: 1, chunk: 1, stripes: 1, spare: 4, crowd: 64, each: 1}
	four      = sizes{least: 4, chunk: 2, stripes: 1, spare: 4, crowd: 64, each: 1}
	bucketful = sizes{least: 1, chunk: 2, stripes: 1, spare: 4, crowd: 64} // holds four keys
)

var plays = []play{
	{"one key", 0, four, [][]doing{{on(spec.Store, 0), on(spec.Load, 0)}, {on(spec.LoadOrStore, 0), on(spec.LoadAndDelete, 0)}, {on(spec.Swap, 0)}}},
	{"growing beside a load", 1, one, [][]doing{{on(spec.Store, 1), on(spec.Store, 2)}, {on(spec.Load, 0), on(spec.Load, 1)}, {on(spec.Store, 0)}}},
	{"two who grow", 0, one, [][]doing{{on(spec.Store, 0), on(spec.Load, 1)}, {on(spec.Store, 1), on(spec.Load, 0)}, {on(spec.Store, 2)}}},
	{"growing beside a deletion", 2, one, [][]doing{{on(spec.Store, 2)}, {on(spec.LoadAndDelete, 0), on(spec.LoadOrStore, 0)}, {on(spec.Load, 0), on(spec.Swap, 1)}}},
	{"deleted and put in again", 1, one, [][]doing{{on(spec.LoadAndDelete, 0), on(spec.Store, 0)}, {on(spec.LoadOrStore, 0), on(spec.Load, 0)}, {on(spec.LoadAndDelete, 0)}}},
	{"the same key twice", 0, one, [][]doing{{on(spec.LoadOrStore, 0)}, {on(spec.LoadOrStore, 0), on(spec.LoadAndDelete, 0)}, {on(spec.LoadOrStore, 0), on(spec.Load, 0)}}},
	{"another key comes and goes", 0, four, [][]doing{{on(spec.Store, 0), on(spec.LoadAndDelete, 0)}, {on(spec.Store, 0), on(spec.Store, 1), on(spec.LoadAndDelete, 1)}, {on(spec.Store, 2), on(spec.LoadAndDelete, 2)}}},
	{"comparing", 1, four, [][]doing{{{op: spec.CompareAndSwap, k: 0, old: 1}}, {{op: spec.CompareAndSwap, k: 0, old: 1}, on(spec.Load, 0)}, {{op: spec.CompareAndDelete, k: 0, old: 1}, on(spec.LoadOrStore, 0)}}},
	{"computing", 1, four, [][]doing{{on(spec.Compute, 0)}, {on(spec.Compute, 0), on(spec.Load, 0)}, {on(spec.Store, 0), on(spec.Load, 0)}}},
	{"computing beside growing", 1, one, [][]doing{{on(spec.Compute, 0), on(spec.Compute, 1)}, {on(spec.Store, 2)}, {on(spec.Swap, 0), on(spec.Load, 1)}}},
	{"computing what is not there", 0, one, [][]doing{{on(spec.Compute, 0)}, {{op: spec.Compute, k: 0, cut: true}, on(spec.LoadOrStore, 0)}, {on(spec.Load, 0), on(spec.LoadAndDelete, 0)}}},
	{"Clear beside stores", 1, one, [][]doing{{{op: spec.Clear}, on(spec.Load, 0)}, {on(spec.Store, 0), on(spec.Load, 0)}, {on(spec.Store, 1)}}},
	{"shrinking", 1, one, [][]doing{{{op: shrink}, on(spec.Load, 0)}, {on(spec.LoadAndDelete, 0), on(spec.Store, 0)}, {on(spec.Store, 1)}}},
	{"shrinking beside who puts in", 1, sizes{least: 1, chunk: 1, stripes: 1, spare: 1, crowd: 64, each: 1}, [][]doing{{{op: shrink}}, {on(spec.Store, 1), on(spec.Store, 2), on(spec.Store, 3), on(spec.Store, 4), on(spec.Store, 5)}}},
	{"a place in four counted", 2, quarter, [][]doing{{on(spec.Store, 2), on(spec.Store, 3), on(spec.Load, 0)}, {on(spec.Store, 4), on(spec.LoadAndDelete, 1)}, {on(spec.Store, 5)}}},
	{"shrinking, a place in four counted", 2, quarter, [][]doing{{{op: shrink}, on(spec.Load, 0)}, {on(spec.Store, 2), on(spec.Store, 3)}, {on(spec.Store, 4)}}},
	{"in a bucket", 0, bucketful, [][]doing{{on(spec.Store, 0), on(spec.LoadAndDelete, 0)}, {on(spec.Store, 0), on(spec.Store, 1), on(spec.LoadAndDelete, 1)}, {on(spec.Store, 2), on(spec.Load, 0)}}},
	{"a full bucket", 3, bucketful, [][]doing{{on(spec.Store, 3), on(spec.Store, 4)}, {on(spec.LoadAndDelete, 0), on(spec.LoadOrStore, 0)}, {on(spec.Load, 0), on(spec.Swap, 4)}}},
	{"looking at all", 2, one, [][]doing{{{op: look}}, {on(spec.Store, 2), on(spec.LoadAndDelete, 1)}, {on(spec.Swap, 0)}}},
}

// player is a map and what plays on it need.
type player struct {
	subject
	history explore.History[spec.MapIn, spec.MapOut]
	next    []int // by task, the value that it stores next
}

func (p *player) do(task int, d doing) (err error) {
	switch d.op {
	case shrink:
		p.Trim()
		return nil
	case look:
		return p.look()
	}
	p.next[task]++
	v := p.next[task]
	p.history.Note(task, func() (in spec.MapIn, out spec.MapOut) {
		in.Op, in.Key, in.Value = d.op, d.k, v
		switch d.op {
		case spec.Load:
			out.Value, out.OK = p.Load(d.k)
		case spec.Store:
			p.Store(d.k, v)
		case spec.LoadOrStore:
			out.Value, out.OK = p.LoadOrStore(d.k, v)
		case spec.LoadAndDelete:
			out.Value, out.OK = p.LoadAndDelete(d.k)
		case spec.Swap:
			out.Value, out.OK = p.Swap(d.k, v)
		case spec.CompareAndSwap:
			in.Old = d.old
			out.OK = p.CompareAndSwap(d.k, d.old, v)
		case spec.CompareAndDelete:
			in.Old = d.old
			out.OK = p.CompareAndDelete(d.k, d.old)
		case spec.Compute:
			in.Drop = d.cut
			out.Value, out.OK = p.Compute(d.k, func(old int, loaded bool) (int, Op) {
				in.Seen, in.SeenOK = old, loaded
				if d.cut {
					return 0, Delete
				}
				return v, Update
			})
		case spec.Clear:
			p.Clear()
		}
		return in, out
	})
	return nil
}

// look ranges over all: key 0, which is always there, comes once, and none comes twice.
func (p *player) look() error {
	seen := map[int]int{}
	for k := range p.All() {
		seen[k]++
	}
	for k, n := range seen {
		if n > 1 {
			return fmt.Errorf("key %d came %d times", k, n)
		}
	}
	if seen[0] != 1 {
		return errors.New("a key that was there all the time did not come")
	}
	return nil
}

// program returns a function that sets the play up.
func (s play) program(fresh func(s sizes) subject, judge func(h []linear.Op[spec.MapIn, spec.MapOut]) error) func(*explore.Program) {
	p := &player{next: make([]int, len(s.tasks)+1)}
	return func(x *explore.Program) {
		p.subject = fresh(s.sizes)
		p.history.Reset(len(s.tasks) + 1)
		p.next[len(s.tasks)] = 0
		for k := range s.keys {
			_ = p.do(len(s.tasks), on(spec.Store, k))
		}
		errs := make([]error, len(s.tasks))
		for i, ds := range s.tasks {
			p.next[i] = 16 * (i + 1)
			x.Go(fmt.Sprint("task ", i), func() {
				for _, d := range ds {
					errs[i] = errors.Join(errs[i], p.do(i, d))
				}
			})
		}
		x.Then(func() {
			for k := range 3 {
				_ = p.do(len(s.tasks), on(spec.Load, k))
			}
		})
		x.Judge(func() error {
			if err := errors.Join(errs...); err != nil {
				return err
			}
			there := 0
			for range p.All() {
				there++
			}
			if n := p.Len(); n != there {
				return fmt.Errorf("%d keys are there, and Len says %d", there, n)
			}
			return judge(p.history.Ops())
		})
	}
}

func searching(n int) []explore.Plan {
	return append(explore.Guarantees(), explore.Exhaustive(1, 20_000), explore.PCT(2, n/2), explore.PCT(3, n), explore.Random(n))
}

// Every schedule of a few operations is linearizable while keys are moved, and the count is right.
func TestExploreMap(t *testing.T) {
	for _, k := range kinds {
		for _, s := range plays {
			t.Run(k.name+", "+s.name, func(t *testing.T) {
				checker := linear.NewChecker(whole())
				explore.Run(t, explore.Options{}, s.program(k.fresh, checker.Check), searching(1500)...)
			})
		}
	}
}

// A key whose place was seen free is not put in a second time if another key with its hash has been
// there meanwhile.
func TestExploreAKeyWhoseHashAnotherOneHad(t *testing.T) {
	room := sizes{least: 15, chunk: 8, stripes: 1, spare: 4}
	smalls := func() subject {
		m := initialised[int, int](room, same{})
		m.in.salt = 1 << 63 // no value lies aside
		return m
	}
	for name, fresh := range map[string]func() subject{"small values": smalls, "large values": func() subject { return pairs{initialised[int, [3]int](room, same{})} }} {
		t.Run(name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				m := fresh()
				p.Go("stores", func() { m.Store(0, 1) })
				p.Go("stores, too", func() {
					m.Store(0, 2)
					m.Store(1, 3)
					m.LoadAndDelete(1)
				})
				p.Judge(func() error {
					var all []int
					for k := range m.All() {
						all = append(all, k)
					}
					if m.Len() != 1 || len(all) != 1 || all[0] != 0 {
						return fmt.Errorf("%d keys, which are %v", m.Len(), all)
					}
					return nil
				})
			}, searching(3000)...)
		})
	}
}

// Nor where its home has become full meanwhile, and another key of its hash has been in the next
// bucket.
func TestExploreAHomeThatFills(t *testing.T) {
	room := sizes{least: 15, chunk: 8, stripes: 1, spare: 4, crowd: 64}
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		m := crowded[int](room, func(k string) uint64 {
			switch k {
			case "0", "1":
				return 5 << 32
			}
			return uint64(k[0]) << 32
		})
		for _, k := range []string{"a", "b", "c", "d"} { // all but one of the home's slots
			m.Store(k, 9)
		}
		p.Go("stores", func() { m.Store("0", 1<<40) })
		p.Go("stores, too", func() {
			m.Store("0", 1<<41)
			m.Store("1", 1<<42)
			m.LoadAndDelete("1")
		})
		p.Judge(func() error {
			var all []string
			for k := range m.All() {
				all = append(all, k)
			}
			if m.Len() != 5 || len(all) != 5 {
				return fmt.Errorf("%d keys, which are %v", m.Len(), all)
			}
			return nil
		})
	}, searching(3000)...)
}

// DeleteFunc deletes what it was asked about, and no value that is stored or computed meanwhile.
func TestExploreMapDeleteFunc(t *testing.T) {
	for _, k := range kinds {
		for _, computes := range []bool{false, true} {
			t.Run(fmt.Sprint(k.name, ", computed ", computes), func(t *testing.T) {
				explore.Run(t, explore.Options{}, func(x *explore.Program) {
					m := k.fresh(one)
					m.Store(0, 1)
					m.Store(1, 1)
					odd := func(_, v int) bool { return v == 1 }
					deleted, fresh := 0, false // fresh: the key that is changed had been deleted
					x.Go("deletes", func() { deleted = m.DeleteFunc(odd) })
					x.Go("changes", func() {
						if computes {
							m.Compute(0, func(_ int, loaded bool) (int, Op) { fresh = !loaded; return 2, Update })
						} else {
							m.Store(0, 2)
						}
					})
					x.Go("adds", func() { m.Store(2, 3) })
					x.Judge(func() error {
						zero, _ := m.Load(0)
						one, there := m.Load(1)
						two, _ := m.Load(2)
						if zero != 2 || there || two != 3 || m.Len() != 2 {
							return fmt.Errorf("%d, %d %t, %d; %d keys", zero, one, there, two, m.Len())
						}
						if deleted < 1 || deleted > 2 || computes && (deleted == 2) != fresh {
							return fmt.Errorf("%d were deleted, fresh %t", deleted, fresh)
						}
						return nil
					})
				}, searching(1500)...)
			})
		}
	}
}

// Keys that are not equal to themselves are deleted once, and no operation finds half of one.
func TestExploreMapNaNs(t *testing.T) {
	nan := math.NaN()
	explore.Run(t, explore.Options{}, func(x *explore.Program) {
		smalls, bigs := initialised[float64, int](one, constant{}), initialised[any, any](one, constants{})
		smalls.in.salt = 0
		smalls.Store(nan, 1)
		smalls.Store(nan, 7)
		bigs.Store(nan, "x")
		var few, large [2]int // how many each has deleted
		for i := range 2 {
			x.Go(fmt.Sprint("deletes ", i), func() {
				few[i] = smalls.DeleteFunc(func(_ float64, v int) bool { return v < 100 })
				large[i] = bigs.DeleteFunc(func(any, any) bool { return true })
			})
		}
		x.Go("adds", func() {
			smalls.Store(nan, 100)
			bigs.Store(0.0, "y")
		})
		x.Judge(func() error {
			sum := 0
			for _, v := range smalls.All() {
				sum += v
			}
			left := 0
			for range bigs.All() {
				left++
			}
			if sum != 100 || smalls.Len() != 1 || bigs.Len() != left {
				return fmt.Errorf("%d in %d, and %d", sum, smalls.Len(), bigs.Len())
			}
			if few[0]+few[1] != 2 || large[0]+large[1] != 2-left {
				return fmt.Errorf("%d and %d were deleted, %d are left", few, large, left)
			}
			return nil
		})
	}, searching(1500)...)
}

// constant is a Hasher with one hash, and keys that are equal when they are ==.
type constant struct{}

func (constant) Hash(*maphash.Hash, float64) {}
func (constant) Equal(a, b float64) bool     { return a == b }
