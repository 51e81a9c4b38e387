package parallelfor_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// branch is a node of a drawn recursion.
type branch struct {
	at       int       // its slot
	rounds   int       // of arithmetic
	halves   []*branch // two for each Join
	recovers bool      // from panics of its Joins
	fate     fate
	fated    int       // how many Joins it makes before its fate
	inner    []*branch // recursions inside: one is run, several are batches of a loop
	lingers  bool      // until another worker runs a half, but not for long
}

// fate is how a node fails.
type fate int

const (
	lives fate = iota
	throwsValue
	throwsError
	breaksRule
	exits
	fates
)

// fatal is what a node panics with.
type fatal struct{ at int }

func (f *fatal) Error() string { return fmt.Sprint("node ", f.at) }

func (n *branch) befall() {
	switch n.fate {
	case throwsValue:
		panic(n.at)
	case throwsError:
		panic(&fatal{n.at})
	case breaksRule:
		v := safety.NewViolation(safety.ErrArgument, fmt.Sprint("node ", n.at), "")
		v.Index = n.at
		panic(v)
	case exits:
		runtime.Goexit()
	}
}

// thrown returns a number for what a node panicked with.
func thrown(value any) int {
	if p, ok := value.(*parallelfor.Panic); ok {
		value = p.Value
	}
	switch v := value.(type) {
	case int:
		return int(fates)*v + int(throwsValue)
	case *fatal:
		return int(fates)*v.at + int(throwsError)
	case *safety.Violation:
		return int(fates)*v.Index + int(breaksRule)
	}
	return -1
}

// recursing is a drawn program: a recursion over a tree.
type recursing struct {
	nodes   int
	root    *branch
	workers int // 0 for those of the pool
	opts    []parallelfor.Option
	exits   bool // some node ends the goroutine
}

func (p *recursing) String() string {
	return fmt.Sprintf("%d nodes, %d workers, a node ends the goroutine: %t", p.nodes, p.workers, p.exits)
}

// Costs of nodes: none, up to 2 µs, up to 20 µs.
var mostRounds = []int{0, 1500, 15_000}

// Few workers are drawn more often: more workers than processors take turns.
var someWorkers = []int{0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 6, 7, 8}

func drawRecursing(r *rand.Rand, pool *parallelfor.Pool) *recursing {
	p := &recursing{workers: someWorkers[r.IntN(len(someWorkers))], opts: []parallelfor.Option{parallelfor.On(pool)}}
	switch {
	case p.workers > 0:
		p.opts = append(p.opts, parallelfor.Workers(p.workers))
	case r.IntN(4) == 0:
		p.opts, p.workers = append(p.opts, parallelfor.Sequential()), 1
	case r.IntN(2) == 0:
		p.opts = nil
	}
	cost := []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 2}[r.IntN(10)]
	most := 1 << r.IntN(9) // nodes
	if cost == 2 {
		most = min(most, 40)
	}
	d := drawing{Rand: r, recursing: p, rounds: mostRounds[cost], fates: 0}
	if r.IntN(2) == 0 {
		d.fates = 1 + r.IntN(20) // of 100 nodes
		d.goexit = r.IntN(4) == 0
	}
	p.root = d.node(most)
	return p
}

// drawing draws the nodes of a program.
type drawing struct {
	*rand.Rand
	*recursing
	rounds, fates int
	goexit        bool
}

// node draws a tree of about that many nodes.
func (d *drawing) node(most int) *branch {
	n := &branch{at: d.nodes, recovers: d.IntN(4) == 0, lingers: d.IntN(20) == 0}
	d.nodes++
	if d.rounds > 0 {
		n.rounds = d.IntN(d.rounds)
	}
	if d.IntN(100) < d.fates {
		n.fate = 1 + fate(d.IntN(int(fates)-1))
		if n.fate == exits && !d.goexit {
			n.fate = throwsError
		}
		d.exits = d.exits || n.fate == exits
		n.fated = d.IntN(3)
	}
	for most -= 1; most > 1 && len(n.halves) < 6; {
		part := 1 + d.IntN(most)
		if d.IntN(3) == 0 {
			part = (most + 1) / 2
		}
		left := 1 + d.IntN(part)
		n.halves = append(n.halves, d.node(left), d.node(part-left+1))
		most -= part + 1
	}
	if d.IntN(16) == 0 {
		for range 1 + d.IntN(3) {
			n.inner = append(n.inner, d.node(1+d.IntN(max(most, 4))))
		}
	}
	return n
}

