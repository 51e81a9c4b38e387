package fuzz

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/custody/internal/lawtest"
)

// The ways in which an index of a loop fails.
const (
	failPanic = iota
	failError // a panic if the way returns no error
	failGoexit
	failKinds
)

// fault is the value that a body panics with or returns: the index that fails.
type fault int

// Error returns a text with the index.
func (f fault) Error() string { return fmt.Sprintf("fault at index %d", int(f)) }

// loop is a loop to run, with its observed effects.
type loop struct {
	n, batch, workers int
	faults            map[int]int // the way in which each failing index fails
	lowest            bool        // the lowest of several failures surfaces

	begun []atomic.Int32 // by index, the number of batches with it that began
	busy  []atomic.Int32 // by worker, the number of its batches in progress
	mu    sync.Mutex
	cells []cell // the batches that began
	wrong string // the first error that a body found
}

// cell is a batch: the indices begin <= i < end.
type cell struct{ begin, end int }

func newLoop(n, batch, workers int) *loop {
	return &loop{n: n, batch: batch, workers: workers, begun: make([]atomic.Int32, n), busy: make([]atomic.Int32, workers)}
}

func (l *loop) failf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong == "" {
		l.wrong = fmt.Sprintf(format, args...)
	}
}

// body is the body of the loop.
func (l *loop) body(worker, begin, end int) error {
	if worker < 0 || worker >= l.workers {
		l.failf("a batch ran on worker %d of %d", worker, l.workers)
		return nil
	}
	if l.busy[worker].Add(1) > 1 {
		l.failf("two batches ran at the same time on worker %d", worker)
	}
	defer l.busy[worker].Add(-1)
	if begin < 0 || begin >= end || end > l.n {
		l.failf("a batch [%d, %d) in a loop over %d", begin, end, l.n)
		return nil
	}
	l.mu.Lock()
	l.cells = append(l.cells, cell{begin, end})
	l.mu.Unlock()
	for i := begin; i < end; i++ {
		l.begun[i].Add(1)
	}
	runtime.Gosched() // lets batches overlap
	for i := begin; i < end; i++ {
		switch how, fails := l.faults[i]; {
		case !fails:
		case how == failPanic:
			panic(fault(i))
		case how == failError:
			return fault(i)
		default:
			runtime.Goexit()
		}
	}
	return nil
}

// ending is how a function ended. The zero value means that it returned without an error.
type ending struct {
	panicked any
	err      error
	goexit   bool
	stuck    bool
}

// well reports whether the function returned without an error.
func (e ending) well() bool { return e.panicked == nil && e.err == nil && !e.goexit && !e.stuck }

// String describes the ending.
func (e ending) String() string {
	switch {
	case e.stuck:
		return "did not end"
	case e.goexit:
		return "ended its goroutine"
	case e.panicked != nil:
		return fmt.Sprintf("panicked: %v", e.panicked)
	case e.err != nil:
		return "failed: " + e.err.Error()
	}
	return "returned"
}

// endingOf calls f on a goroutine of its own and returns how f ended. If f has not ended when the
// patience is over, the ending is stuck and the goroutine is left behind.
func endingOf(patience time.Duration, f func() error) ending {
	done, ended := make(chan ending, 1), make(chan struct{})
	go func() {
		e := ending{goexit: true} // stays if f neither returns nor panics
		defer func() {
			if v := recover(); v != nil {
				e = ending{panicked: v}
			}
			done <- e
			close(ended)
		}()
		err := f()
		e = ending{err: err}
	}()
	if lawtest.Ends(ended, patience, nil) {
		return <-done
	}
	return ending{stuck: true}
}

// run runs the loop in one way, and returns what is wrong.
func (l *loop) run(w way, patience time.Duration) string {
	e := endingOf(patience, func() error { return w.run(l.n, l.batch, l.workers, l.body) })
	if e.stuck {
		return w.name + " did not end"
	}
	wrong := l.saw()
	if wrong == "" {
		wrong = l.ended(w, e)
	}
	if wrong == "" {
		wrong = l.ran()
	}
	if wrong != "" {
		wrong = fmt.Sprintf("%s over %d indices, batch %d, %d workers, failing %v: %s", w.name, l.n, l.batch, l.workers, l.faults, wrong)
	}
	return wrong
}

