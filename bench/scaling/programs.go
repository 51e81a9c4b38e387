package main

import (
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/internal/atom"
	"example.com/custody/queue"
)

// program is an operation that goroutines do again and again. fresh makes what n of them share, and
// goroutine g calls what it returns with i from 0 on.
type program struct {
	name  string
	kind  kind
	keys  int // the operations in all, from a fresh beginning; 0: any number, after as many untimed
	fresh func(n int) func(g, i int)
}

type kind int

const (
	word      kind = iota // predicted, of atomics alone
	container             // predicted, and drawn
	pair                  // predicted, of at most two goroutines
	hand                  // predicted, of two goroutines only
	fit                   // the machine is fitted to it
)

// runs reports whether n goroutines can do the program.
func (p *program) runs(n int) bool {
	switch p.kind {
	case pair:
		return n <= 2
	case hand:
		return n == 2
	}
	return true
}

// fits reports whether the machine is fitted to the program, so that it is not predicted.
func (p *program) fits() bool { return p.kind == fit }

// handed is the program whose time tells how long lines take at the time.
const handed = "one number, handed to and fro"

// padded is a number in cache lines of its own.
type padded struct {
	_ [128]byte
	n atom.Int64
	_ [128]byte
}

// shared is a program on one number.
func shared(op func(n *atom.Int64, g, i int)) func(int) func(g, i int) {
	return func(int) func(g, i int) {
		p := new(padded)
		return func(g, i int) { op(&p.n, g, i) }
	}
}

// sides is a program of which every other goroutine only puts, and the rest only take. One
// goroutine does both in turn.
func sides(n int, put func(v int) bool, take func() (int, bool)) func(g, i int) {
	return func(g, i int) {
		side := g
		if n == 1 {
			side = i
		}
		if side%2 == 0 {
			put(g)
		} else {
			take()
		}
	}
}

// random is a generator of each goroutine.
type random struct {
	state uint32
	_     [124]byte
}

func (r *random) next() uint32 {
	r.state = r.state*1664525 + 1013904223
	return r.state
}

// The machine is fitted to these programs.
const (
	nothing = "nothing"
	added   = "one number, Add"
	spread  = "16 numbers, Add to one at random"
)

const ring = 128

var programs = []program{
	{name: nothing, kind: fit, fresh: func(int) func(g, i int) { return func(int, int) {} }},
	{name: added, kind: fit, fresh: shared(func(n *atom.Int64, _, _ int) { n.Add(1) })},
	{name: spread, kind: fit, fresh: func(n int) func(g, i int) {
		all, each := make([]padded, 16), make([]random, n)
		for g := range each {
			each[g].state = uint32(g) << 20
		}
		return func(g, _ int) { all[each[g].next()>>28].n.Add(1) }
	}},
	{name: handed, kind: hand, fresh: shared(func(n *atom.Int64, g, i int) {
		for n.Load() != int64(2*i+g) {
		}
		n.Store(int64(2*i + g + 1))
	})},
	{name: "one number, Load and CompareAndSwap until it succeeds", fresh: shared(func(n *atom.Int64, _, _ int) {
		for v := n.Load(); !n.CompareAndSwap(v, v+1); v = n.Load() {
		}
	})},
	{name: "one number, Load, Add one time in 16", fresh: shared(func(n *atom.Int64, _, i int) {
		if n.Load(); i%16 == 0 {
			n.Add(1)
		}
	})},
	{name: "Counter.Add", kind: container, fresh: func(int) func(g, i int) {
		c := counter.New()
		return func(int, int) { c.Add(1) }
	}},
	{name: "Counter.Add, 1 in 100 Value", kind: container, fresh: func(int) func(g, i int) {
		c := counter.New()
		return func(_, i int) {
			if i%100 == 99 {
				c.Value()
			} else {
				c.Add(1)
			}
		}
	}},
	{name: "Sum.Add", kind: container, fresh: func(int) func(g, i int) {
		s := counter.NewSum[int]()
		return func(int, int) { s.Add(1) }
	}},
	{name: "Histogram.Add to 1,024 bins", kind: container, fresh: func(int) func(g, i int) {
		h := counter.NewHistogram(1024)
		return func(g, i int) { h.Add(int(uint32(g*7919+i)*0x9e3779b9>>22), 1) }
	}},
	{name: "MultiMap.Add to a key of each", kind: container, fresh: func(int) func(g, i int) {
		m := hashmap.NewMulti[int, int]()
		return func(g, i int) { m.Add(g, i) }
	}},
	{name: "Map.Load of 64 keys", kind: container, fresh: func(int) func(g, i int) {
		m := hashmap.New[int, int]()
		for k := range 64 {
			m.Store(k, k)
		}
		return func(_, i int) { m.Load(i & 63) }
	}},
	{name: "Map.Store of a key of each", kind: container, fresh: func(int) func(g, i int) {
		m := hashmap.New[int, int]()
		m.Grow(1 << 14)
		return func(g, i int) { m.Store(g, i) }
	}},
	{name: "Map.Store of new keys", kind: container, keys: 1 << 15, fresh: func(n int) func(g, i int) {
		m := hashmap.New[int, int]()
		return func(g, i int) { m.Store(i*n+g, i) }
	}},
	{name: "Ring, a put and a take", kind: container, fresh: func(int) func(g, i int) {
		r := queue.NewRing[int](ring)
		return func(g, _ int) {
			r.TryEnqueue(g)
			r.TryDequeue()
		}
	}},
	{name: "Ring, half put, half take", kind: container, fresh: func(n int) func(g, i int) {
		r := queue.NewRing[int](ring)
		return sides(n, r.TryEnqueue, r.TryDequeue)
	}},
	{name: "Queue, a put and a take", kind: container, fresh: func(int) func(g, i int) {
		q := queue.New[int]()
		return func(g, _ int) {
			q.Enqueue(g)
			q.TryDequeue()
		}
	}},
	{name: "Queue, half put, half take", kind: container, fresh: func(n int) func(g, i int) {
		q := queue.New[int]()
		return sides(n, q.Enqueue, q.TryDequeue)
	}},
	{name: "SPSC, one puts, one takes", kind: pair, fresh: func(n int) func(g, i int) {
		q := queue.NewSPSC[int](ring)
		return sides(n, q.Producer().TryEnqueue, q.Consumer().TryDequeue)
	}},
}