// idle is the halves of a node that lingers.
var idle = new(branch)

const (
	idleRounds = 100
	mostIdle   = 300
)

// walk is one run of a program.
type walk struct {
	plain  bool // the sequential recursion
	opts   []parallelfor.Option
	slots  []int // by node, what it has returned
	shared atomic.Bool
}

// run runs the program and returns its result and how it ends.
func (w *walk) run(p *recursing) (result int, e ending) {
	w.slots = make([]int, p.nodes)
	e = endingOf(func() { result = w.recurse(p.root) })
	return result, e
}

func (w *walk) recurse(n *branch) int {
	if w.plain {
		return w.body(nil, n)
	}
	return parallelfor.Recurse(w.body, n, w.opts...)
}

func (w *walk) body(f *parallelfor.Forks[*branch, int], n *branch) int {
	if f != nil {
		if parallelfor.Seat(f) > 0 {
			w.shared.Store(true)
		}
		if n == idle {
			return spend(0, idleRounds)
		}
		_ = spend(n.at, n.rounds)
		for range mostIdle {
			if !n.lingers || w.shared.Load() || parallelfor.Raced {
				break
			}
			_, _ = f.Join(idle, idle)
			letOthersRun()
		}
	}
	sum := n.at + 1
	for joins := 0; ; joins++ {
		if joins == n.fated {
			n.befall()
		}
		if 2*joins == len(n.halves) {
			break
		}
		l, r := w.join(f, n, joins)
		sum = 31*sum + 7*l + r
	}
	for _, v := range w.nest(n.inner) {
		sum = 31*sum + v
	}
	w.slots[n.at] = sum
	return sum
}

func (w *walk) join(f *parallelfor.Forks[*branch, int], n *branch, joins int) (l, r int) {
	if n.recovers {
		defer func() {
			if v := recover(); v != nil {
				l = thrown(v)
			}
		}()
	}
	left, right := n.halves[2*joins], n.halves[2*joins+1]
	if f == nil {
		return w.body(nil, left), w.body(nil, right)
	}
	return f.Join(left, right)
}

// nest returns the results of recursions inside.
func (w *walk) nest(inner []*branch) []int {
	results := make([]int, len(inner))
	if !w.plain && len(inner) > 1 {
		parallelfor.Indices(len(inner), func(i int) { results[i] = w.recurse(inner[i]) }, w.opts...)
		return results
	}
	for i, n := range inner {
		results[i] = w.recurse(n)
	}
	return results
}

// differs says how a run differs from the sequential recursion, or returns nil. A run that ends its
// goroutine may end it anywhere.
func (w *walk) differs(from *walk, result int, e ending, want int, how ending) error {
	if e.goexit != how.goexit || !e.goexit && (thrown(e.value) != thrown(how.value) || result != want) {
		return fmt.Errorf("%d, %v, and not %d, %v", result, e, want, how)
	}
	for i, v := range from.slots {
		if v != 0 && w.slots[i] != v && !(e.goexit && w.slots[i] == 0) {
			return fmt.Errorf("node %d has returned %d, and not %d", i, w.slots[i], v)
		}
	}
	var p *parallelfor.Panic
	if err, ok := e.value.(error); ok && !errors.As(err, &p) && thrown(e.value)%int(fates) != int(breaksRule) {
		return fmt.Errorf("no *Panic but %v", e)
	}
	return nil
}