// saw returns the first error that a body of the loop found, or "".
func (l *loop) saw() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wrong
}

// ran returns what is wrong with the batches of a loop that is done.
func (l *loop) ran() string {
	for _, check := range []func() string{l.saw, l.grid, l.once} {
		if wrong := check(); wrong != "" {
			return wrong
		}
	}
	return ""
}

// ended returns what is wrong with how the loop ended.
func (l *loop) ended(w way, e ending) string {
	lowest := l.n
	for i := range l.faults {
		lowest = min(lowest, i)
	}
	for i, how := range l.faults {
		if l.lowest && i != lowest && !(how == failGoexit && e.goexit) {
			continue // a Goexit of the caller's goroutine cannot be undone
		}
		if e.is(w, i, how) {
			return ""
		}
	}
	if len(l.faults) == 0 && e.well() {
		return ""
	}
	return "it " + e.String()
}

// is reports whether the loop ended as it must if the failure of index i, of kind how, surfaces.
func (e ending) is(w way, i, how int) bool {
	switch {
	case how == failGoexit:
		return e.goexit
	case how == failError && w.errs:
		return errors.Is(e.err, fault(i))
	}
	if e.panicked == any(fault(i)) {
		return true
	}
	err, ok := e.panicked.(error)
	return ok && errors.Is(err, fault(i))
}

// grid returns what is wrong with the borders of batches. Every batch must begin at a multiple of
// the batch size, and all except the last must have that size. If the driver chooses the size, it
// is that of the largest batch that began, the last one left out.
func (l *loop) grid() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	batch := l.batch
	if batch == 0 {
		for _, c := range l.cells {
			if c.end != l.n {
				batch = max(batch, c.end-c.begin)
			}
		}
	}
	for _, c := range l.cells {
		if batch == 0 { // the last batch alone began
			break
		}
		if c.begin%batch != 0 || c.end != l.n && c.end-c.begin != batch {
			return fmt.Sprintf("the batch [%d, %d) is not on the grid of %d", c.begin, c.end, batch)
		}
	}
	return ""
}

// once returns what is wrong with the number of times that indices ran. No index may run twice.
// Every index must run if none fails; with lowest, every index below the lowest failing one must
// run.
func (l *loop) once() string {
	all := l.n
	if len(l.faults) > 0 {
		all = 0
		if l.lowest {
			all = slices.Min(keys(l.faults))
		}
	}
	for i := range l.begun {
		switch n := l.begun[i].Load(); {
		case n > 1:
			return fmt.Sprintf("index %d was run %d times", i, n)
		case n == 0 && i < all:
			return fmt.Sprintf("index %d was not run", i)
		}
	}
	return ""
}

func keys(m map[int]int) (ks []int) {
	for k := range m {
		ks = append(ks, k)
	}
	return ks
}

// loopModel is the loop that a program describes and runs.
type loopModel struct {
	*loopSuite
	n, batch, workers int
	faults            map[int]int
}

// script returns the contract of a driver: programs set up loops and run them.
func (s *loopSuite) script() *script[*loopModel] {
	c := &script[*loopModel]{make: func(size int) *loopModel { return &loopModel{loopSuite: s, n: size, workers: 2} }}
	c.add(true, 1, "n", 1, func(m *loopModel, x, _ int) string { m.n, m.faults = x, nil; return "" })
	c.add(true, 1, "batch", 1, func(m *loopModel, x, _ int) string { m.batch = x; return "" })
	c.add(true, 1, "workers", 1, func(m *loopModel, x, _ int) string { m.workers = 1 + x%8; return "" })
	c.add(true, 1, "fails", 2, func(m *loopModel, x, y int) string {
		if m.n > 0 && len(m.faults) < 3 {
			if m.faults == nil {
				m.faults = map[int]int{}
			}
			m.faults[x%m.n] = y % failKinds
		}
		return ""
	})
	for _, w := range s.of.ways() {
		c.add(true, 1, w.name, 0, func(m *loopModel, _, _ int) string {
			l := newLoop(m.n, m.batch, m.workers)
			l.faults, l.lowest = m.faults, m.has(LowestFails)
			m.faults = nil
			return l.run(w, m.patience)
		})
	}
	return c
}
