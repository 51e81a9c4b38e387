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
	fresh func(n int) func(g, i int)
}

// padded is a number in cache lines of its own.
type padded struct {
	_ [128]byte
	n atom.Int64
	_ [128]byte
}

// shared is a program on one number.
func shared(op func(n *atom.Int64, i int)) func(int) func(g, i int) {
	return func(int) func(g, i int) {
		p := new(padded)
		return func(_, i int) { op(&p.n, i) }
	}
}

var programs = []program{
	{"one number, Add", shared(func(n *atom.Int64, _ int) { n.Add(1) })},
	{"one number, Load", shared(func(n *atom.Int64, _ int) { n.Load() })},
	{"one number, Load and CompareAndSwap until it succeeds", shared(func(n *atom.Int64, _ int) {
		for v := n.Load(); !n.CompareAndSwap(v, v+1); v = n.Load() {
		}
	})},
	{"one number, Load, Add one time in 16", shared(func(n *atom.Int64, i int) {
		if n.Load(); i%16 == 0 {
			n.Add(1)
		}
	})},
	{"a number for each, Add", func(n int) func(g, i int) {
		all := make([]padded, n)
		return func(g, _ int) { all[g].n.Add(1) }
	}},
	{"Counter.Add", func(int) func(g, i int) {
		c := counter.New()
		return func(int, int) { c.Add(1) }
	}},
	{"Map.Load of 64 keys", func(int) func(g, i int) {
		m := hashmap.New[int, int]()
		for k := range 64 {
			m.Store(k, k)
		}
		return func(_, i int) { m.Load(i & 63) }
	}},
	{"Map.Store of a key of each", func(int) func(g, i int) {
		m := hashmap.New[int, int]()
		m.Grow(1 << 14)
		return func(g, i int) { m.Store(g, i) }
	}},
	{"Ring, a put and a take", func(int) func(g, i int) {
		r := queue.NewRing[int](128)
		return func(g, _ int) {
			r.TryEnqueue(g)
			r.TryDequeue()
		}
	}},
	{"Queue, a put and a take", func(int) func(g, i int) {
		q := queue.New[int]()
		return func(g, _ int) {
			q.Enqueue(g)
			q.TryDequeue()
		}
	}},
}
